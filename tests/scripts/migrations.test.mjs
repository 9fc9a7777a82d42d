// The migrations are applied in three ways: by plain SQLite (the suite), scripts/prepare (make dev) and D1's import API
// (make deploy). All give the same schema, and a released file never changes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { changedSinceRelease, filesIn, schemaOf, standing } from "../../scripts/migrations.mjs";
import { start } from "../../scripts/rehearse/server.mjs";
import { splitWholly } from "../../scripts/database/split.mjs";
import { faultOf } from "../../scripts/state.mjs";
import { database } from "../../scripts/workerd.mjs";

const run = promisify(execFile);
const work = mkdtempSync(join(tmpdir(), "edgeforge-migrations-"));
const read = (name) => readFileSync(join("migrations", name), "utf8");
let rehearsal;

/** Runs wrangler, for the rehearsed account or locally. */
async function wrangler(...args) {
  const env = { ...process.env, ...rehearsal.environment, CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" };
  return await run(process.execPath, ["--no-warnings", "node_modules/wrangler/bin/wrangler.js", ...args], { env });
}

before(async () => {
  rehearsal = await start({ state: join(work, "account"), quiet: true });
});
after(async () => {
  await rehearsal.stop();
  rmSync(work, { recursive: true, force: true });
});

const plain = () => {
  const opened = new DatabaseSync(":memory:");
  for (const name of filesIn("migrations")) opened.exec(read(name));
  return opened;
};

const script = (name, given = [], more = {}) =>
  run(process.execPath, ["--no-warnings", `scripts/${name}.mjs`, ...given], { env: { ...process.env, ...rehearsal.environment, ...more } });

/** A request of D1's API to the rehearsed account. */
async function api(path, body) {
  const { CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_ACCOUNT_ID: id, CLOUDFLARE_API_TOKEN: token } = rehearsal.environment;
  const answer = await fetch(`${base}/accounts/${id}/d1/database${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const { result, errors } = await answer.json();
  assert.deepEqual(errors, []);
  return result;
}

/** A copy of wrangler.toml that names a folder of migrations, to which a file is added. */
function withBroken(name, content) {
  const folder = join(work, "broken");
  cpSync("migrations", folder, { recursive: true });
  writeFileSync(join(folder, name), content);
  const config = join(work, "broken.toml");
  writeFileSync(config, readFileSync("wrangler.toml", "utf8").replace('migrations_dir = "migrations"', `migrations_dir = "${folder}"`));
  return config;
}

const bookkeeping = (opened) =>
  ["table_info", "index_list"].map((of) => opened.prepare(`select * from pragma_${of}('d1_migrations')`).all());

test("three roads, one schema, one list of what was applied", async () => {
  await script("prepare", [join(work, "local")]);
  const { uuid } = await api("", { name: "edgeforge" });

  // into an empty database all files are one import, and a refused one is named
  const CONFIG = withBroken(
    "0902_broken.sql",
    "create table half (id integer primary key) strict;\ninsert into no_such_table values (1);\n",
  );
  await assert.rejects(
    script("migrate", [], { CONFIG }),
    ({ code, stderr }) =>
      code === 1 &&
      /^error: 0902_broken\.sql: .*no such table: no_such_table.*\n.*as it was before the import of all files[\s\S]*run the same command again/.test(
        stderr,
      ),
  );
  assert.equal(
    (await api(`/${uuid}/query`, { sql: "select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\'" }))[0]
      .results.length,
    0,
  );
  const uploads = () => rehearsal.calls.filter((call) => /PUT \/rehearsal\/imports/.test(call)).length;
  const before = uploads();
  await script("migrate");
  assert.equal(uploads(), before + 1);

  const schema = schemaOf(plain());
  assert.match(schema, /create trigger/i);
  // its own table of applied files
  await wrangler("d1", "migrations", "list", "DB", "--local", "--persist-to", join(work, "wrangler"));
  const expected = bookkeeping(database(join(work, "wrangler"), { readOnly: true }));
  for (const road of ["local", "account"]) {
    const opened = database(join(work, road), { readOnly: true });
    assert.equal(schemaOf(opened), schema, road);
    assert.deepEqual(bookkeeping(opened), expected, road);
    const rows = opened.prepare("select id, name, applied_at like '20__-__-__ __:__:__' as dated from d1_migrations order by id").all();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      filesIn("migrations").map((name, at) => ({ id: at + 1, name, dated: 1 })),
      road,
    );
    assert.deepEqual(faultOf(opened), {}, "scripts/prepare accepts it");
    opened.close();
  }
  const { stdout } = await wrangler("d1", "migrations", "list", "DB", "--remote");
  assert.match(stdout, /No migrations to apply/);
  const again = await script("migrate");
  assert.match(again.stdout, /no migration is pending/);

  // like a database of version 0.1: nothing is applied to it
  await api(`/${uuid}/query`, { sql: "update d1_migrations set name = '0003_issues.sql' where id = 3" });
  await assert.rejects(script("migrate"), ({ code, stderr }) => code === 1 && /version 0\.1[\s\S]*d1 create edgeforge-2/.test(stderr));
});

test("every file applies when a server knows a trigger's end only by sqlite's own rule", () => {
  const opened = new DatabaseSync(":memory:");
  for (const name of filesIn("migrations")) for (const statement of splitWholly(read(name))) opened.exec(statement);
  assert.equal(schemaOf(opened), schemaOf(plain()));
});

test("released files are what they were when they were released", () => {
  const list = "migrations/released.txt";
  assert.deepEqual(changedSinceRelease(existsSync(list) ? readFileSync(list, "utf8") : "", "migrations"), []);
});

test("a released file that changes, goes, or gets a predecessor is told", () => {
  const folder = mkdtempSync(join(work, "released-"));
  writeFileSync(join(folder, "0001_a.sql"), "a");
  writeFileSync(join(folder, "0002_b.sql"), "b");
  const list =
    "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb  0001_a.sql\n3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d  0002_b.sql\n";
  assert.deepEqual(changedSinceRelease(list, folder), []);
  writeFileSync(join(folder, "0003_c.sql"), "c");
  assert.deepEqual(changedSinceRelease(list, folder), []);
  writeFileSync(join(folder, "0001_c.sql"), "c");
  assert.deepEqual(changedSinceRelease(list, folder), ["0001_c.sql would come before 0002_b.sql, which was released"]);
  writeFileSync(join(folder, "0002_b.sql"), "B");
  rmSync(join(folder, "0001_a.sql"));
  assert.deepEqual(changedSinceRelease(list, folder), ["0001_a.sql was released and is gone", "0002_b.sql was released and has changed"]);
});

test("what is pending and what is unknown", () => {
  assert.deepEqual(standing(["1", "2", "3"], ["1", "2"]), { pending: ["3"], unknown: [], isOther: false });
  assert.deepEqual(standing(["1"], ["1", "2"]), { pending: [], unknown: ["2"], isOther: false });
  assert.deepEqual(standing(["1", "2"], ["1", "3"]), { pending: ["2"], unknown: ["3"], isOther: true });
});

test("a state made by other migrations is refused with what to type, and one of a later version only told", async () => {
  const state = join(work, "old");
  const folder = join(state, "v3/d1/miniflare-D1DatabaseObject");
  await run("mkdir", ["-p", folder]);
  const file = join(folder, "old.sqlite");
  const bookkeeping = "create table d1_migrations (id integer primary key, name text unique)";
  const reset = (sql, names) => {
    rmSync(file, { force: true });
    const opened = new DatabaseSync(file);
    opened.exec(`${sql};${bookkeeping};${names.map((name) => `insert into d1_migrations (name) values ('${name}');`).join("")}`);
    opened.close();
  };
  const look = () => run(process.execPath, ["--no-warnings", "scripts/state.mjs", state]);
  const old = "create table users (id integer primary key)";
  const refused = ({ stderr }) => stderr.includes(`rm -rf ${state}`) && stderr.includes(`STATE=${state}-2`);
  for (const names of [["0001_people.sql"], ["0001_people.sql", "0002_issues.sql"], []]) {
    reset(old, names);
    await assert.rejects(look(), refused);
  }
  // version 0.1 had a file of the same name, and more than its tables
  reset(read("0001_people.sql"), ["0001_people.sql", "0002_projects.sql", "0003_issues.sql"]);
  await assert.rejects(look(), refused);
  await assert.rejects(run(process.execPath, ["--no-warnings", "scripts/prepare.mjs", state]), refused);
  reset(filesIn("migrations").map(read).join("\n"), [...filesIn("migrations"), "0999_later.sql"]);
  assert.match((await look()).stderr, /warning: .* 0999_later.sql/);
});
