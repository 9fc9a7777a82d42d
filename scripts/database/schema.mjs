// The objects of a database, and the order in which its tables can be filled.
import { quoted } from "./literals.mjs";

/** The prefixes of objects that backups and restores themselves create. */
export const OWN = /^(backup|restore)_/;

const OBJECTS =
  "SELECT type, name, sql FROM sqlite_master WHERE substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 4) <> '_cf_' ORDER BY rowid";
const COLUMNS = `SELECT m.name AS "table", c.name, c.type, c."notnull", c.pk, c.hidden
  FROM sqlite_master m, pragma_table_xinfo(m.name) c
  WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_' AND substr(m.name, 1, 4) <> '_cf_' ORDER BY m.rowid, c.cid`;
const REFERENCES = `SELECT m.name AS "table", f."from", f."table" AS target FROM sqlite_master m, pragma_foreign_key_list(m.name) f
  WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_' AND substr(m.name, 1, 4) <> '_cf_'`;

export const fingerprintStatement = `SELECT group_concat(type || name || coalesce(sql, ''), ';') AS text
  FROM (${OBJECTS.replace("ORDER BY", "AND substr(name, 1, 7) <> 'backup_' ORDER BY")})`;

/**
 * `{ objects, tables }`: all objects as `{ type, name, sql }` in the order of creation, and each table as `{ name,
 * columns, key, references }`, parents before children. A virtual table is an index: it is an object without rows.
 *
 * A column is `{ name, text, required }`. `text`: it contains strings, which are read unquoted. The key is the list of
 * columns that identify a row. A reference is `{ from, target }`.
 */
export async function schemaOf(database) {
  const [found, columns, references] = await database.query([OBJECTS, COLUMNS, REFERENCES]);
  const virtual = found.filter(({ sql }) => /^\s*create\s+virtual\b/i.test(sql ?? "")).map(({ name }) => name);
  // the tables in which a virtual table keeps its rows come with it
  const objects = found.filter(({ type, name }) => type !== "table" || !virtual.some((table) => name.startsWith(`${table}_`)));
  const tables = objects
    .filter(({ type, name }) => type === "table" && !OWN.test(name) && !virtual.includes(name))
    .map(({ name }) => {
      const own = columns.filter((column) => column.table === name && (column.hidden === 0 || column.hidden === 1));
      const key = own.filter(({ pk }) => pk).sort((a, b) => a.pk - b.pk);
      return {
        name,
        columns: own.map((column) => ({ name: column.name, text: /char|clob|text/i.test(column.type), required: column.notnull === 1 })),
        key: key.length ? key.map((column) => column.name) : ["rowid"],
        references: references.filter((one) => one.table === name).map(({ from, target }) => ({ from, target })),
      };
    });
  return { objects: objects.filter(({ name }) => !OWN.test(name)), tables: ordered(tables) };
}

/** Orders parents first. `late` names the columns to fill afterwards, if tables refer to each other or to themselves. */
function ordered(tables) {
  const waiting = new Set(tables);
  const names = () => new Set([...waiting].map(({ name }) => name));
  const sorted = [];
  while (waiting.size) {
    const open = names();
    const blocking = (table) => table.references.filter(({ target }) => open.has(target));
    const optional = (table) => blocking(table).every(({ from }) => !table.columns.find(({ name }) => name === from).required);
    const self = (table) => blocking(table).every(({ target }) => target === table.name);
    const next =
      [...waiting].find((table) => blocking(table).length === 0) ??
      [...waiting].find((table) => self(table) && optional(table)) ??
      [...waiting].find(optional);
    if (!next) throw new Error(`these tables refer to each other by required columns and cannot be ordered: ${[...open].join(", ")}`);
    next.late = [...new Set(blocking(next).map(({ from }) => from))];
    waiting.delete(next);
    sorted.push(next);
  }
  return sorted;
}

/** Selects a column: a text as it is, other values by `quote()`, which keeps all digits. */
export const selected = ({ name, text }, from = "t") => (text ? `${from}.${quoted(name)}` : `quote(${from}.${quoted(name)})`);

/** The value of a column from a result of `selected`. */
export function received({ text }, value) {
  if (value === null || value === undefined) return null;
  if (text) return value;
  return value === "NULL" ? null : { literal: value };
}
