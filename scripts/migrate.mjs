// Applies the pending files of migrations/ to the deployed database, or only lists them:
//
//   node scripts/migrate.mjs [--list]
//
// Each file goes through D1's import API. `wrangler d1 migrations apply --remote` splits a file at its semicolons, so
// it cannot apply triggers. An import is one transaction, with the row that `wrangler d1 migrations list` reads.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configuration, main, say, Stop, wrangler, wranglerJson } from "./cloudflare.mjs";
import { filesIn, importOf, isFormer, standing } from "./migrations.mjs";

const FORMER = `the database was made by the former migrations, which those of this version replaced. Nothing was changed, and the
  deployed Worker stays in service. Copy the data into a new database:
    scripts/backup backups/former
    npx wrangler d1 create edgeforge-2
    scripts/restore backups/former --database edgeforge-2
  Then put edgeforge-2 into wrangler.toml as database_name, and run the same command again. Records written after the backup are not copied.
  docs/backup.md, "From the former migrations".`;

/** The names of the files that a database has. */
async function appliedIn(database) {
  const args = ["d1", "execute", database, "--remote", "--json", "--command", "SELECT name FROM d1_migrations ORDER BY id"];
  const { ok, out, err, reason } = await wrangler(args);
  if (!ok && /no such table: d1_migrations/.test(out + err)) return [];
  if (!ok) throw new Stop(`the applied migrations could not be read from the database: ${reason || out.trim()}`);
  const [{ results }] = JSON.parse(out);
  return results.map(({ name }) => name);
}

/** The error for a file that was refused, with the state of the database and what to do. */
function refusal(name, why, held) {
  const state = held === undefined ? `it is unknown whether ${name} was applied` : `the database is as it was before ${name}`;
  return new Stop(`${name}: ${why}
  ${state}, and the deployed Worker stays in service.
  Nothing else was changed. Fix the cause, then run the same command again: it first reads which files are applied.`);
}

/** Imports one file. If the answer is lost, reads from the database whether it was applied. */
async function apply(database, folder, name) {
  const work = mkdtempSync(join(tmpdir(), "edgeforge-"));
  try {
    const file = join(work, name);
    writeFileSync(file, importOf(folder, name));
    const { ok, reason } = await wrangler(["d1", "execute", database, "--remote", "--yes", "--file", file]);
    if (ok) return;
    const held = await appliedIn(database).catch(() => undefined);
    if (!held?.includes(name)) throw refusal(name, reason, held);
    say(`${name} is applied, though the answer was lost`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Applies what is pending in order, up to the first file that is refused. */
export async function migrate({ list = false } = {}) {
  const { binding, folder } = configuration().database;
  const applied = await appliedIn(binding);
  if (isFormer(applied)) throw new Stop(FORMER);
  const { pending, unknown } = standing(filesIn(folder), applied);
  if (unknown.length) say(`a later version migrated the database: this version lacks ${unknown.join(", ")}`);
  if (!pending.length) return say("no migration is pending");
  say(`${pending.length} of ${pending.length + applied.length} migrations are pending: ${pending.join(", ")}`);
  if (list) return;
  if (applied.length) {
    const { bookmark } = await wranglerJson(["d1", "time-travel", "info", binding, "--json"]);
    say(`bookmark of the database before the migrations: ${bookmark}`);
  }
  for (const name of pending) {
    say(`importing ${name}`);
    await apply(binding, folder, name);
  }
}

if (process.argv[1] === import.meta.filename) await main(() => migrate({ list: process.argv.includes("--list") }));
