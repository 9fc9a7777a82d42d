// A backup of a database of the former migrations is restored in the schema of these, with all its data.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dump } from "../../scripts/database/dump.mjs";
import { renewed } from "../../scripts/database/former.mjs";
import { load } from "../../scripts/database/load.mjs";
import { FORMER, schemaOf } from "../../scripts/migrations.mjs";
import { faultOf } from "../../scripts/state.mjs";
import { formerWorld, MARK } from "./former/world.mjs";
import { Sqlite } from "./sqlite.mjs";

const work = mkdtempSync(join(tmpdir(), "edgeforge-former-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));

/** The rows of a table as comparable texts, with these columns. */
function rowsOf(file, table, columns) {
  const exact = columns.map((name) => `typeof("${name}") || hex("${name}")`).join(" || ',' || ");
  return file
    .prepare(`select ${exact} as row from "${table}"`)
    .all()
    .map(({ row }) => row)
    .sort();
}

const namesOf = (file, of) =>
  file
    .prepare(of)
    .all()
    .map(({ name }) => name);
const tablesOf = (file) => namesOf(file, "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'");
const columnsOf = (file, table) => namesOf(file, `select name from pragma_table_info('${table}')`);

const APPLIED = "select name from d1_migrations order by id";

/** Applies the later migrations, as to any restored database. */
function applyLater({ file }) {
  for (const name of namesOf(Sqlite.migrated().file, APPLIED).slice(8)) {
    file.exec(readFileSync(join(import.meta.dirname, "../../migrations", name), "utf8"));
    file.prepare("insert into d1_migrations (name) values (?)").run(name);
  }
}

/** The differences that the suite's recount finds. */
function recounted(file) {
  const text = readFileSync("tests/api/storage/recount.sql", "utf8").replace(/^--.*$/gm, "");
  return text
    .split(";")
    .filter((query) => query.trim())
    .flatMap((query) =>
      file
        .prepare(query)
        .all()
        .map(({ v }) => v),
    );
}

/** Puts a NUL in the place of the mark, in the database and in its backup. */
function putNul(file, folder) {
  file.prepare("update users set bio = replace(bio, ?, char(0) || 'NUL')").run(MARK);
  const manifest = manifestOf(folder);
  let found = 0;
  for (const one of manifest.files) {
    const path = join(folder, one.name);
    const content = readFileSync(path, "utf8");
    const changed = content.replaceAll("\\u0001NUL", "\\u0000NUL");
    found += Number(content !== changed);
    writeFileSync(path, changed);
    one.sha256 = createHash("sha256").update(changed).digest("hex");
  }
  assert.equal(found, 1);
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
}

test("a former backup comes back whole, in the schema of these migrations", async () => {
  const former = formerWorld(600);
  const folder = join(work, "former");
  await dump(former, folder);
  putNul(former.file, folder);

  const lines = [];
  const from = await renewed(folder, { say: (line) => lines.push(line) });
  assert.equal(from, `${folder}.renewed`);
  assert.match(lines.join(), /former migrations/);
  const restored = new Sqlite();
  await load(restored, from);

  const clean = Sqlite.migrated();
  assert.deepEqual(namesOf(restored.file, APPLIED), namesOf(clean.file, APPLIED).slice(0, 8));
  applyLater(restored);
  assert.equal(schemaOf(restored.file), schemaOf(clean.file));
  assert.deepEqual(faultOf(restored.file), {});
  assert.deepEqual(restored.file.prepare("pragma foreign_key_check").all(), []);

  // what is deleted loses its texts
  former.file.exec(
    "update issues set title = '', description = null where deleted_at is not null; update milestones set description = null where iid < 0",
  );
  const empty = [];
  const kept = new Set(tablesOf(former.file));
  for (const table of tablesOf(restored.file).filter((name) => name !== "d1_migrations" && kept.has(name))) {
    const held = columnsOf(former.file, table);
    const columns = columnsOf(restored.file, table).filter((name) => held.includes(name));
    const [before, after] = [former.file, restored.file].map((file) => rowsOf(file, table, columns));
    // the bytes of the server are counted anew, and jobs of deployments are no statuses any more
    if (!["idempotency_keys", "stored", "statuses", "status_heads", "status_counts"].includes(table))
      assert.deepEqual(after, before, table);
    if (after.length === 0) empty.push(table);
  }
  assert.deepEqual(empty.sort(), ["expectations", "idempotency_keys"], "the world fills every other table");
  assert.equal(restored.file.prepare("select hex(bio) as bio from users where id = 2").get().bio, "004E554C");

  assert.deepEqual(recounted(restored.file), []);
  const sections = restored.file
    .prepare("select distinct section from issue_labels order by 1")
    .all()
    .map(({ section }) => section);
  assert.deepEqual(sections, [0, 1, 2, 3]);
  // from here on the database's triggers count
  restored.file.exec(
    "update issues set state = 'closed', closed_at = 1 where state = 'opened'; delete from issue_labels where label_id % 2",
  );
  assert.deepEqual(recounted(restored.file), []);
});

test("it is the same backup each time, so that a restore that was stopped goes on", async () => {
  const folder = join(work, "twice");
  await dump(formerWorld(50), folder);
  const [one, other] = [manifestOf(await renewed(folder)), manifestOf(await renewed(folder))];
  assert.deepEqual(one, other);
});

test("wrong counters are right afterwards", async () => {
  const former = formerWorld(50);
  former.file.exec("update issue_counts set opened = opened + 3; update labels set closed = 77; update milestones set opened_hidden = 5");
  const folder = join(work, "wrong");
  await dump(former, folder);
  const restored = new Sqlite();
  await load(restored, await renewed(folder));
  applyLater(restored);
  assert.deepEqual(recounted(restored.file), []);
});

test("any other backup is restored as it is, and half of the former migrations is refused", async () => {
  const folder = join(work, "clean");
  await dump(Sqlite.migrated(), folder);
  assert.equal(await renewed(folder), folder);
  const former = formerWorld(10);
  former.file.prepare("delete from d1_migrations where name = ?").run(FORMER.at(-1));
  const half = join(work, "half");
  await dump(former, half);
  await assert.rejects(renewed(half), /not have exactly the former migrations up to 0018_lists\.sql/);
  assert.ok(!existsSync(`${half}.renewed`));
});

test("a database of the former migrations is told apart", () => {
  assert.ok(faultOf(formerWorld(10).file).isFormer);
});
