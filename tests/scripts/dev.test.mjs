// `make dev` checks its variables before the build, a folder of state gets what it lacks, one process at a time uses it,
// and a log does not stop a server.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { faultOfLogin } from "../../scripts/cloudflare.mjs";
import { faultOfPort, faultOfProfile, faultOfReceiver, faultOfToken, variablesOf } from "../../scripts/given.mjs";
import { hold, release } from "../../scripts/lock.mjs";
import { LogFile } from "../../scripts/log.mjs";
import { filesIn } from "../../scripts/migrations.mjs";
import { database, databaseFile, pause, portOf } from "../../scripts/workerd.mjs";

const work = mkdtempSync(join(tmpdir(), "edgeforge-dev-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const at = (name) => join(work, name);

test("a port is a number that a port can be", () => {
  for (const good of ["0", "80", "8787", "65535"]) assert.equal(faultOfPort(good), null);
  for (const bad of ["abc", "99999", "-1", "", "80.5", "8787 "]) assert.match(faultOfPort(bad), /is not a port/);
});

test("where cargo cannot download, its own words are followed by what to do, and else by nothing", () => {
  /** `scripts/mirror` with a cargo that says this and fails. */
  const built = (script, words) => {
    const programs = mkdtempSync(join(work, "programs-"));
    writeFileSync(join(programs, "cargo"), `#!/bin/sh\ncat >&2 <<'WORDS'\n${words}\nWORDS\nexit 101\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${programs}:${process.env.PATH}`, CARGO_TARGET_DIR: programs };
    const { status, stderr } = spawnSync(script, { env, encoding: "utf8" });
    assert.equal(status, 101, stderr);
    return stderr;
  };
  const unreached =
    "error: failed to get `itoa` as a dependency\n\nCaused by:\n  failed to download from `https://index.crates.io/config.json`";
  const advice = "error: cargo could not download: check the network, then run this again\n";
  for (const script of ["scripts/mirror", "scripts/build"]) {
    const told = built(script, unreached);
    assert.ok(told.includes(unreached) && told.includes(advice), told);
  }
  const wrong = "error[E0432]: unresolved import `nothing`";
  assert.equal(built("scripts/mirror", wrong), `${wrong}\n`);
});

test("a profile is one of two", () => {
  for (const good of ["", "spec", "gitlab"]) assert.equal(faultOfProfile(good), null);
  for (const bad of ["foo", "Gitlab"]) assert.match(faultOfProfile(bad), /"spec" or "gitlab"/);
});

test("web hooks are passed on to an address of HTTP, with their path, headers and body", async () => {
  for (const good of ["", "http://127.0.0.1:9000", "https://ci.example.com/base"]) assert.equal(faultOfReceiver(good), null);
  for (const bad of ["9000", "127.0.0.1:9000", "ftp://x"]) assert.match(faultOfReceiver(bad) ?? "", /is not an address/);
  const met = [];
  const own = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    met.push([request.method, request.url, request.headers["x-gitlab-event"], body]);
    response.writeHead(202).end("taken");
  });
  await new Promise((done) => own.listen(0, "127.0.0.1", () => done(undefined)));
  const file = at("receiver");
  const given = ["scripts/receiver.mjs", "--address", file, "--to", `http://127.0.0.1:${portOf(own)}`];
  const receiver = spawn(process.execPath, given, { stdio: "ignore" });
  try {
    while (!existsSync(file)) await pause(50);
    const send = () =>
      fetch(readFileSync(file, "utf8"), {
        method: "POST",
        headers: { "x-outbound-url": "https://example.com/hooks/503?a=1", "X-Gitlab-Event": "Push Hook" },
        body: "{}",
      });
    const answer = await send();
    assert.deepEqual([answer.status, await answer.text()], [202, "taken"]);
    assert.deepEqual(met, [["POST", "/hooks/503?a=1", "Push Hook", "{}"]]);
    own.closeAllConnections();
    await new Promise((done) => own.close(done));
    assert.equal((await send()).status, 502);
  } finally {
    receiver.kill();
  }
});

test("who is not logged in, has no network or an old Node.js learns which it is", () => {
  const fault = (reason, out = "") => faultOfLogin({ ok: !reason, out, reason }) ?? "";
  assert.equal(fault("", "You are logged in"), "");
  assert.match(fault("", "You are not authenticated. Please run `wrangler login`."), /^wrangler is not logged in: run npx wrangler login/);
  assert.match(fault("Authentication failed (status: 400) [code: 9106]"), /^wrangler is not logged in/);
  for (const unreached of ["fetch failed", "Unable to resolve Cloudflare's API hostname (api.cloudflare.com)", "connect ECONNREFUSED"])
    assert.match(fault(unreached), /^Cloudflare's API cannot be reached: check the network/);
  assert.match(fault("Wrangler requires at least Node.js v22.0.0. You are using v20.20.2."), /^Wrangler requires at least Node\.js/);
});

test("root's token is long enough and can be sent and typed, and the refusal does not repeat it", () => {
  assert.equal(faultOfToken("abcdefghij0123456789", "ADMIN_TOKEN"), null);
  assert.match(faultOfToken("short", "ADMIN_TOKEN"), /ADMIN_TOKEN has 5 characters: .* 20 or more/);
  for (const odd of [" ", '"', "'", "ü", "$", "\\"]) {
    const token = `abcdefghij${odd}0123456789`;
    const fault = faultOfToken(token, "ADMIN_TOKEN");
    assert.ok(fault && !fault.includes(token), fault);
  }
});

test(".dev.vars is read as a dotenv file: quotes are no part of a value", () => {
  writeFileSync(at("vars"), `# for this machine\nOTHER=x\nADMIN_TOKEN='abcdefghij0123456789' # root's\n`);
  assert.equal(variablesOf(at("vars")).ADMIN_TOKEN, "abcdefghij0123456789");
  assert.deepEqual(variablesOf(at("none")), {});
});

const given = (file, environment) =>
  spawnSync(process.execPath, ["scripts/given.mjs", file], {
    env: { PATH: process.env.PATH, PORT: "0", ...environment },
    encoding: "utf8",
  });

test("root's token is the one given, else the one kept, else a new one that is kept", () => {
  const made = given(at("kept"), {});
  assert.equal(made.status, 0, made.stderr);
  assert.match(made.stdout, /^[\w-]{20}\n$/);
  assert.equal(given(at("kept"), {}).stdout, made.stdout);
  assert.equal(given(at("kept"), { ADMIN_TOKEN: "another-token-of-root" }).stdout, "another-token-of-root\n");
  writeFileSync(at("bad"), "ADMIN_TOKEN=short\n");
  const refused = given(at("bad"), {});
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /^error: ADMIN_TOKEN in .*bad has 5 characters/);
});

test("what is given wrong is refused in one line", () => {
  for (const [variables, text] of /** @type {[Record<string, string>, RegExp][]} */ ([
    [{ PORT: "abc" }, /^error: PORT=abc is not a port.*\n$/],
    [{ PROFILE: "foo" }, /^error: PROFILE=foo does not exist: use "spec" or "gitlab"\n$/],
    [{ ADMIN_TOKEN: "with blanks in the middle" }, /^error: ADMIN_TOKEN has " ".*\n$/],
  ])) {
    const { status, stderr } = given(at("unused"), variables);
    assert.equal(status, 1);
    assert.match(stderr, text);
  }
});

test("a state is held by one process, by whom it started, and by nobody once it is gone", () => {
  const state = at("state");
  assert.equal(hold(state, process.pid, 0), undefined);
  assert.match(hold(state, 1, 0), new RegExp(`in use by process ${process.pid}`));
  assert.equal(hold(state, 1, process.pid), undefined, "a child process of the holder may use the state");
  release(state, 1);
  assert.match(hold(state, 1, 0), /in use/, "only the holder releases it");
  release(state, process.pid);
  const gone = Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
  writeFileSync(join(state, "in-use"), String(gone));
  assert.equal(hold(state, process.pid, 0), undefined, "the lock of an ended process is free");
  writeFileSync(join(state, "in-use"), "no number");
  assert.equal(hold(state, process.pid, 0), undefined);
});

test("a state that is no writable folder is told so", () => {
  writeFileSync(at("file"), "");
  assert.match(hold(at("file"), process.pid, 0), /file is not a folder/);
  assert.match(hold(join(at("file"), "below"), process.pid, 0), /is not a folder/);
  if (process.getuid?.() === 0) return; // root may write to every folder
  mkdirSync(at("closed"));
  chmodSync(at("closed"), 0o500);
  assert.match(hold(at("closed"), process.pid, 0), /is not a writable folder/);
});

test("a log is appended to, put aside when it is long, and one that cannot be written is told of once", (context) => {
  const name = at("requests.log");
  writeFileSync(name, "before\n");
  const log = new LogFile(name, 20);
  log.write("one\n");
  assert.equal(readFileSync(name, "utf8"), "before\none\n");
  log.write("a long line of a request\n");
  log.write("two\n");
  assert.equal(readFileSync(`${name}.1`, "utf8"), "before\none\na long line of a request\n");
  assert.equal(readFileSync(name, "utf8"), "two\n");
  const told = context.mock.method(console, "error", () => {});
  const nowhere = new LogFile(join(at("file"), "requests.log"));
  nowhere.write("one\n");
  nowhere.write("two\n");
  assert.equal(told.mock.callCount(), 1);
});

const script = join(import.meta.dirname, "../../scripts/prepare.mjs");
const prepared = (given, cwd = ".") =>
  spawnSync(process.execPath, ["--no-warnings", script, ...given], { cwd, env: { PATH: process.env.PATH }, encoding: "utf8" });
const TEMPLATES = "==> loading license templates into the local KV\n";
const MIGRATIONS = "==> applying migrations to the local D1\n";

/** The first column of a query to a state's database. */
function rows(state, sql) {
  const opened = database(state);
  const found = opened
    .prepare(sql)
    .all()
    .map((row) => Object.values(row)[0]);
  opened.close();
  return found;
}

test("a state is prepared once, its rows stay, and it gets what is new", () => {
  const [state, project, files] = [at("fresh"), at("project"), filesIn("migrations")];
  const migrations = join(project, "migrations");
  cpSync("migrations", migrations, { recursive: true });
  cpSync("wrangler.toml", join(project, "wrangler.toml"));
  for (const name of files.slice(-2)) rmSync(join(migrations, name));
  const first = prepared([state], project);
  assert.equal(first.stdout, TEMPLATES + MIGRATIONS, first.stderr);
  assert.equal(prepared([state], project).stdout, "");
  rows(state, "insert into namespaces (id, kind, path, path_key) values (2, 'user', 'ann', 'ann') returning id");

  // of new files all are applied, or none of them
  for (const name of files.slice(-2)) cpSync(join("migrations", name), join(migrations, name));
  writeFileSync(join(migrations, "0999_broken.sql"), "insert into no_such_table values (1);");
  const broken = prepared([state], project);
  assert.match(broken.stderr, /^error: .* could not be prepared: 0999_broken\.sql: no such table: no_such_table\n$/);
  assert.deepEqual(rows(state, "select name from d1_migrations order by id"), files.slice(0, -2));
  rmSync(join(migrations, "0999_broken.sql"));
  assert.equal(prepared([state], project).stdout, MIGRATIONS);
  assert.deepEqual(rows(state, "select name from d1_migrations order by id"), files);
  assert.deepEqual(rows(state, "select path from namespaces where id = 2"), ["ann"]);

  writeFileSync(join(state, "kv.done"), "of other templates");
  assert.equal(prepared([state]).stdout, TEMPLATES);
  // a file that changed after it was applied
  writeFileSync(join(migrations, files.at(-1)), "create table another (id integer primary key) strict;");
  assert.match(
    prepared([state], project).stderr,
    /cannot be brought up to date: other migrations than these made its database[\s\S]*rm -rf /,
  );
  assert.equal(prepared([state]).stdout, "");
});

test("a damaged database is refused with what to type, and an empty file is filled", () => {
  const state = at("damaged");
  assert.equal(prepared([state]).status, 0);
  const file = databaseFile(state);
  for (const name of readdirSync(dirname(file))) if (/-(wal|shm)$/.test(name)) rmSync(join(dirname(file), name));
  writeFileSync(file, Buffer.alloc(8192));
  const { status, stderr } = prepared([state]);
  assert.equal(status, 1);
  assert.match(
    stderr,
    new RegExp(`^error: the local state in ${state} cannot be used: .*\\.sqlite is damaged .*\n.*rm -rf ${state}[^]*STATE=${state}-2\n$`),
  );
  writeFileSync(file, "");
  assert.equal(prepared([state]).stdout, MIGRATIONS);
  assert.deepEqual(rows(state, "select name from d1_migrations order by id"), filesIn("migrations"));
});

test("for `wrangler dev` a token is made once, and a state in use is left alone", () => {
  const [state, vars] = [at("for-wrangler"), at("wrangler.vars")];
  writeFileSync(vars, "OTHER=x");
  hold(state, process.pid, 0);
  const held = prepared(["--for-wrangler", state, vars]);
  assert.equal(held.status, 0, held.stderr);
  assert.match(held.stdout, new RegExp(`in use by process ${process.pid}.*left as it is\n`));
  assert.equal(databaseFile(state), undefined);
  const [, token] = /root's token.*: ([\w-]{20})\n/.exec(held.stdout);
  assert.deepEqual({ ...variablesOf(vars) }, { OTHER: "x", ADMIN_TOKEN: token });
  release(state, process.pid);
  const made = prepared(["--for-wrangler", state, vars]);
  assert.equal(made.stdout, TEMPLATES + MIGRATIONS, made.stderr);
  assert.deepEqual(prepared(["--for-wrangler", state, vars]).stdout, "");
  assert.equal(variablesOf(vars).ADMIN_TOKEN, token);

  // while it runs, a file that is being written is not applied
  mkdirSync(at("tmp/dev-1"), { recursive: true });
  writeFileSync(join(state, "d1.done"), "other files");
  assert.match(prepared(["--for-wrangler", state, vars]).stdout, /^==> .* scripts\/prepare brings .* up to date\n$/);
  assert.equal(readFileSync(join(state, "d1.done"), "utf8"), "other files");
  rmSync(at("tmp"), { recursive: true });
  assert.equal(prepared(["--for-wrangler", state, vars]).stdout, "");
  assert.notEqual(readFileSync(join(state, "d1.done"), "utf8"), "other files");
  // an older wrangler does not start with a newer one's table of alarms
  assert.deepEqual(
    readdirSync(state, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith("metadata.sqlite")),
    [],
  );
});

test("a server ends with one sentence when its state is removed", { timeout: 60_000 }, async () => {
  const state = at("removed");
  const address = join(state, "address");
  assert.equal(prepared([state]).status, 0);
  const server = spawn(process.execPath, ["--no-warnings", "scripts/serve.mjs", "--state", state, "--address", address, "--quiet"], {
    env: { ...process.env, WRANGLER_LOG: "error" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(server, "close");
  let said = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (said += text));
  try {
    while (!existsSync(address) && server.exitCode === null) await pause(50);
    // the database is open
    assert.equal((await fetch(`${readFileSync(address, "utf8")}/api/v4/projects`)).status, 200);
    rmSync(state, { recursive: true });
    const [code] = await Promise.race([ended, pause(5_000).then(() => [null])]);
    assert.deepEqual([said, code], [`serve: ${state} was removed while its server ran: start the server again\n`, 1]);
  } finally {
    server.kill();
    await ended;
  }
});
