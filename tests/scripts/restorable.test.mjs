// A backup comes back row for row, on the schema as it is, however its texts look.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inPieces, restorable } from "../../scripts/restorable.mjs";

const migrations = new URL("../../migrations/", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "edgeforge-restorable-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

function migrated() {
  const database = new DatabaseSync(":memory:");
  for (const name of readdirSync(migrations).sort()) database.exec(readFileSync(new URL(name, migrations), "utf8"));
  return database;
}

const of = (database, kind) =>
  database.prepare("select name, sql from sqlite_master where type = ? and sql is not null and name not like 'sqlite%' order by rowid").all(kind);
const names = (rows) => rows.map(({ name }) => name).sort();

/** As `wrangler d1 export` writes it: each table with its rows, in the order of their creation. */
function exported(database) {
  let text = "PRAGMA defer_foreign_keys=TRUE;\n";
  for (const { name, sql } of of(database, "table")) {
    text += `${sql};\n`;
    for (const row of database.prepare(`select * from "${name}"`).all()) {
      const value = (value) => (typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value ?? "NULL"));
      text += `INSERT INTO "${name}" (${Object.keys(row).map((column) => `"${column}"`)}) VALUES(${Object.values(row).map(value)});\n`;
    }
  }
  for (const kind of ["index", "trigger"]) for (const { sql } of of(database, kind)) text += `${sql};\n`;
  return text.trimEnd();
}

const odd = "it's; -- no comment\r\nCREATE TABLE x (\n'); DROP \"it\", 🎉";

test("every row comes back, and nothing is counted twice", () => {
  const before = migrated();
  before.exec(`insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
    values (7, 1, 1, 'p', 'p', 'root/p', 'root/p', 'root / p', 0, 1, 1);
    insert into issue_counts (project_id) values (7)`);
  const issue = before.prepare("insert into issues (id, project_id, iid, author_id, title, description, created_at, updated_at) values (?, 7, ?, 1, ?, ?, 1, 1)");
  issue.run(1, 1, odd, odd);
  issue.run(2, 2, "", "🎉'".repeat(150_000));
  issue.run(3, 3, "x".repeat(95_000), null);
  const file = join(folder, "exported.sql");
  writeFileSync(file, exported(before));

  const statements = [...restorable(file)];
  assert.ok(Math.max(...statements.map((statement) => Buffer.byteLength(statement))) < 100_000);
  const after = new DatabaseSync(":memory:", { enableForeignKeyConstraints: true });
  after.exec(`begin; ${statements.join("")} commit;`);

  for (const kind of ["table", "index", "trigger"]) assert.deepEqual(names(of(after, kind)), names(of(before, kind)));
  for (const { name } of of(before, "table")) {
    const all = `select * from "${name}"`;
    assert.deepEqual(after.prepare(all).all(), before.prepare(all).all(), name);
  }
  assert.equal(after.prepare("select opened from issue_counts where project_id = 7").get().opened, 3);
});

test("an export that was cut off is refused", () => {
  const file = join(folder, "cut.sql");
  writeFileSync(file, "CREATE TABLE x (a);\nINSERT INTO \"x\" (\"a\") VALUES('cut");
  assert.throws(() => [...restorable(file)], /ends within a statement/);
});

test("a long row that no number tells apart is refused", () => {
  assert.throws(() => inPieces(`INSERT INTO "x" ("a") VALUES('${"x".repeat(100_000)}');`), /cannot be taken apart/);
});
