// `make dev` checks its variables before the build, one process at a time uses a state, and a log does not stop a
// server.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { faultOfPort, faultOfProfile, faultOfToken, variablesOf } from "../../scripts/given.mjs";
import { hold, release } from "../../scripts/lock.mjs";
import { LogFile } from "../../scripts/log.mjs";

const work = mkdtempSync(join(tmpdir(), "edgeforge-dev-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const at = (name) => join(work, name);

test("a port is a number that a port can be", () => {
  for (const good of ["0", "80", "8787", "65535"]) assert.equal(faultOfPort(good), null);
  for (const bad of ["abc", "99999", "-1", "", "80.5", "8787 "]) assert.match(faultOfPort(bad), /is not a port/);
});

test("a profile is one of two", () => {
  for (const good of ["", "spec", "gitlab"]) assert.equal(faultOfProfile(good), null);
  for (const bad of ["foo", "Gitlab"]) assert.match(faultOfProfile(bad), /"spec" or "gitlab"/);
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
  spawnSync(process.execPath, ["scripts/given.mjs", file], { env: { PATH: process.env.PATH, PORT: "0", ...environment }, encoding: "utf8" });

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
  for (const [variables, text] of [
    [{ PORT: "abc" }, /^error: PORT=abc is not a port.*\n$/],
    [{ PROFILE: "foo" }, /^error: PROFILE=foo does not exist: use "spec" or "gitlab"\n$/],
    [{ ADMIN_TOKEN: "with blanks in the middle" }, /^error: ADMIN_TOKEN has " ".*\n$/],
  ]) {
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
