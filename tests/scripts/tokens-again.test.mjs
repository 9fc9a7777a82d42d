// 0037_sessions.sql builds the table of tokens anew. What is in it before is there afterwards, counted once.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { filesIn } from "../../scripts/migrations.mjs";

const AGAIN = "0037_sessions.sql";
const COUNT = 1000;
const read = (name) => readFileSync(`migrations/${name}`, "utf8");

/** A database as the version before left it, with tokens of each kind. */
function before() {
  const database = new DatabaseSync(":memory:");
  for (const name of filesIn("migrations").filter((name) => name < AGAIN)) database.exec(read(name));
  const person = (id, name) =>
    database.exec(`insert into namespaces (id, kind, path, path_key) values (${id}, 'user', '${name}', '${name}');
      insert into users (id, username, name, email, email_key, created_at) values (${id}, '${name}', '${name}', '${name}@x', '${name}@x', 0)`);
  person(2, "ann");
  person(3, "bob");
  for (let project = 1; project <= 2; project++) {
    database.exec(`insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
      values (${project}, 2, 2, 'p${project}', 'p${project}', 'ann/p${project}', 'ann/p${project}', 'Ann / p', 0, 0, 0)`);
  }
  const token =
    database.prepare(`insert into tokens (hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at, expires_at,
    revoked_at, pusher_id, cross_project, last_used_at, expiry_told, description) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  for (let at = 0; at < COUNT; at++) {
    const bot = -1000 - at;
    person(bot, `bot${at}`);
    // at most a thousand that live of a person, and of a project
    const [user, ended, revoked, told] = [2 + (at % 2), at % 3 ? null : 90 + at, at % 5 ? null : 7, at % 3];
    const rest = (kind) => [`${kind} ${at}`, at, ended, revoked];
    const text = at % 4 ? null : "d".repeat(at);
    token.run(`p${at}`, 3 * at + 1, user, "personal", null, null, at % 2 ? 1 : 386, null, ...rest("own"), null, 0, at, 0, text);
    token.run(`c${at}`, 3 * at + 2, user, "project", 1, bot, 16, 30, ...rest("ci"), null, 0, null, told, null);
    token.run(`h${at}`, 3 * at + 3, user, "hook", 2, null, 64, null, ...rest("hook"), bot, at % 2, null, 0, text);
  }
  return database;
}

const COLUMNS = `hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at, expires_at, revoked_at, pusher_id,
  cross_project, last_used_at, expiry_told, description, quota_bytes`;

const stateOf = (database) => ({
  tokens: database.prepare(`select ${COLUMNS} from tokens order by hash`).all(),
  stored: database.prepare("select * from stored").all(),
  shares: database.prepare("select * from shares order by user_id").all(),
  answers: database
    .prepare(
      "select id, kind, user_id, project_id, name, description, scopes, access, cross_project, expires_at, revoked_at from token_rows order by id",
    )
    .all(),
});

const named = (database) =>
  database
    .prepare("select name from sqlite_schema where tbl_name = 'tokens' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => name);

test("tokens of each kind are what they were, and count as before", () => {
  const database = before();
  const [was, names] = [stateOf(database), named(database)];
  assert.equal(was.tokens.length, 3 * COUNT);
  database.exec("begin");
  database.exec(read(AGAIN));
  database.exec("commit");
  assert.deepEqual(stateOf(database), was);
  assert.deepEqual(
    names.filter((name) => !named(database).includes(name)),
    [],
    "no index and no trigger is lost",
  );
  const bytes = database.prepare("select sum(quota_bytes) as bytes, user_id from tokens group by user_id order by user_id").all();
  const others = "(select sum(quota_bytes) from users where id < 0) + (select sum(bytes - objects) from storage)";
  const rest = database.prepare(`select ${others} as bytes`).get();
  assert.equal(
    was.stored[0].bytes,
    bytes.reduce((sum, { bytes }) => sum + Number(bytes), Number(rest?.bytes)),
    "the bytes that are stored are those of the rows",
  );
});

test("what the version before writes fits the table", () => {
  const database = before();
  database.exec(read(AGAIN));
  const { bytes } = /** @type {any} */ (database.prepare("select bytes from stored").get());
  database.exec(`insert into tokens (hash, id, user_id, kind, project_id, name, description, created_at, expires_at, scopes, access, bot_id, pusher_id, cross_project)
    values ('new', (select max(coalesce(max(t.id), 0), (select last_token_id from stored)) + 1 from tokens t), 3, 'personal', null, 'n', null, 9, null, 1, null, null, null, 0)`);
  const made = /** @type {any} */ (database.prepare("select * from token_rows where id = ?").get(3 * COUNT + 1));
  assert.deepEqual([made.name, made.kind, made.issuer, made.audience], ["n", "personal", null, null]);
  assert.equal(/** @type {any} */ (database.prepare("select bytes from stored").get()).bytes, bytes + 602);
  const caller = /** @type {any} */ (database.prepare("select * from callers where key = 'new'").get());
  assert.deepEqual([caller.id, caller.scopes, caller.token_expires_at, caller.kind], [3, 1, null, "personal"]);
  database.exec("update tokens set revoked_at = 10 where id = 1; delete from tokens where hash = 'new'");
  assert.equal(/** @type {any} */ (database.prepare("select bytes from stored").get()).bytes, bytes);
  for (const wrong of [
    "'x', 9001, 2, 'session', 1, 'n', 0, 1",
    "'x', 9001, 2, 'oauth', null, 'n', 0, 1",
    "'x', 9001, 2, 'hook', null, 'n', 0, 64",
    "'x', 9001, 2, 'personal', null, 'n', 0, 4",
    "'x', 9001, 2, 'other', null, 'n', 0, 1",
  ])
    assert.throws(
      () => database.exec(`insert into tokens (hash, id, user_id, kind, project_id, name, created_at, scopes) values (${wrong})`),
      /CHECK/,
    );
});
