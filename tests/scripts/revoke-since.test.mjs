// After going back to an older state, access that had ended since then ends again, and nothing else changes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { accessIn, endAgain, ended } from "../../scripts/database/access.mjs";
import { open } from "../../scripts/database/d1.mjs";
import { differences, Sqlite } from "./sqlite.mjs";

const TIME = 1000;

/** People, groups, projects, members and tokens as they were at TIME. */
const WORLD = [
  ...[
    [2, "user"],
    [3, "user"],
    [4, "user"],
    [5, "user"],
    [10, "group"],
    [11, "group"],
    [-101, "user"],
  ].map(([id, kind]) => `insert into namespaces (id, kind, path, path_key) values (${id}, '${kind}', 'n${id}', 'n${id}')`),
  ...[2, 3, 4, 5, -101].map(
    (id) =>
      `insert into users (id, username, name, email, email_key, admin, created_at) values (${id}, 'n${id}', 'N', 'n${id}@x', 'n${id}@x', ${id === 4 ? 1 : 0}, 1)`,
  ),
  ...[10, 11].map((id) => `insert into groups (id, name, path, visibility, created_at) values (${id}, 'N', 'n${id}', 20, 1)`),
  ...[
    [20, 10],
    [21, 10],
    [22, 11],
    [23, 2],
  ].map(
    ([
      id,
      at,
    ]) => `insert into projects (id, namespace_id, creator_id, name, path, full_path, path_key, full_name, visibility, created_at, updated_at)
      values (${id}, ${at}, 2, 'P${id}', 'p${id}', 'n${at}/p${id}', 'n${at}/p${id}', 'N / P', 20, 1, 1)`,
  ),
  ...[
    [2, 10, 50],
    [3, 10, 30],
    [4, 10, 40],
    [3, 11, 50],
  ].map((row) => `insert into group_members (user_id, group_id, access, created_at) values (${row}, 1)`),
  ...[
    [3, 20, 30],
    [4, 20, 40],
    [3, 22, 30],
    [5, 23, 20],
  ].map((row) => `insert into project_members (user_id, project_id, access, created_at, namespace_id) values (${row}, 1, 10)`),
  ...["kept", "ended", "removed", "late"].map(
    (name, at) =>
      `insert into tokens (hash, id, user_id, name, created_at) values ('${name}', ${at + 1}, 2, '${name}', ${name === "late" ? TIME : 1})`,
  ),
  "insert into tokens (hash, id, user_id, kind, project_id, scopes, name, created_at) values ('hook', 8, 2, 'hook', 20, 64, 'h', 1)",
  "insert into tokens (hash, id, user_id, kind, project_id, bot_id, scopes, access, name, created_at) values ('bot', 9, 2, 'project', 20, -101, 4, 30, 'b', 1)",
];

/** What happened after TIME. Retention has removed a revoked token, and its id was used again. */
const SINCE = [
  "update tokens set revoked_at = 1500 where hash in ('ended', 'hook', 'bot')",
  "delete from tokens where hash = 'removed'",
  "insert into tokens (hash, id, user_id, name, created_at) values ('new', 3, 2, 'new', 1600)",
  "update users set state = 'blocked' where id in (3, -101)",
  "update users set admin = 0 where id = 4",
  "update users set external = 1 where id = 5",
  "delete from group_members where user_id = 3 and group_id = 10",
  "update group_members set access = 20 where user_id = 4",
  "delete from project_members where user_id = 3 and project_id = 20",
  "update project_members set access = 50 where user_id = 4",
  "update projects set visibility = 0 where id in (20, 23)",
  "update projects set visibility = 10 where id = 21",
  "update groups set visibility = 10 where id = 10",
  // by mistake: the reason for going back
  "delete from project_members where project_id = 22",
  "update projects set deleted_at = 1700, path_key = '/22' where id = 22",
  "delete from group_members where group_id = 11",
  "delete from groups where id = 11",
];

const worldOf = (...lists) => {
  const database = Sqlite.migrated();
  for (const statement of [...WORLD, ...lists.flat()]) database.file.exec(statement);
  return database;
};

const rows = (database, sql) =>
  database.file
    .prepare(sql)
    .all()
    .map((row) => Object.values(row).join(" "));
const alive = (database) => rows(database, "select hash from tokens where revoked_at is null order by hash");

test("what had ended ends again", async () => {
  const note = JSON.parse(JSON.stringify(await accessIn(worldOf(SINCE))));
  const back = worldOf();
  const counts = await endAgain(back, ended(note, await accessIn(back), TIME), 2000);
  assert.deepEqual(alive(back), ["kept", "late"]);
  assert.deepEqual(rows(back, "select distinct revoked_at from tokens where revoked_at is not null"), ["2000"]);
  assert.deepEqual(rows(back, "select id, state, admin, external from users order by id"), [
    "-101 blocked 0 0",
    "1 active 1 0",
    "2 active 0 0",
    "3 blocked 0 0",
    "4 active 0 0",
    "5 active 0 1",
  ]);
  assert.deepEqual(
    rows(back, "select user_id, group_id, access from group_members order by group_id, user_id"),
    ["2 10 50", "4 10 20", "3 11 50"],
    "the deleted group is back with its member",
  );
  assert.deepEqual(
    rows(back, "select user_id, project_id, access from project_members order by project_id, user_id"),
    ["4 20 40", "3 22 30", "5 23 20"],
    "and so is the deleted project. No level rises",
  );
  assert.deepEqual(rows(back, "select id, visibility from projects order by id"), ["20 0", "21 10", "22 20", "23 0"]);
  assert.deepEqual(rows(back, "select id, visibility from groups order by id"), ["10 10", "11 20"]);
  assert.deepEqual(counts, {
    "tokens revoked": 4,
    "users blocked": 2,
    "administrators no longer": 1,
    "users made external": 1,
    "memberships removed": 2,
    "memberships lowered": 1,
    "projects made less visible": 3,
    "groups made less visible": 1,
  });
});

test("a second time changes nothing", async () => {
  const note = await accessIn(worldOf(SINCE));
  const back = worldOf();
  const first = await endAgain(back, ended(note, await accessIn(back), TIME), 2000);
  assert.ok(Object.values(first).every(Boolean));
  const before = back.contents();
  const counts = await endAgain(back, ended(note, await accessIn(back), TIME), 3000);
  assert.deepEqual(Object.values(counts).filter(Boolean), []);
  assert.deepEqual(differences(back.contents(), before), []);
});

test("sessions that were ended end again, and with them those of a token that ends", async () => {
  const session = (name, id, user, parent) =>
    `insert into tokens (hash, id, user_id, kind, name, created_at, expires_at, parent_id)
      values ('session ${name}', ${id}, ${user}, 'session', 'browser', 1, 9000, ${parent})`;
  const sessions = [session("kept", 11, 2, 1), session("out", 12, 2, 1), session("of ended", 13, 2, 2), session("access", 14, 3, null)];
  const note = await accessIn(worldOf(sessions, SINCE, "delete from tokens where hash in ('session out', 'session access')"));
  const back = worldOf(sessions);
  await endAgain(back, ended(note, await accessIn(back), TIME), 2000);
  assert.deepEqual(alive(back), ["kept", "late", "session kept"]);
  const lost = worldOf(sessions);
  await endAgain(lost, ended(null, await accessIn(lost), TIME), 2000);
  assert.deepEqual(alive(lost), []);
});

test("a group that is less visible again takes its projects along, those too that were deleted meanwhile", async () => {
  const note = await accessIn(
    worldOf("update projects set deleted_at = 1700 where id in (20, 21)", "update groups set visibility = 0 where id = 10"),
  );
  const back = worldOf();
  await endAgain(back, ended(note, await accessIn(back), TIME), 2000);
  assert.deepEqual(rows(back, "select id, visibility from projects order by id"), ["20 0", "21 0", "22 20", "23 20"]);
});

test("what was made after going back stays", async () => {
  const note = await accessIn(worldOf(SINCE));
  const back = worldOf(
    "insert into tokens (hash, id, user_id, name, created_at) values ('fresh', 30, 2, 'fresh', 1800)",
    "insert into group_members (user_id, group_id, access, created_at) values (5, 10, 30, 1800)",
  );
  const ends = ended(note, await accessIn(back), TIME);
  await endAgain(back, ends, 2000);
  assert.deepEqual(alive(back), ["fresh", "kept", "late"]);
  assert.deepEqual(rows(back, "select access from group_members where user_id = 5"), ["30"]);
});

test("without a note every token of that time ends, and nothing else", async () => {
  const back = worldOf("insert into tokens (hash, id, user_id, name, created_at) values ('fresh', 30, 2, 'fresh', 1800)");
  const before = rows(back, "select id, state, admin, external from users");
  const counts = await endAgain(back, ended(null, await accessIn(back), TIME), 2000);
  assert.deepEqual(alive(back), ["fresh"]);
  assert.deepEqual(counts["tokens revoked"], 6);
  assert.deepEqual(rows(back, "select id, state, admin, external from users"), before);
});

test("thousands of tokens end in statements that D1 takes", async () => {
  const back = worldOf();
  back.file.exec("drop trigger tokens_of_user_end");
  const insert = back.file.prepare("insert into tokens (hash, id, user_id, name, created_at) values (?, ?, 2, 'n', 1)");
  for (let n = 0; n < 12_000; n++) insert.run(String(n).padStart(64, "0"), 100 + n);
  const query = back.query.bind(back);
  let longest = 0;
  back.query = async (statements) => {
    for (const one of statements) longest = Math.max(longest, Buffer.byteLength(one));
    return await query(statements);
  };
  const counts = await endAgain(back, ended(null, await accessIn(back), TIME), 2000);
  assert.equal(counts["tokens revoked"], 12_006);
  assert.ok(longest < 100_000, `${longest} bytes`);
});

test("the command, on a local state", async (context) => {
  const work = mkdtempSync(join(tmpdir(), "edgeforge-revoke-"));
  context.after(() => rmSync(work, { recursive: true, force: true }));
  const state = join(work, "state");
  const file = join(work, "access.json");
  const local = async (act) => {
    const database = await open({ state });
    try {
      return await act(database);
    } finally {
      await database.close();
    }
  };
  const run = async (...args) => await runWith("0", ...args);
  const runWith = async (yes, ...args) => {
    const given = ["--no-warnings", "scripts/revoke-since.mjs", ...args, "--state", state];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, given, { env: { ...process.env, YES: yes } }).catch(
      (error) => error,
    );
    return stdout + stderr;
  };
  const live = () =>
    local(async (database) =>
      (await database.query(["select hash from tokens where revoked_at is null order by hash"]))[0].map(({ hash }) => hash),
    );
  const iso = (millis) => new Date(millis).toISOString();

  await local(async (database) => {
    for (const name of readdirSync("migrations")
      .filter((one) => one.endsWith(".sql"))
      .sort())
      await database.apply(join("migrations", name));
    await database.query([...WORLD, ...SINCE]);
  });
  assert.match(await run("--note", file), /access\.json has the access of 6 users and 3 tokens\n$/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.match(await run("--note", file), /exists already/);
  // as if an older state had come back
  await local((database) => database.query(["update tokens set revoked_at = null", "update users set state = 'active'"]));

  assert.match(await run(iso(Date.now() + 60_000)), /in the future/);
  assert.match(await run("2026-11-22 10:00"), /is no time/);
  assert.match(await run(), /name the time/);
  assert.match(await run(iso(TIME), "--as-in", join(work, "absent.json")), /cannot be read/);
  assert.match(await run(iso(Date.now()), "--as-in", file), /was made before/);
  assert.match(await run(iso(TIME)), /YES=1/);
  assert.deepEqual(await live(), ["bot", "ended", "hook", "kept", "late", "new"], "no refusal changes anything");

  const said = await run(iso(TIME), "--as-in", file);
  assert.match(said, /tokens revoked: 3\n.*users blocked: 2\n/);
  assert.ok(!said.includes("ended") && !said.includes("hook"), said);
  assert.deepEqual(await live(), ["kept", "late", "new"]);

  assert.match(await runWith("1", iso(TIME)), /tokens revoked: 2\n/);
  assert.deepEqual(await live(), ["new"]);
  assert.ok(existsSync(file) && !readFileSync(file, "utf8").includes("email"));
});
