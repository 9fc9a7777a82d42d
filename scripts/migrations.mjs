// The migration files: their names, which are applied to a database, and how to import one.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const filesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();

/** wrangler's table of applied files. */
const table = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/** Files as they are imported in one transaction, each with the row that records it. */
export const importOf = (folder, ...names) =>
  [
    table,
    ...names.map(
      (name) => `${readFileSync(join(folder, name), "utf8")}
INSERT INTO "d1_migrations" (name) VALUES ('${name.replaceAll("'", "''")}');
`,
    ),
  ].join("\n");

/**
 * The files to apply, and the applied names without a file. `isOther`: another set of files made the database, such as that
 * of version 0.1. A later version has applied all of these files, so that none is pending.
 */
export function standing(files, applied) {
  const pending = files.filter((name) => !applied.includes(name));
  const unknown = applied.filter((name) => !files.includes(name));
  return { pending, unknown, isOther: pending.length > 0 && unknown.length > 0 };
}

const digest = (text) => createHash("sha256").update(text).digest("hex");

/**
 * What is wrong with the files. `released` has the lines of `sha256sum`, as `cd migrations && sha256sum *.sql
 * >released.txt` writes them. A released file may not change or go, and new files come after all of them.
 */
export function changedSinceRelease(list, folder) {
  const released = list
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(/\s+\*?/));
  const files = filesIn(folder);
  const wrong = [];
  released.forEach(([hash, name], at) => {
    if (!files.includes(name)) wrong.push(`${name} was released and is gone`);
    else if (digest(readFileSync(join(folder, name))) !== hash) wrong.push(`${name} was released and has changed`);
    else if (files[at] !== name) wrong.push(`${files[at]} would come before ${name}, which was released`);
  });
  return wrong;
}

/**
 * The schema of a database of node:sqlite, one statement a line. The tables of wrangler and D1, and those that a backup
 * creates for its own use, are left out.
 */
export function schemaOf(database) {
  const rows = database
    .prepare(
      "select sql from sqlite_master where sql is not null and name not like 'sqlite_%' and substr(name, 1, 7) <> 'backup_' and tbl_name not in ('d1_migrations', '_cf_METADATA', '_cf_KV') order by type, name",
    )
    .all();
  return rows.map(({ sql }) => sql).join(";\n");
}
