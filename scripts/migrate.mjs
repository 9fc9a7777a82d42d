// Applies the pending files of migrations/ to the deployed database, or only lists them:
//
//   node scripts/migrate.mjs [--list]
//
// Files go through D1's import API. `wrangler d1 migrations apply --remote` splits a file at its semicolons, so it cannot
// apply triggers. An import is one transaction, with the rows that `wrangler d1 migrations list` reads: of one file, or
// in an empty database of all files.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { configuration, main, say, Stop, wrangler, wranglerJson } from "./cloudflare.mjs";
import { filesIn, importOf, standing } from "./migrations.mjs";

const OTHER = `other migrations than these made the database, such as those of version 0.1, whose data is not carried over. Nothing was
  changed, and the deployed Worker stays in service. Begin with a new database:
    npx wrangler d1 create edgeforge-2
  Then put edgeforge-2 into wrangler.toml as database_name, and run the same command again.`;

/** The names of the files that a database has. */
async function appliedIn(database) {
  const args = ["d1", "execute", database, "--remote", "--json", "--command", "SELECT name FROM d1_migrations ORDER BY id"];
  const { ok, out, err, reason } = await wrangler(args);
  if (!ok && /no such table: d1_migrations/.test(out + err)) return [];
  if (!ok) throw new Stop(`the applied migrations could not be read from the database: ${reason || out.trim()}`);
  const [{ results }] = JSON.parse(out);
  return results.map(({ name }) => name);
}

/** The file among several that SQLite refuses on this machine, too; else the first and the last name. */
function culprit(folder, names) {
  const opened = new DatabaseSync(":memory:");
  const refused = names.find((name) => {
    try {
      opened.exec(importOf(folder, name));
      return false;
    } catch {
      return true;
    }
  });
  return refused ?? `${names[0]} to ${names.at(-1)}`;
}

/** The error for an import that was refused, with the state of the database and what to do. */
function refusal(folder, names, why, held) {
  const [whole, file] = names.length === 1 ? [names[0], names[0]] : ["the import of all files", culprit(folder, names)];
  const state = held === undefined ? `it is unknown whether ${whole} was applied` : `the database is as it was before ${whole}`;
  return new Stop(`${file}: ${why}
  ${state}, and the deployed Worker stays in service.
  Nothing else was changed. Fix the cause, then run the same command again: it first reads which files are applied.`);
}

/** Imports files at once. If the answer is lost, reads from the database whether they were applied. */
async function apply(database, folder, names) {
  const work = mkdtempSync(join(tmpdir(), "edgeforge-"));
  try {
    const file = join(work, names.length === 1 ? names[0] : "migrations.sql");
    writeFileSync(file, importOf(folder, ...names));
    const { ok, reason } = await wrangler(["d1", "execute", database, "--remote", "--yes", "--file", file]);
    if (ok) return;
    const held = await appliedIn(database).catch(() => undefined);
    if (!names.every((name) => held?.includes(name))) throw refusal(folder, names, reason, held);
    say(`${names.length === 1 ? `${names[0]} is` : "they are"} applied, though the answer was lost`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Applies what is pending in order, up to the first file that is refused. */
export async function migrate({ list = false } = {}) {
  const { binding, folder } = configuration().database;
  const applied = await appliedIn(binding);
  const { pending, unknown, isOther } = standing(filesIn(folder), applied);
  if (isOther) throw new Stop(OTHER);
  if (unknown.length) say(`a later version migrated the database: this version lacks ${unknown.join(", ")}`);
  if (!pending.length) return say("no migration is pending");
  say(`${pending.length} of ${pending.length + applied.length} migrations are pending: ${pending.join(", ")}`);
  if (list) return;
  if (applied.length) {
    const { bookmark } = await wranglerJson(["d1", "time-travel", "info", binding, "--json"]);
    say(`bookmark of the database before the migrations: ${bookmark}`);
  }
  // into an empty database at once: a start of wrangler takes seconds
  for (const names of applied.length ? pending.map((name) => [name]) : [pending]) {
    say(`importing ${names.length === 1 ? names[0] : `all ${names.length} files at once`}`);
    await apply(binding, folder, names);
  }
}

if (process.argv[1] === import.meta.filename) await main(() => migrate({ list: process.argv.includes("--list") }));
