// Brings the deployed database up to the files in migrations/, or only tells which are pending:
//
//   node scripts/migrate.mjs [--list]
//
// Each file goes through D1's import API, not through `wrangler d1 migrations apply --remote`: what stands behind that takes a file apart
// at its semicolons, and so takes no trigger. An import is applied whole or not at all, and so is the row that tells of it, which is where
// `wrangler d1 migrations list` looks.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configuration, main, say, Stop, wrangler, wranglerJson } from "./cloudflare.mjs";
import { filesIn, importOf, isFormer, standing } from "./migrations.mjs";

const FORMER = `the database was made by the former migrations, which those of this version replaced. Nothing was changed, and the Worker that
  was deployed goes on serving. Bring the data along in a new database:
    scripts/backup backups/former
    npx wrangler d1 create edgeforge-2
    scripts/restore backups/former --database edgeforge-2
  Then put edgeforge-2 into wrangler.toml as database_name, and run the same command again. What is written after the backup stays behind.
  docs/backup.md, "From the former migrations".`;

/** The names of the files that a database holds. */
async function appliedIn(database) {
  const args = ["d1", "execute", database, "--remote", "--json", "--command", "SELECT name FROM d1_migrations ORDER BY id"];
  const { ok, out, err, reason } = await wrangler(args);
  if (!ok && /no such table: d1_migrations/.test(out + err)) return [];
  if (!ok) throw new Stop(`the database cannot be asked which migrations it holds: ${reason || out.trim()}`);
  const [{ results }] = JSON.parse(out);
  return results.map(({ name }) => name);
}

/** What can be done about a file that was refused, with what is sure about the database. */
function refusal(name, why, held) {
  const state = held === undefined ? `whether ${name} was applied cannot be told now` : `the database is as it was before ${name}`;
  return new Stop(`${name}: ${why}
  ${state}, and the Worker that was deployed goes on serving.
  Nothing else was changed. When the reason is gone, run the same command again: it asks the database first.`);
}

/** Imports one file; if the answer is lost, the database is asked. */
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

/** Applies what is pending, in order, and stops at the first file that is refused. */
export async function migrate({ list = false } = {}) {
  const { binding, folder } = configuration().database;
  const applied = await appliedIn(binding);
  if (isFormer(applied)) throw new Stop(FORMER);
  const { pending, unknown } = standing(filesIn(folder), applied);
  if (unknown.length) say(`the database knows ${unknown.join(", ")}, which this version does not: it was made by a later one`);
  if (!pending.length) return say("no migration is pending");
  say(`${pending.length} of ${pending.length + applied.length} migrations are pending: ${pending.join(", ")}`);
  if (list) return;
  if (applied.length) {
    const { bookmark } = await wranglerJson(["d1", "time-travel", "info", binding, "--json"]);
    say(`before them the database is at bookmark ${bookmark}`);
  }
  for (const name of pending) {
    say(`importing ${name}`);
    await apply(binding, folder, name);
  }
}

if (process.argv[1] === import.meta.filename) await main(() => migrate({ list: process.argv.includes("--list") }));
