// Backup and restore as they are typed, against real D1: of the stand-in for Cloudflare's API and of a local state. While
// it is read the database takes writes; both commands are killed in between; then every row is compared.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { start } from "../../scripts/rehearse/server.mjs";
import { awkward, random, text } from "../scripts/hard-world.mjs";
import { contentsOf, differences } from "../scripts/sqlite.mjs";

const root = join(import.meta.dirname, "../..");
const work = mkdtempSync(join(tmpdir(), "edgeforge-backup-d1-"));
const account = join(work, "account");
const folder = join(work, "backup");
let rehearsal;
let api;

before(async () => {
  rehearsal = await start({ state: account, quiet: true });
  const { CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_ACCOUNT_ID: id, CLOUDFLARE_API_TOKEN: token } = rehearsal.environment;
  api = async (path, body) => {
    const answer = await fetch(`${base}/accounts/${id}/d1/database${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const { success, result, errors } = await answer.json();
    if (!success) throw new Error(errors[0].message);
    return result;
  };
});

after(async () => {
  await rehearsal.stop();
  rmSync(work, { recursive: true, force: true });
});

/** Runs a command to its end, or kills it as soon as `enough` is true. */
async function run(program, given, enough, variables) {
  const child = spawn(process.execPath, ["--no-warnings", program, ...given], {
    cwd: root,
    env: { ...process.env, ...rehearsal.environment, ...variables },
    detached: true,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
  const watch = enough && setInterval(() => enough() && child.exitCode === null && process.kill(-child.pid, "SIGKILL"), 10);
  const [code, signal] = await once(child, "close");
  clearInterval(watch);
  return { code, signal, said };
}

/** The contents of each database in a folder of state, read from its file. */
function contentsIn(state) {
  return readdirSync(state, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sqlite") && !name.endsWith("metadata.sqlite") && name.includes("D1"))
    .map((name) => contentsOf(new DatabaseSync(join(state, name), { readOnly: true })));
}

/** Ten thousand rows and the hardest ones, through the API as any client would send them. */
async function fill(database) {
  const importing = join(work, "schema.sql");
  const files = readdirSync(join(root, "migrations"))
    .filter((name) => name.endsWith(".sql"))
    .sort();
  writeFileSync(
    importing,
    `${files.map((name) => readFileSync(join(root, "migrations", name), "utf8")).join("\n")}\n${awkward}
    create table one (id integer primary key, n integer not null) strict; create table other (id integer primary key, n integer not null) strict;`,
  );
  const { code, said } = await run("node_modules/wrangler/bin/wrangler.js", [
    "d1",
    "execute",
    database,
    "--remote",
    "--yes",
    "--file",
    importing,
  ]);
  assert.equal(code, 0, said);
  const next = random(3);
  const batches = [];
  for (let n = 0; n < 10_000; n += 500) {
    batches.push(
      Array.from({ length: 500 }, (_, at) => ({
        sql: "insert into hard (id, t, r, n, b) values (?, ?, ?, ?, cast(? as blob))",
        // NUL, too: D1 keeps it
        params: [n + at + 1, `${text(next, next(300))}${at % 50 ? "" : "\0z"}`, next(1000) / 7, next(2 ** 31), text(next, 20)],
      })),
    );
  }
  const long = [
    "\\n'\n".repeat(450_000),
    "\u0001\\".repeat(400_000),
    "🎉".repeat(490_000),
    "x".repeat(1_990_000),
    `${"\0".repeat(200_000)}\r\n`,
  ];
  batches.push(...long.map((t) => [{ sql: "insert into hard (t) values (?)", params: [t] }]));
  batches.push([{ sql: "insert into hard (n) values (9007199254740993), (-9223372036854775808), (9223372036854775807)" }]);
  batches.push([
    { sql: "insert into tree (id, parent) values (1, null), (2, 1), (3, 2)" },
    { sql: "update tree set parent = 3 where id = 1" },
  ]);
  for (const batch of batches) await api(`/${database}/query`, { batch });
}

test("a deployed database comes back, none of ten thousand rows different, though it was written to and all was killed", async () => {
  for (const name of ["edgeforge", "edgeforge-2"]) await api("", { name });
  await fill("edgeforge");

  // killed while it reads: nothing is left that looks like a backup
  const partial = `${folder}.partial`;
  const killed = await run("scripts/backup.mjs", [folder], () => existsSync(join(partial, "hard.rows")));
  assert.equal(killed.signal, "SIGKILL", killed.said);
  assert.ok(!existsSync(folder));
  assert.match((await run("scripts/restore.mjs", [partial, "--database", "edgeforge-2"])).said, /not a complete backup/);

  // a client that writes all the time and is never refused; both tables hold the same after each of its batches
  let writes = 0;
  let open = true;
  const writing = (async () => {
    while (open) {
      /** @type {{ sql: string, params?: number[] }[]} */
      const batch = ["one", "other"].map((table) => ({ sql: `insert into ${table} (n) select coalesce(max(n), 0) + 1 from ${table}` }));
      batch.push({ sql: "update hard set n = coalesce(n, 0) + 1 where id = ?", params: [1 + (writes % 10_000)] });
      await api("/edgeforge/query", { batch });
      writes += 1;
    }
  })();
  const during = await run("scripts/backup.mjs", [folder]);
  open = false;
  await writing;
  assert.equal(during.code, 0, during.said);
  assert.ok(writes > 20, `${writes} writes`);
  const { rows } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  assert.equal(rows.one, rows.other, "not of one moment");
  assert.ok(rows.one > 0 && rows.one <= writes, `${rows.one} of ${writes} writes`);

  // nobody writes now, and the network breaks at every fifth question, before it or after
  rmSync(folder, { recursive: true });
  let asked = 0;
  rehearsal.interfere = (_, path) => {
    if (path.endsWith("/query")) asked += 1;
    return path.endsWith("/query") && asked % 5 === 0 ? ["cut", "lose"][asked % 2] : undefined;
  };
  const quiet = await run("scripts/backup.mjs", [folder]);
  rehearsal.interfere = () => undefined;
  assert.equal(quiet.code, 0, quiet.said);
  assert.ok(asked > 40);

  // killed in the middle of its files, then once more to the end
  const { files } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const imports = () => rehearsal.calls.filter((call) => call.endsWith("/import")).length;
  const already = imports();
  const half = await run("scripts/restore.mjs", [folder, "--database", "edgeforge-2"], () => imports() > already + 4);
  assert.equal(half.signal, "SIGKILL", half.said);
  const whole = await run("scripts/restore.mjs", [folder, "--database", "edgeforge-2"]);
  assert.equal(whole.code, 0, whole.said);
  assert.ok(files.length > 2);
  assert.match((await run("scripts/restore.mjs", [folder, "--database", "edgeforge-2"])).said, /not empty/);
});

test("who may not come in, and what is not there, is one line", async () => {
  const refused = await run("scripts/backup.mjs", [join(work, "none")], undefined, { CLOUDFLARE_API_TOKEN: "another" });
  assert.equal(refused.code, 1);
  assert.match(refused.said, /^error: [^\n]+\n$/);
  const missing = await run("scripts/backup.mjs", [join(work, "none"), "--database", "nowhere"]);
  assert.match(missing.said, /^error: [^\n]*nowhere[^\n]*\n$/);
  assert.ok(!existsSync(join(work, "none")) && !existsSync(join(work, "none.partial")));
});

test("a local database takes the same backup, and one of it has the same rows", async () => {
  const state = join(work, "state");
  const restored = await run("scripts/restore.mjs", [folder, "--state", state]);
  assert.equal(restored.code, 0, restored.said);
  const again = join(work, "again");
  const backup = await run("scripts/backup.mjs", [again, "--state", state]);
  assert.equal(backup.code, 0, backup.said);
  // the files differ by the word of the restored database for its objects
  const rows = (of) => JSON.parse(readFileSync(join(of, "manifest.json"), "utf8")).rows;
  assert.deepEqual(rows(again), rows(folder));

  await rehearsal.stop();
  const [one, other] = contentsIn(account);
  const [local] = contentsIn(state);
  assert.ok(one.rows.hard.length > 10_000);
  assert.deepEqual(differences(one, other), []);
  assert.deepEqual(differences(one, local), []);
});
