// The migration files: which there are, what has become of them in a database, and how one is imported.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The numbered files in their order. */
export const filesIn = (folder) => readdirSync(folder).filter((name) => name.endsWith(".sql")).sort();

/** The table in which wrangler keeps which files were applied. */
const table = `CREATE TABLE IF NOT EXISTS "d1_migrations"(
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/** A file as it is imported: with the row that says so, so that both are there or neither. */
export const importOf = (folder, name) => `${table}
${readFileSync(join(folder, name), "utf8")}
INSERT INTO "d1_migrations" (name) VALUES ('${name.replaceAll("'", "''")}');
`;

/** The set of files that was before this one. Nothing but a backup leads from a database of it to this one. */
export const FORMER = [
  "0001_people.sql",
  "0002_issues.sql",
  "0003_repository.sql",
  "0004_builds.sql",
  "0005_settings.sql",
  "0006_writes.sql",
  "0007_tokens.sql",
  "0008_quotas.sql",
  "0009_branch_counts.sql",
  "0010_todo_filters.sql",
  "0011_ref_counts.sql",
  "0012_today.sql",
  "0013_people_lists.sql",
  "0014_search.sql",
  "0015_project_orders.sql",
  "0016_retention.sql",
  "0017_objects.sql",
  "0018_lists.sql",
];

/** Whether these files were applied from the former set. Only its first file is called like one of this set. */
export const isFormer = (applied) => applied.includes(FORMER[1]);

/** What is still to be applied, and what was applied that no file is there for. */
export function standing(files, applied) {
  return { pending: files.filter((name) => !applied.includes(name)), unknown: applied.filter((name) => !files.includes(name)) };
}

const digest = (text) => createHash("sha256").update(text).digest("hex");

/**
 * What is wrong with the files, seen from the list of released ones (lines of `sha256sum`, which `cd migrations && sha256sum *.sql >released.txt` writes): a released file may neither change nor go, and
 * a new one comes after all of them.
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
 * The schema of a database opened with node:sqlite, one statement a line; wrangler's own table, D1's, and what a backup lays into a database
 * for its own time are not part of it.
 */
export function schemaOf(database) {
  const rows = database.prepare("select sql from sqlite_master where sql is not null and name not like 'sqlite_%' and substr(name, 1, 7) <> 'backup_' and tbl_name not in ('d1_migrations', '_cf_METADATA', '_cf_KV') order by type, name").all();
  return rows.map(({ sql }) => sql).join(";\n");
}
