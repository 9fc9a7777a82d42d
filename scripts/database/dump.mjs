// Copies a database into a folder of SQL files that load.mjs imports, byte for byte.
import { createReadStream, createWriteStream, mkdirSync, renameSync, rmSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { Changes } from "./changes.mjs";
import { createPieces, inserts, literal, PIECES, quoted } from "./literals.mjs";
import { pagesOf } from "./pages.mjs";
import { Parts } from "./parts.mjs";
import { schemaOf } from "./schema.mjs";

/** wrangler's list of applied migrations. It is filled last, so that a partly restored database does not look complete. */
const MIGRATIONS = "d1_migrations";

/**
 * Writes the database into `folder`. Until the backup is complete, the files are in `folder`.partial. The copy is the
 * database at the time when the reading ended. `progress` gets the current step. `signal`, an AbortSignal, stops the
 * reading. `more(folder)` adds to the folder, and returns further fields of the manifest. Returns the manifest.
 * @param {any} database
 * @param {string} folder
 * @param {{ progress?: (step: string) => void, signal?: AbortSignal, more?: (folder: string) => object | Promise<object> }} [options]
 * @returns {Promise<any>}
 */
export async function dump(database, folder, { progress = () => {}, signal, more = () => ({}) } = {}) {
  const schema = await schemaOf(database);
  if (schema.tables.length === 0) throw new Error(`${database.title} is empty: there is nothing to back up`);
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const changes = await Changes.begin(database, schema, partial, { token: crypto.randomUUID(), signal });
  let copied;
  try {
    copied = await copy(database, schema, changes, partial, progress);
  } finally {
    await changes.end().catch((error) => progress(`the triggers of this backup are still there, without effect: ${error.message}\n`));
  }
  const rowsOfTable = (table) => rowsOf(partial, table, copied.changed.get(table.name));
  const written = await write(partial, schema, rowsOfTable, copied.sequences, progress);
  for (const { name } of schema.tables) rmSync(join(partial, `${name}.rows`));
  rmSync(join(partial, "changes.sql"), { force: true });
  const manifest = { format: 1, made: copied.moment.toISOString(), of: database.title, ...written, ...(await more(partial)) };
  Parts.seal(partial, manifest);
  renameSync(partial, folder);
  return manifest;
}

/** Copies each table into a file of its rows, one line of JSON each. Returns the changes made meanwhile. */
async function copy(database, schema, changes, folder, progress) {
  for (const table of schema.tables) {
    const file = createWriteStream(join(folder, `${table.name}.rows`));
    let count = 0;
    for await (const page of pagesOf(database, table, () => changes.extend())) {
      for (const entry of page) if (!file.write(`${JSON.stringify(entry)}\n`)) await once(file, "drain");
      count += page.length;
      progress(`${table.name}: ${count} rows`);
    }
    file.end();
    await once(file, "close");
  }
  const changed = new Map(schema.tables.map(({ name }) => [name, new Map()]));
  const { sequences } = await changes.catchUp((table, key, row) => changed.get(table.name).set(JSON.stringify(key), row));
  return { changed, sequences, moment: new Date() };
}

/** The lines of a file. Only a line feed ends one; node:readline also splits at characters that a text may contain. */
async function* linesOf(path) {
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** The rows of a table: copied ones, and the new values of changed ones. */
async function* rowsOf(folder, table, changed) {
  for await (const line of linesOf(join(folder, `${table.name}.rows`))) {
    const { key, row } = JSON.parse(line);
    if (!changed.has(JSON.stringify(key))) yield row;
  }
  for (const row of changed.values()) if (row) yield row;
}

async function* counted(rows, count) {
  for await (const row of rows) {
    count.rows += 1;
    yield row;
  }
}

/**
 * Writes the files: objects to create, rows with parents first, then triggers. `rowsOf(table)` yields the rows of a
 * table. Returns the number of rows of each table, and the files.
 */
export async function write(folder, schema, rowsOf, sequences, progress) {
  const parts = new Parts(folder);
  const counts = {};
  const created = (...types) => schema.objects.filter(({ type, sql }) => types.includes(type) && sql).map(({ sql }) => sql);
  for (const sql of [...created("table"), createPieces, ...created("index")]) parts.add(sql);
  parts.next();
  for (const table of schema.tables.filter(({ name }) => name !== MIGRATIONS)) {
    progress(`writing ${table.name}`);
    const count = { rows: 0 };
    const late = (name) => table.late.includes(name);
    const rows = counted(rowsOf(table), count);
    const first = (async function* () {
      for await (const row of rows) yield row.map((value, at) => (late(table.columns[at].name) ? null : value));
    })();
    for await (const statement of inserts(
      table.name,
      table.columns.map(({ name }) => name),
      first,
    ))
      parts.add(statement);
    counts[table.name] = count.rows;
  }
  for (const table of schema.tables.filter(({ late }) => late.length)) {
    for await (const statement of lateUpdates(table, rowsOf(table))) parts.add(statement);
  }
  // one file, so that either all triggers exist or none
  parts.next();
  const migrations = schema.tables.find(({ name }) => name === MIGRATIONS);
  if (migrations) {
    const count = { rows: 0 };
    const rows = counted(rowsOf(migrations), count);
    for await (const statement of inserts(
      MIGRATIONS,
      migrations.columns.map(({ name }) => name),
      rows,
    ))
      parts.add(statement);
    counts[MIGRATIONS] = count.rows;
  }
  for (const { name, seq } of sequences) {
    parts.add(`DELETE FROM sqlite_sequence WHERE name = ${literal(name)}`);
    parts.add(`INSERT INTO sqlite_sequence (name, seq) VALUES (${literal(name)}, ${seq})`);
  }
  for (const sql of created("view", "trigger")) parts.add(sql);
  parts.add(`DROP TABLE ${PIECES}`);
  return { rows: counts, files: parts.end() };
}

/** Fills the columns that refer to later rows. */
async function* lateUpdates(table, rows) {
  const at = (name) => table.columns.findIndex((column) => column.name === name);
  for await (const row of rows) {
    const set = table.late.filter((name) => row[at(name)] !== null);
    if (set.length === 0) continue;
    const assigned = set.map((name) => `${quoted(name)} = ${literal(row[at(name)])}`);
    const key = table.key.map((name) => `${quoted(name)} = ${literal(row[at(name)])}`);
    yield `UPDATE ${quoted(table.name)} SET ${assigned.join(", ")} WHERE ${key.join(" AND ")}`;
  }
}
