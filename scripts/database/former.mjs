// Converts a backup of the former set of migrations to the clean set that replaced it. In the former set lists of
// issues and the search had tables of their own, and issue_labels did not repeat columns of the issue.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FORMER, filesIn, importOf, isFormer } from "../migrations.mjs";
import { write } from "./dump.mjs";
import { quoted } from "./literals.mjs";
import { Parts } from "./parts.mjs";
import { received, schemaOf } from "./schema.mjs";

const migrations = join(import.meta.dirname, "../../migrations");

/** The last file of the clean set. Later files are applied to the restored database as usual. */
const LAST = "0008_views.sql";

/** Tables that are not copied: stored answers, kept for a day, have a new form. */
const LEFT = ["d1_migrations", "idempotency_keys"];

/** New columns, computed from the row of the former table and from what is already copied. */
const COPIES = {
  project_members: { namespace_id: "(select p.namespace_id from former.projects p where p.id = project_id)" },
  issue_labels: {
    section: "(select i.section from issues i where i.id = issue_id)",
    created_at: "(select i.created_at from issues i where i.id = issue_id)",
  },
};

const sums = ["opened", "closed", "opened_hidden", "closed_hidden"].map((_, section) => `coalesce(sum(section = ${section}), 0)`);
const counted = (table, from) =>
  `update ${table} set (opened, closed, opened_hidden, closed_hidden) = (select ${sums.join(", ")} from ${from})`;

const COUNTERS = [
  counted("issue_counts", "issues where project_id = issue_counts.project_id"),
  counted("labels", "issue_labels where label_id = labels.id"),
  counted("milestones", "issues where milestone_id = milestones.id"),
];

/**
 * The folder to restore from: `folder` itself, or for a backup of the former set a new folder beside it with the same
 * rows in the clean schema. The files are the same each time, so that a stopped restore can continue.
 * @param {string} folder
 * @param {{ say?: (text: string) => void, progress?: (step: string) => void, signal?: AbortSignal }} [options]
 */
export async function renewed(folder, { say = () => {}, progress = () => {}, signal } = {}) {
  const manifest = Parts.manifest(folder);
  const applied = appliedIn(folder, manifest);
  if (!isFormer(applied)) return folder;
  if (applied.join() !== FORMER.join()) {
    throw new Error(
      `${folder} does not have exactly the former migrations up to ${FORMER.at(-1)}: migrate the database with the version that made it, and back it up again`,
    );
  }
  say(`${folder} is of the former migrations, and is brought to the ones of this version`);
  const to = `${folder}.renewed`;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { mode: 0o700 });
  try {
    const file = join(to, "former.sqlite");
    const former = opened(file);
    for (const { name } of manifest.files) {
      signal?.throwIfAborted();
      progress(`reading ${name} of ${manifest.files.length}`);
      former.exec(`begin;\n${readFileSync(join(folder, name), "utf8")}commit`);
    }
    former.close();
    const clean = await filled(join(to, "clean.sqlite"), file, { progress, signal });
    const schema = await schemaOf(asked(clean));
    const written = await write(to, schema, (table) => rowsOf(clean, table), sequencesOf(clean), progress);
    clean.close();
    for (const name of ["former.sqlite", "clean.sqlite"]) rmSync(join(to, name));
    Parts.seal(to, { ...manifest, ...written });
    return to;
  } catch (error) {
    rmSync(to, { recursive: true, force: true });
    throw error;
  }
}

function opened(file) {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  database.exec("pragma journal_mode = off; pragma synchronous = off");
  return database;
}

/** Answers queries as `schemaOf` expects. */
const asked = (database) => ({ query: async (statements) => statements.map((statement) => database.prepare(statement).all()) });

/** The migrations of a backup's database. They are in its last file; its first one creates their table. */
function appliedIn(folder, { files }) {
  const database = opened(":memory:");
  for (const { name } of [files[0], files.at(-1)]) database.exec(readFileSync(join(folder, name), "utf8"));
  const known = database.prepare("select 1 from sqlite_master where name = 'd1_migrations'").get();
  const names = known ? database.prepare("select name from d1_migrations order by id").all() : [];
  database.close();
  return names.map(({ name }) => name);
}

/** A database of the clean set with the former one's rows. */
async function filled(file, former, { progress, signal }) {
  const database = opened(file);
  for (const name of filesIn(migrations).filter((one) => one <= LAST)) database.exec(importOf(migrations, name));
  database.prepare("attach ? as former").run(former);
  /** @type {{ objects: any[], tables: any[] }} */
  const { objects, tables } = await schemaOf(asked(database));
  const created = (of) => objects.filter(({ type, sql }) => type === of && sql);
  for (const { type, name } of [...created("index"), ...created("trigger")]) database.exec(`drop ${type} ${quoted(name)}`);
  /** @type {(schema: string, table: string) => any[]} */
  const columnsOf = (schema, table) =>
    database
      .prepare("select name from pragma_table_info(?, ?)")
      .all(table, schema)
      .map(({ name }) => name);
  database.exec("begin");
  // the rows that migrations insert
  for (const { name } of tables) if (name !== "d1_migrations") database.exec(`delete from ${quoted(name)}`);
  for (const { name } of tables) {
    if (LEFT.includes(name)) continue;
    signal?.throwIfAborted();
    progress(`copying ${name}`);
    const copies = COPIES[name] ?? {};
    const held = columnsOf("former", name);
    const columns = columnsOf("main", name).filter((column) => held.includes(column) || copies[column]);
    const values = columns.map((column) => copies[column] ?? quoted(column));
    database.exec(
      `insert into main.${quoted(name)} (${columns.map(quoted).join(", ")}) select ${values.join(", ")} from former.${quoted(name)}`,
    );
  }
  for (const { sql } of created("index")) database.exec(sql);
  for (const sql of COUNTERS) database.exec(sql);
  for (const { sql } of created("trigger")) database.exec(sql);
  database.exec("update d1_migrations set applied_at = (select max(applied_at) from former.d1_migrations); commit; detach former");
  return database;
}

/** The rows of a table in the order of its key. Texts are read as bytes, because node:sqlite ends them at a NUL. */
function* rowsOf(database, { name, columns, key }) {
  const selected = columns.map(
    (column, n) => `${column.text ? "cast" : "quote"}(${quoted(column.name)}${column.text ? " as blob" : ""}) as c${n}`,
  );
  const statement = database.prepare(`select ${selected.join(", ")} from ${quoted(name)} order by ${key.map(quoted).join(", ")}`);
  for (const row of statement.iterate()) {
    yield columns.map((column, n) => received(column, column.text && row[`c${n}`] ? Buffer.from(row[`c${n}`]).toString() : row[`c${n}`]));
  }
}

const sequencesOf = (database) => database.prepare("select name, seq from sqlite_sequence order by name").all();
