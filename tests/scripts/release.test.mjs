// The commands of a release, from a folder laid out like one. tests/rehearse/release.test.mjs runs a real one.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

const folder = mkdtempSync(join(tmpdir(), "edgeforge-commands-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
cpSync("scripts", join(folder, "scripts"), { recursive: true });
mkdirSync(join(folder, "build"));
for (const name of ["build/index.js", "build/index_bg.wasm", "build/page", "migrations", "node_modules"])
  symlinkSync(resolve(name), join(folder, name));
execFileSync(process.execPath, ["--no-warnings", "scripts/licenses.mjs", join(folder, "build/licenses.json")]);
for (const name of ["package.json", "wrangler.toml"]) copyFileSync(name, join(folder, name));

test("an older Node.js is named before anything else happens", () => {
  const older = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.19.0"}})';
  for (const name of ["local", "deploy", "backup", "restore", "revoke-since"]) {
    const { status, stderr } = spawnSync(process.execPath, ["--import", older, "scripts/run.mjs", name], { cwd: folder, encoding: "utf8" });
    assert.deepEqual([status, stderr], [1, "error: Node.js 20.19.0 is too old: install 22.12 or later from https://nodejs.org\n"]);
  }
});

// tests/rehearse/release.test.mjs asks the same of a release
test("web hooks reach other hosts of the zone as the public does", () => {
  assert.match(readFileSync("wrangler.toml", "utf8"), /^compatibility_flags = \["global_fetch_strictly_public"\]$/m);
});

test("a configuration without that is not deployed", () => {
  const own = join(folder, "own.toml");
  const env = { ...process.env, CONFIG: own, DRY_RUN: "1", CLOUDFLARE_API_TOKEN: "" };
  for (const line of ["", 'compatibility_flags = ["nodejs_compat"]']) {
    writeFileSync(own, readFileSync("wrangler.toml", "utf8").replace(/^compatibility_flags = .*$/m, line));
    const { status, stderr } = spawnSync(process.execPath, ["--no-warnings", "scripts/deploy.mjs"], { env, encoding: "utf8" });
    assert.match(
      stderr,
      /^error: \S+own\.toml lacks the compatibility flag global_fetch_strictly_public, .*: add it to compatibility_flags\n$/,
    );
    assert.equal(status, 1);
  }
});

test("DRY_RUN=1 lists the bindings without an account", () => {
  const env = { ...process.env, DRY_RUN: "1", CLOUDFLARE_API_TOKEN: "" };
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", "scripts/run.mjs", "deploy"], { env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  for (const name of ["env.DB", "env.TEMPLATES", "env.DIFFS"]) assert.ok(stdout.includes(name), stdout);
});

test("a server ends with the shell that npm runs it in", { timeout: 180_000 }, async () => {
  const command = `"${process.execPath}" --no-warnings scripts/run.mjs local; true`;
  const shell = spawn("sh", ["-c", command], {
    cwd: folder,
    env: { ...process.env, PORT: "0", STATE: join(folder, "state") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [shell.stdout, shell.stderr]) stream.on("data", (data) => (said += data));
  while (!said.includes("serving") && shell.exitCode === null) await pause(100);
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? assert.fail(said);
  // the printed lines, as they stand
  const lines = said.split("\n").filter((line) => line.startsWith("curl "));
  for (const line of lines) {
    const { stdout } = spawnSync("sh", ["-c", `. ./.dev.vars\n${line.replace("curl", "curl --silent --write-out '%{http_code}'")}`], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.match(stdout, /200$/);
  }
  assert.equal(lines.length, 2);
  shell.kill("SIGTERM");
  await once(shell, "exit");
  const answers = () =>
    fetch(address).then(
      () => true,
      () => false,
    );
  for (let waited = 0; waited < 100 && (await answers()); waited++) await pause(100);
  assert.equal(await answers(), false);
});
