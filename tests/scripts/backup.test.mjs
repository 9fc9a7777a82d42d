// A backup is restored row for row, for any texts and under concurrent writes. A stopped backup does no harm.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { inserts } from "../../scripts/database/literals.mjs";
import { dump } from "../../scripts/database/dump.mjs";
import { copyFiles, putFiles } from "../../scripts/database/files.mjs";
import { load, ownRows } from "../../scripts/database/load.mjs";
import { schemaOf } from "../../scripts/migrations.mjs";
import { random, text, world } from "./hard-world.mjs";
import { contentsOf, differences, Sqlite } from "./sqlite.mjs";

const work = mkdtempSync(join(tmpdir(), "edgeforge-backup-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
let folders = 0;
const folder = () => join(work, String((folders += 1)));
const manifestOf = (from) => JSON.parse(readFileSync(join(from, "manifest.json"), "utf8"));

async function restored(from) {
  const database = new Sqlite();
  await load(database, from);
  return database;
}

/** Runs `act` before the given query or import. */
function at(database, number, act) {
  let asked = 0;
  database.meanwhile = () => {
    if ((asked += 1) === number) act();
  };
}

const killed = () => {
  throw new Error("killed");
};

test("ten thousand rows of nasty texts come back, none different, and nothing is counted twice", async () => {
  const { database } = world(14_000);
  const insert = database.file.prepare("insert into hard (t, b) values (?, ?)");
  insert.run(text(random(1), 600_000), null);
  insert.run("\\n'\n".repeat(500_000), null);
  insert.run("\u0001".repeat(2_000_000), Buffer.alloc(900_000, "\0\xff'\n", "latin1"));
  insert.run("🎉".repeat(500_000), Buffer.alloc(0));
  const before = database.contents();
  assert.ok(Object.values(before.rows).flat().length >= 10_000);
  const to = folder();
  await dump(database, to);
  assert.deepEqual(differences(database.contents(), before), [], "the database itself is as it was");
  const after = await restored(to);
  assert.deepEqual(differences(after.contents(), before), []);
  assert.deepEqual(after.file.prepare("pragma foreign_key_check").all(), []);
});

test("the files are printable lines of less than D1's 100,000 bytes, in files of less than ten megabytes", async () => {
  const { database } = world(3_000);
  const to = folder();
  await dump(database, to);
  const { files, rows } = manifestOf(to);
  assert.equal(rows.hard, database.file.prepare("select count(*) as n from hard").get().n);
  assert.deepEqual(readdirSync(to).sort(), [...files.map(({ name }) => name), "manifest.json"].sort());
  for (const { name, bytes } of files) {
    assert.ok(bytes < 10_000_000);
    const ofSchema = name === files[0].name || name === files.at(-1).name;
    for (const line of readFileSync(join(to, name), "utf8").trimEnd().split("\n")) {
      assert.ok(Buffer.byteLength(line) < 100_000);
      if (!ofSchema) assert.match(line, /^(INSERT|UPDATE|DELETE) [^\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]*;$/);
    }
  }
});

test("rows of short values are as few in a statement as workerd's limit of 25,000 instructions takes", async () => {
  const columns = Array.from({ length: 10 }, (_, at) => `c${at}`);
  const { file } = new Sqlite();
  file.exec(`create table t (${columns.join(",")})`);
  // a value with a control character takes the most instructions
  for (const value of [{ literal: "1" }, "\n"]) {
    const rows = Array.from({ length: 3_000 }, () => columns.map(() => value));
    let most = 0;
    for await (const statement of inserts("t", columns, rows)) most = Math.max(most, file.prepare(`explain ${statement}`).all().length);
    // the list doubles: 42, 84 .. 21,504, and the next would be too long
    assert.ok(most > 0 && most <= 21_504, `${most} instructions`);
  }
});

test("what is written meanwhile is in the backup, which is the database of one moment", async () => {
  const { database, write, next } = world(3_000);
  let writes = 0;
  database.meanwhile = (kind) => {
    if (kind === "query") for (let n = next(40); n > 0; n--, writes++) write();
  };
  const moments = [];
  const query = database.query.bind(database);
  database.query = async (statements) => {
    const answer = await query(statements);
    moments.push(database.contents());
    return answer;
  };
  const to = folder();
  await dump(database, to);
  assert.ok(writes > 500, `${writes} writes`);
  const after = (await restored(to)).contents();
  const moment = moments.findLastIndex(({ rows }) => JSON.stringify(rows) === JSON.stringify(after.rows));
  assert.ok(moment > 0, "the backup equals the database at no time");
  assert.ok(moment >= moments.length - 3, "the backup is older than the end of the reading");
});

test("a backup that was killed leaves no folder, its triggers fall silent, and the next one takes them away", async () => {
  const { database, write } = world(500);
  const before = database.contents();
  const schema = schemaOf(database.file);
  const to = folder();
  // and the triggers cannot be dropped, either
  let asked = 0;
  database.meanwhile = () => {
    if ((asked += 1) > 8) killed();
  };
  await assert.rejects(dump(database, to), /killed/);
  database.meanwhile = () => {};
  assert.ok(!existsSync(to));
  await assert.rejects(load(new Sqlite(), `${to}.partial`), /not a complete backup/);
  /** @returns {any} */
  const count = (sql) => database.file.prepare(`select count(*) as n from ${sql}`).get().n;
  const left = "sqlite_master where substr(name, 1, 7) = 'backup_'";
  assert.ok(count(left) > 50);
  assert.equal(schemaOf(database.file), schema, "the project's schema is what it was");

  // ten minutes later
  database.file.exec("update backup_lease set until = unixepoch() - 1");
  const noted = count("backup_changes");
  database.file.exec("begin");
  for (let n = 0; n < 50; n++) write();
  assert.equal(count("backup_changes"), noted);
  database.file.exec("rollback");

  await dump(database, to);
  assert.equal(count(left), 0);
  assert.deepEqual(differences(database.contents(), before), []);
  assert.deepEqual(differences((await restored(to)).contents(), before), []);
});

test("a backup that was held up for longer than its lease, or overtaken, says so", async () => {
  for (const held of ["update backup_lease set until = unixepoch() - 1", "update backup_lease set token = 'another'"]) {
    const { database } = world(100);
    at(database, 12, () => database.file.exec(held));
    const to = folder();
    await assert.rejects(dump(database, to), /run it again/);
    assert.ok(!existsSync(to));
  }
});

test("a backup that is told to stop takes its triggers away", async () => {
  const { database } = world(100);
  const before = database.file.prepare("select count(*) as n from sqlite_master").get().n;
  const stop = new AbortController();
  at(database, 12, () => stop.abort(new Error("stopped")));
  const to = folder();
  await assert.rejects(dump(database, to, { signal: stop.signal }), /stopped/);
  assert.ok(!existsSync(to));
  assert.equal(database.file.prepare("select count(*) as n from sqlite_master").get().n, before);
});

test("a backup that takes long extends its lease", async (context) => {
  const { database } = world(100);
  let now = 0;
  context.mock.method(Date, "now", () => (now += 30_000));
  const query = database.query.bind(database);
  let extended = 0;
  database.query = async (statements) => {
    const extending = /^UPDATE backup_lease/.test(statements[0]);
    if (extending) database.file.exec("update backup_lease set until = unixepoch() + 5");
    const answer = await query(statements);
    if (extending) {
      extended += 1;
      assert.ok(Number(database.file.prepare("select until - unixepoch() as seconds from backup_lease").get().seconds) > 500);
    }
    return answer;
  };
  await dump(database, folder());
  assert.ok(extended > 5);
});

test("a migration during a backup is noticed", async () => {
  const { database } = world(100);
  at(database, 12, () => database.file.exec("alter table hard add column later text"));
  await assert.rejects(dump(database, folder()), /schema changed during the backup/);
});

test("a restored database fills its index of words again", async () => {
  const source = Sqlite.migrated();
  source.file.exec(`insert into namespaces values (11, 'user', 'u', 'u');
    insert into users (id, username, name, email, email_key, created_at) values (11, 'u', 'u', 'e', 'e', 0);
    insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
    values (1, 11, 11, 'p', 'p', 'u/p', 'u/p', 'p', 20, 0, 0);
    insert into issue_counts (project_id) values (1);
    insert into issues (id, project_id, iid, author_id, title, created_at, updated_at) values (7, 1, 1, 11, 't', 1, 1);
    insert into issue_words (rowid, title) values (7, 'k')`);
  const from = folder();
  const { rows } = await dump(source, from);
  assert.deepEqual(
    Object.keys(rows).filter((name) => name.startsWith("issue_words")),
    [],
  );
  const to = new Sqlite();
  await load(to, from, { ending: ownRows });
  const count = "select (select count(*) from issue_words where issue_words match 'k') as words, below from issue_index";
  assert.deepEqual({ ...(await source.query([count]))[0][0] }, { words: 1, below: 1 });
  assert.deepEqual({ ...(await to.query([count]))[0][0] }, { words: 0, below: 8 });
  to.file.exec("insert into issue_words (rowid, title) values (7, 'k')");
  assert.deepEqual({ ...(await to.query([count]))[0][0] }, { words: 1, below: 8 });
});

test("a restored database gets a word of its own for its objects, also after a stop", async () => {
  const source = Sqlite.migrated();
  const from = folder();
  await dump(source, from);
  const words = [];
  for (let at = 0; at < 2; at++) {
    const to = new Sqlite();
    const ending = async (database) => {
      if (!at || words.length >= 2) return ownRows(database);
      words.push("killed");
      throw new Error("killed");
    };
    if (at) await assert.rejects(load(to, from, { ending }), /killed/);
    await load(to, from, { ending });
    const [[{ store, own }]] = await to.query(["select store, own from object_sweeps"]);
    const [[original]] = await source.query(["select store, own from object_sweeps"]);
    assert.deepEqual([store, original.own], [original.store, null]);
    assert.match(own, /^[0-9a-f]{16}$/);
    words.push(own);
  }
  assert.notEqual(words[0], words.at(-1));
});

test("a restore that was killed anywhere goes on where it stood", async () => {
  const { database } = world(4_000);
  database.file.prepare("insert into hard (t) values (?)").run("\u0001".repeat(2_000_000));
  const from = folder();
  await dump(database, from);
  const { length } = manifestOf(from).files;
  assert.ok(length >= 4, `${length} files`);
  for (let stop = 1; stop <= length; stop++) {
    const to = new Sqlite();
    let imports = 0;
    to.meanwhile = (kind) => {
      if (kind === "apply") imports += 1;
      if (imports >= stop) killed();
    };
    await assert.rejects(load(to, from), /killed/);
    to.meanwhile = () => {};
    await load(to, from);
    assert.deepEqual(differences(to.contents(), database.contents()), []);
  }
});

test("an import whose answer is lost is not made twice, one that failed is tried again", async () => {
  const { database } = world(1_000);
  const from = folder();
  await dump(database, from);
  const to = new Sqlite();
  const apply = to.apply.bind(to);
  let imports = 0;
  to.apply = async (file) => {
    imports += 1;
    if (imports % 2 === 0) throw new Error("D1 reset before execute completed!");
    await apply(file);
    throw new Error("connection lost");
  };
  await load(to, from);
  assert.deepEqual(differences(to.contents(), database.contents()), []);
});

test("half a backup, or one that was changed, is refused before anything is touched", async () => {
  const { database } = world(100);
  const from = folder();
  await dump(database, from);
  const to = new Sqlite();
  const file = join(from, "0002.sql");
  const content = readFileSync(file);
  writeFileSync(file, content.subarray(0, content.length - 1));
  await assert.rejects(load(to, from), /was changed after the backup/);
  rmSync(file);
  await assert.rejects(load(to, from), /0002\.sql is missing/);
  writeFileSync(file, content);
  rmSync(join(from, "manifest.json"));
  await assert.rejects(load(to, from), /not a complete backup/);
  assert.deepEqual(to.contents().objects, []);
});

test("a backup of a database that other migrations made is refused before anything is touched", async () => {
  const database = Sqlite.migrated();
  database.file.exec("update d1_migrations set name = '0003_issues.sql' where id = 3");
  const from = folder();
  await dump(database, from);
  const state = join(work, "state");
  const restore = promisify(execFile)(process.execPath, ["--no-warnings", "scripts/restore.mjs", from, "--state", state]);
  await assert.rejects(restore, /other migrations made, such as those of version 0\.1/);
  const held = readdirSync(state, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("D1") && name.endsWith(".sqlite"));
  assert.deepEqual(
    held.filter((name) => !name.includes("metadata") && contentsOf(new DatabaseSync(join(state, name))).objects.length),
    [],
  );
});

test("a database that holds anything is refused, but for an empty list of migrations", async () => {
  const { database } = world(100);
  const from = folder();
  await dump(database, from);
  await assert.rejects(load(Sqlite.migrated(), from), /not empty/);
  const to = new Sqlite();
  to.file.exec("create table d1_migrations (id integer primary key autoincrement, name text unique, applied_at timestamp)");
  await load(to, from);
  assert.deepEqual(differences(to.contents(), database.contents()), []);
  await assert.rejects(load(to, from), /not empty/);
});

test("half of another backup is not continued", async () => {
  const { database, write } = world(100);
  const [one, other] = [folder(), folder()];
  await dump(database, one);
  for (let n = 0; n < 20; n++) write();
  await dump(database, other);
  const to = new Sqlite();
  const apply = to.apply.bind(to);
  let imports = 0;
  to.apply = async (file) => ((imports += 1) > 2 ? killed() : apply(file));
  await assert.rejects(load(to, one), /killed/);
  await assert.rejects(load(to, other), /part of another backup/);
});

/** A bucket of the test, as scripts/database/bucket.mjs opens one. */
class Bucket {
  constructor() {
    this.objects = new Map();
  }

  get = async (key) => this.objects.get(key) ?? null;
  has = async (key) => this.objects.has(key);
  put = async (key, bytes) => void this.objects.set(key, bytes);
}

/** A database with files of issues, packages and reports, whose bytes are in the bucket. Some were put by the original of the database. */
function withFiles(count) {
  const [database, bucket] = [Sqlite.migrated(), new Bucket()];
  database.file.exec(`pragma foreign_keys = off; update object_sweeps set own = '00000000000000ff'`);
  const { store } = database.file.prepare("select store from object_sweeps").get();
  for (let n = 1; n <= count; n++) {
    const bytes = Buffer.from(`file ${n}`);
    const [name, sha256] = [n.toString(16).padStart(32, "0"), createHash("sha256").update(bytes).digest("hex")];
    const own = n % 2 ? null : "00000000000000ff";
    const upload =
      "insert into uploads (project_id, secret, store, filename, size, sha256, author_id, created_at) values (1, ?, ?, 'a', ?, ?, 1, 1)";
    database.file.prepare(upload).run(name, own, bytes.length, sha256);
    const file =
      "insert into package_files (package_id, project_id, file_name, object, store, size, sha256, created_at) values (1, 1, 'a', ?, ?, ?, ?, 1)";
    database.file.prepare(file).run(name, own, bytes.length, sha256);
    for (const place of ["uploads", "packages"]) bucket.objects.set(`${own ?? store}/1/${place}/${name}`, bytes);
    const packed = deflateSync(bytes);
    const report = `insert into reports (project_id, job_id, commit_id, ref, name, kind, object, store, size, length, sha256, total,
      failed, errors, skipped, flaky, seconds, broken, passed, whole, slowest, created_at)
      values (1, ?, 1, '', 'a', 1, ?, ?, ?, ?, ?, 1, 0, 0, 0, 0, 1, '[]', '[]', 1, '[]', 1)`;
    database.file.prepare(report).run(n, name, own, packed.length, bytes.length, sha256);
    bucket.objects.set(`${own ?? store}/1/reports/${n}.1.${name}`, packed);
  }
  return { database, bucket, store };
}

const silent = { progress: () => {}, signal: undefined };

test("files of issues, packages and reports come back into another bucket, byte for byte, by the keys of their rows", async () => {
  const { database, bucket } = withFiles(1_100);
  const to = folder();
  assert.equal((await copyFiles(database, bucket, to, silent)).copied, 3_300);
  const other = new Bucket();
  const [[first], [second]] = [[...bucket.objects][0], [...bucket.objects][1]];
  other.objects.set(first, bucket.objects.get(first));
  rmSync(join(to, "files", second.slice(second.indexOf("/") + 1)));
  const sums = await putFiles(database, other, to, silent);
  assert.deepEqual([sums.put, sums.kept, sums.missing], [3_298, 1, 1]);
  bucket.objects.delete(second);
  assert.deepEqual(new Map([...other.objects].sort()), new Map([...bucket.objects].sort()));
});

test("a file that the bucket has lost or damaged is counted, and a damaged one of a backup is not put", async () => {
  const { database, bucket } = withFiles(3);
  const [[lost], [damaged], [kept]] = [...bucket.objects];
  bucket.objects.delete(lost);
  bucket.objects.set(damaged, Buffer.from("other"));
  const to = folder();
  const { copied, lost: count } = await copyFiles(database, bucket, to, silent);
  assert.deepEqual([copied, count], [7, 2]);
  writeFileSync(join(to, "files", kept.slice(kept.indexOf("/") + 1)), "other!");
  const other = new Bucket();
  assert.equal((await putFiles(database, other, to, silent)).missing, 3);
  assert.equal(other.objects.size, 6);
});

test("a local database is backed up while another process reads and writes it", async () => {
  const state = folder();
  const given = { cwd: join(import.meta.dirname, "../..") };
  const runs = promisify(execFile);
  const busy = join(work, "busy.mjs");
  const program = `
    import { open } from ${JSON.stringify(new URL("../../scripts/database/d1.mjs", import.meta.url).href)};
    const database = await open({ state: process.argv[2] });
    const tables = Array.from({ length: 60 }, (_, at) => "create table t" + at + " (id integer primary key, n integer)");
    await database.query([...tables, "insert into t0 values (1, 0)"]);
    console.log("ready");
    for (;;) await database.query(["select * from t0", "update t0 set n = n + 1"]).catch(() => {});
  `;
  writeFileSync(busy, program);
  const other = execFile(process.execPath, ["--no-warnings", busy, state], given);
  try {
    await new Promise((done) => other.stdout.once("data", done));
    const to = folder();
    const { stdout, stderr } = await runs(process.execPath, ["--no-warnings", "scripts/backup.mjs", to, "--state", state], given);
    assert.match(stdout, /holds 1 rows of 60 tables/);
    assert.equal(stderr, "", "no stack of workerd");
  } finally {
    other.kill("SIGKILL");
  }
});

test("--help says what a command does, and reads nothing", async () => {
  for (const command of ["backup", "restore", "revoke-since"]) {
    const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", `scripts/${command}.mjs`, "--help"]);
    assert.match(stdout, new RegExp(`scripts/${command} .*--state DIR`, "s"));
  }
});
