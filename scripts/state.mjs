// Checks a folder of local state before migrations are applied to it:
//
//   node scripts/state.mjs STATE
//
// These migrations can only bring databases up to date whose schema they made. Another schema was made by another set,
// or by files that were changed later. That is an error with the commands that help. A database of a later version gets
// a warning.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { filesIn, isFormer, schemaOf, standing } from "./migrations.mjs";
import { database } from "./workerd.mjs";

const folder = "migrations";

/** A database with these files applied. */
function made(files) {
  const fresh = new DatabaseSync(":memory:");
  for (const name of files) fresh.exec(readFileSync(join(folder, name), "utf8"));
  return fresh;
}

const columnsOf = (opened) =>
  opened.prepare("select t.name || '.' || c.name as name from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'").all().map(({ name }) => name);

function appliedIn(opened) {
  const known = opened.prepare("select 1 from sqlite_master where name = 'd1_migrations'").get();
  return known ? opened.prepare("select name from d1_migrations order by id").all().map(({ name }) => name) : [];
}

/** What is wrong with a state: `{error}`, `{warning}` or {}. `isFormer`: a backup and a restore convert it. */
export function faultOf(opened) {
  const files = filesIn(folder);
  const applied = appliedIn(opened);
  if (isFormer(applied)) return { error: "its database was made by the former migrations, which those of this version replaced", isFormer: true };
  const { unknown } = standing(files, applied);
  const expected = made(files.filter((name) => applied.includes(name)));
  const held = new Set(columnsOf(opened));
  const later = unknown.length > 0 && columnsOf(expected).every((column) => held.has(column));
  if (later) return { warning: `a later version made its database: this version lacks ${unknown.join(", ")}` };
  if (unknown.length || schemaOf(expected) !== schemaOf(opened)) return { error: "other migrations than these made its database" };
  return {};
}

/** The same for a folder, with the commands to type. `npm`: the commands of a release. */
export function look(state, { npm = false } = {}) {
  if (!existsSync(join(state, "v3/d1/miniflare-D1DatabaseObject"))) return {};
  const opened = database(state, { readOnly: true });
  const found = faultOf(opened);
  opened.close();
  if (found.warning) return { warning: `the local state in ${state}: ${found.warning}` };
  if (!found.error) return {};
  const script = (name) => (npm ? `npm run ${name} --` : `scripts/${name}`);
  const dev = npm ? `STATE=${state}-2 npm run dev` : `make dev STATE=${state}-2`;
  const steps = found.isFormer
    ? `Or convert it:           ${script("backup")} backups/former --state ${state}
                           ${script("restore")} backups/former --state ${state}-2
                           ${dev}`
    : `Or keep it, and choose another folder: ${dev}`;
  return {
    error: `the local state in ${state} cannot be brought up to date: ${found.error}.
  Delete it:               rm -rf ${state}, then run the same command again
  ${steps}`,
  };
}

if (process.argv[1] === import.meta.filename) {
  const { error, warning } = look(process.argv[2]);
  if (warning) console.error(`warning: ${warning}`);
  if (error) console.error(`error: ${error}`);
  process.exitCode = error ? 1 : 0;
}
