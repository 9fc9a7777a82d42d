// Looks at a folder of local state before migrations are applied to it:
//
//   node scripts/state.mjs STATE
//
// A database whose schema is not what these migrations make cannot be brought up to date by them: it was made by another set, or by files
// that were changed since. That is an error, and says what to type. One made by a later version only is told.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { filesIn, schemaOf, standing } from "./migrations.mjs";
import { database } from "./workerd.mjs";

const folder = "migrations";

/** A database that has these files. */
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

/** What is to be said about a state: `{error}`, `{warning}` or nothing. */
export function judge(opened) {
  const files = filesIn(folder);
  const applied = appliedIn(opened);
  const { unknown } = standing(files, applied);
  const expected = made(files.filter((name) => applied.includes(name)));
  const held = new Set(columnsOf(opened));
  const later = unknown.length > 0 && columnsOf(expected).every((column) => held.has(column));
  if (later) return { warning: `it was made by a later version: this one does not know ${unknown.join(", ")}` };
  if (unknown.length || schemaOf(expected) !== schemaOf(opened)) return { error: "its database was made by other migrations than these" };
  return {};
}

if (process.argv[1] === import.meta.filename) {
  const state = process.argv[2];
  if (existsSync(join(state, "v3/d1/miniflare-D1DatabaseObject"))) {
    const opened = database(state, { readOnly: true });
    const { error, warning } = judge(opened);
    if (warning) console.error(`warning: the local state in ${state}: ${warning}`);
    if (error) {
      console.error(`error: the local state in ${state} cannot be brought up to date: ${error}.
  Make it anew:            rm -rf ${state}, then the same command again
  Or keep it, and choose another folder: make dev STATE=${state}-2`);
      process.exitCode = 1;
    }
    opened.close();
  }
}
