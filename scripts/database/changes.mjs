// Logs the rows that change while a database is read page by page, so that the copy is of one point in time.
//
// During a backup each table has three triggers that log the key of a row inserted, updated or deleted. They log
// nothing after the lease has expired, so after a killed backup a write costs only one look at the lease. The next
// backup drops the triggers.
import { writeFileSync } from "node:fs";
import { quoted, textLiteral } from "./literals.mjs";
import { fingerprintStatement, received, selected } from "./schema.mjs";

/** The lease in seconds, and after how many it is extended. */
const LEASE = 600;
const EXTENSION = 60;

const NOW = "unixepoch()";

export class Changes {
  #database;
  #schema;
  #fingerprint;
  #folder;
  #token;
  #signal;
  #extended = 0;
  #seen = 0;

  /** Begins to log changes. Drops what an earlier backup left. */
  static async begin(database, schema, folder, { token, signal }) {
    const self = new Changes();
    self.#database = database;
    self.#schema = schema;
    self.#folder = folder;
    self.#token = token;
    self.#signal = signal;
    [[{ text: self.#fingerprint }]] = await database.query([fingerprintStatement]);
    await self.#apply([
      ...(await self.#leftovers()),
      "CREATE TABLE backup_lease (token TEXT NOT NULL, until INTEGER NOT NULL) STRICT",
      `INSERT INTO backup_lease VALUES (${textLiteral(token)}, ${NOW} + ${LEASE})`,
      "CREATE TABLE backup_changes (id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL) STRICT",
      ...schema.tables.flatMap(triggers),
    ]);
    self.#extended = Date.now();
    return self;
  }

  /** Extends the lease when due. Throws if it expired, another backup took it, or `signal` is aborted. */
  async extend() {
    this.#signal?.throwIfAborted();
    if (Date.now() - this.#extended < EXTENSION * 1000) return;
    const [rows] = await this.#database.query([
      `UPDATE backup_lease SET until = ${NOW} + ${LEASE} WHERE token = ${textLiteral(this.#token)} AND until > ${NOW} RETURNING until`,
    ]);
    if (rows.length === 0) throw new Error(LOST);
    this.#extended = Date.now();
  }

  /**
   * Reads the changed rows in chunks until none are left, and calls `take(table, key, row)` for each; a deleted row is
   * null. The copy is then the database at the time of the last read, which is one transaction.
   */
  async catchUp(take) {
    for (let many = 200; ; ) {
      await this.extend();
      let answer;
      try {
        answer = await this.#database.query(this.#question(many));
      } catch (error) {
        // rows may be too long for one answer
        if (many === 1) throw error;
        many = Math.ceil(many / 4);
        continue;
      }
      const [[state], [{ text }], sequences, ...rows] = answer;
      if (state.lease !== 1) throw new Error(LOST);
      if (text !== this.#fingerprint) throw new Error("the schema changed during the backup: run the backup again");
      this.#schema.tables.forEach((table, at) => {
        for (const row of rows[at]) {
          const key = table.key.map((name, n) => received(keyColumn(table, name), row[`k${n}`]));
          take(table, key, row.found ? table.columns.map((column, n) => received(column, row[`c${n}`])) : null);
        }
      });
      this.#seen = state.upto;
      if (state.upto === state.last) return { sequences };
      many = Math.min(200, many * 2);
    }
  }

  /** Drops the triggers and the log. */
  async end() {
    await this.#apply(await this.#leftovers());
  }

  #question(many) {
    const window = `SELECT id FROM backup_changes WHERE id > ${this.#seen} ORDER BY id LIMIT ${many}`;
    const upto = `(SELECT coalesce(max(id), ${this.#seen}) FROM (${window}))`;
    const changed = (table) => `SELECT DISTINCT key FROM backup_changes
      WHERE id > ${this.#seen} AND id <= ${upto} AND name = ${textLiteral(table.name)}`;
    return [
      `SELECT ${upto} AS upto, (SELECT coalesce(max(id), 0) FROM backup_changes) AS last,
        EXISTS (SELECT 1 FROM backup_lease WHERE token = ${textLiteral(this.#token)} AND until > ${NOW}) AS lease`,
      fingerprintStatement,
      sequenceStatement(this.#schema),
      ...this.#schema.tables.map((table) => {
        const key = table.key.map((name, n) => ({ name, part: `json_extract(l.key, '$[${n}]')` }));
        return `SELECT ${[
          ...key.map(({ name, part }, n) => `${keyColumn(table, name).text ? part : `quote(${part})`} AS k${n}`),
          `t.${quoted(table.key[0])} IS NOT NULL AS found`,
          ...table.columns.map((column, n) => `${selected(column)} AS c${n}`),
        ].join(", ")} FROM (${changed(table)}) l LEFT JOIN ${quoted(table.name)} t
          ON ${key.map(({ name, part }) => `t.${quoted(name)} = ${part}`).join(" AND ")}`;
      }),
    ];
  }

  async #leftovers() {
    const [objects] = await this.#database.query([
      "SELECT type, name FROM sqlite_master WHERE substr(name, 1, 7) = 'backup_' AND type IN ('trigger', 'table') ORDER BY type DESC",
    ]);
    return objects.map(({ type, name }) => `DROP ${type.toUpperCase()} ${quoted(name)}`);
  }

  async #apply(statements) {
    if (statements.length === 0) return;
    const file = `${this.#folder}/changes.sql`;
    // D1 skips an import whose bytes it has seen before
    writeFileSync(file, `-- ${crypto.randomUUID()}\n${statements.join(";\n")};\n`);
    await this.#database.apply(file);
  }
}

const LOST = "another backup took over, or this one was held up for too long: run it again";

const keyColumn = (table, name) => table.columns.find((column) => column.name === name) ?? { name, text: false };

function sequenceStatement({ objects }) {
  const used = objects.some(({ type, sql }) => type === "table" && /\bautoincrement\b/i.test(sql));
  return used ? "SELECT name, quote(seq) AS seq FROM sqlite_sequence" : "SELECT 1 LIMIT 0";
}

/** BEGIN and END in upper case, and nothing that readers of SQL files are known to misread. */
function triggers(table) {
  const { name, key } = table;
  const note = (row) => `json_array(${key.map((column) => `${row}.${quoted(column)}`).join(", ")})`;
  const insert = `INSERT INTO backup_changes (name, key) SELECT ${textLiteral(name)}`;
  const moved = key.map((column) => `old.${quoted(column)} IS NOT new.${quoted(column)}`).join(" OR ");
  const bodies = {
    insert: [`${insert}, ${note("new")}`],
    update: [`${insert}, ${note("new")}`, `${insert}, ${note("old")} WHERE ${moved}`],
    delete: [`${insert}, ${note("old")}`],
  };
  return Object.entries(bodies).map(
    ([event, statements]) => `CREATE TRIGGER ${quoted(`backup_${name}_${event}`)} AFTER ${event.toUpperCase()} ON ${quoted(name)}
WHEN EXISTS (SELECT 1 FROM backup_lease WHERE until > ${NOW})
BEGIN
  ${statements.join(";\n  ")};
END`,
  );
}
