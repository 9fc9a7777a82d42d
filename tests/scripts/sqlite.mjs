// A database of node:sqlite with the interface of a D1, for scripts/database/.
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const migrations = new URL("../../migrations/", import.meta.url);

/** D1's longest statement in bytes. */
const LONGEST = 100_000;

export class Sqlite {
  title = "a database of the test";
  /** Called before every query and every import: makes writes of others, or throws. */
  /** @type {(kind?: "query" | "apply") => void} */
  meanwhile = () => {};

  constructor() {
    this.file = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  }

  /** With the project's schema, and wrangler's list of migrations. */
  static migrated() {
    const self = new Sqlite();
    self.file.exec("create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp)");
    for (const name of readdirSync(migrations)
      .filter((one) => one.endsWith(".sql"))
      .sort()) {
      self.migrate(name);
      self.file.prepare("insert into d1_migrations (name, applied_at) values (?, current_timestamp)").run(name);
    }
    return self;
  }

  migrate(name) {
    this.file.exec(readFileSync(new URL(name, migrations), "utf8"));
  }

  async query(statements) {
    this.meanwhile("query");
    return this.#whole(() => statements.map((statement) => this.file.prepare(statement).all()));
  }

  async apply(path) {
    this.meanwhile("apply");
    const sql = readFileSync(path, "utf8");
    for (const line of sql.split("\n")) if (Buffer.byteLength(line) >= LONGEST) throw new Error("statement too long: SQLITE_TOOBIG");
    this.#whole(() => this.file.exec(sql));
  }

  #whole(act) {
    this.file.exec("begin");
    try {
      const result = act();
      this.file.exec("commit");
      return result;
    } catch (error) {
      this.file.exec("rollback");
      throw error;
    }
  }

  contents() {
    return contentsOf(this.file);
  }
}

/** All objects and rows, byte for byte, without those that a backup creates for its own use. */
export function contentsOf(file) {
  const own = "substr(name, 1, 7) not in ('sqlite_', 'backup_') and substr(name, 1, 4) <> '_cf_'";
  const objects = file.prepare(`select type, name, sql from sqlite_master where ${own} order by type, name`).all();
  const rows = {};
  // nor the indexes of words, which a restored database fills again
  const isKept = ({ type, name }) => type === "table" && !name.includes("_words");
  const tables = objects.filter(isKept).map(({ name }) => name);
  if (objects.some(({ sql }) => /autoincrement/i.test(sql))) tables.push("sqlite_sequence");
  for (const name of tables) {
    // a restored database puts its objects into the bucket under a name of its own, and its indexes of words are empty
    const columns = file
      .prepare(`pragma table_info("${name}")`)
      .all()
      .filter((column) => !/^(object_sweeps\.own|\w+_index\.below)$/.test(`${name}.${column.name}`));
    const exact = columns.map((column) => `typeof("${column.name}") || ':' || hex("${column.name}")`).join(" || ',' || ");
    rows[name] = file
      .prepare(`select ${exact} as row from "${name}"`)
      .all()
      .map(({ row }) => row)
      .sort();
  }
  return { objects: objects.map((one) => ({ ...one })), rows };
}

/** The differences between the contents of two databases, shortened; empty if they are the same. */
export function differences(one, other) {
  const found = [];
  const missing = (mark, from, within, of) => {
    const known = new Set(within.map((item) => JSON.stringify(item)));
    for (const item of from) if (!known.has(JSON.stringify(item))) found.push(`${mark} ${of} ${JSON.stringify(item).slice(0, 200)}`);
  };
  for (const [mark, left, right] of [
    ["-", one, other],
    ["+", other, one],
  ]) {
    missing(mark, left.objects, right.objects, "");
    for (const name of Object.keys(left.rows)) missing(mark, left.rows[name], right.rows[name] ?? [], name);
  }
  for (const name of Object.keys(one.rows)) {
    if (one.rows[name].length !== other.rows[name]?.length)
      found.push(`${one.rows[name].length} and ${other.rows[name]?.length} rows of ${name}`);
  }
  return found;
}
