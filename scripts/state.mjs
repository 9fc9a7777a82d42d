// Checks a folder of local state before migrations are applied to it:
//
//   node scripts/state.mjs STATE
//
// These migrations can only bring databases up to date whose schema they made. Another schema was made by another set,
// such as that of version 0.1, or by files that were changed later. That is an error with the commands that help, and so is
// a damaged file. A database of a later version gets a warning.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { filesIn, schemaOf, standing } from "./migrations.mjs";
import { database, databaseFile } from "./workerd.mjs";

const folder = "migrations";
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = [11, 26];

/** A database with these files applied. */
function made(files) {
  const fresh = new DatabaseSync(":memory:");
  for (const name of files) fresh.exec(readFileSync(join(folder, name), "utf8"));
  return fresh;
}

const columnsOf = (opened) =>
  opened
    .prepare("select t.name || '.' || c.name as name from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'")
    .all()
    .map(({ name }) => name);

export function appliedIn(opened) {
  const known = opened.prepare("select 1 from sqlite_master where name = 'd1_migrations'").get();
  return known
    ? opened
        .prepare("select name from d1_migrations order by id")
        .all()
        .map(({ name }) => name)
    : [];
}

/** What is wrong with a state: `{error}`, `{warning}` or {}. */
export function faultOf(opened) {
  const files = filesIn(folder);
  const applied = appliedIn(opened);
  const { unknown, isOther } = standing(files, applied);
  const expected = made(files.filter((name) => applied.includes(name)));
  const held = new Set(columnsOf(opened));
  const later = unknown.length > 0 && !isOther && columnsOf(expected).every((column) => held.has(column));
  if (later) return { warning: `a later version made its database: this version lacks ${unknown.join(", ")}` };
  if (unknown.length || schemaOf(expected) !== schemaOf(opened))
    return { error: "other migrations than these made its database, such as those of version 0.1" };
  return {};
}

/**
 * The same for the database of a folder. `isChecked`: these files have brought it up to date before.
 * @returns {{ error?: string, warning?: string, pending?: string[], isFormer?: boolean, isDamaged?: boolean }}
 */
function faultIn(state, isChecked) {
  const file = databaseFile(state);
  if (!file) return { pending: filesIn(folder) };
  let opened;
  try {
    opened = database(state, { readOnly: true });
    const { pending } = standing(filesIn(folder), appliedIn(opened));
    return { pending, ...(isChecked && !pending.length ? {} : faultOf(opened)) };
  } catch (error) {
    if (!DAMAGED.includes(error.errcode)) throw error;
    return { error: `${file} is damaged (${error.message})`, isDamaged: true };
  } finally {
    opened?.close();
  }
}

/**
 * What is wrong with a folder, with the commands to type, and the `pending` files. `npm`: the commands of a release.
 * `isChecked`: only new files and damage matter.
 * @returns {{ error?: string, warning?: string, pending?: string[] }}
 */
export function look(state, { npm = false, isChecked = false } = {}) {
  const { error, warning, pending, isDamaged } = faultIn(state, isChecked);
  if (!error) return { pending, ...(warning && { warning: `the local state in ${state}: ${warning}` }) };
  const dev = npm ? `STATE=${state}-2 npm run dev` : `make dev STATE=${state}-2`;
  return {
    error: `the local state in ${state} cannot be ${isDamaged ? "used" : "brought up to date"}: ${error}.
  Delete it:               rm -rf ${state}, then run the same command again
  Or keep it, and choose another folder: ${dev}`,
  };
}

if (process.argv[1] === import.meta.filename) {
  const { error, warning } = look(process.argv[2]);
  if (warning) console.error(`warning: ${warning}`);
  if (error) console.error(`error: ${error}`);
  process.exitCode = error ? 1 : 0;
}
