// The release of `make release`, unpacked where there is no cargo: it installs, serves, deploys, backs up, and its hook runs.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { start } from "../../scripts/rehearse/server.mjs";

const root = join(import.meta.dirname, "../..");
const [, version] = /^version = "(.+)"$/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"));
const archive = join(root, "dist", `edgeforge-${version}.tar.gz`);
const work = mkdtempSync(join(tmpdir(), "edgeforge-release-"));
const folder = join(work, `edgeforge-${version}`);
const token = "token-of-the-administrator";
const hook = join(folder, `hook/edgeforge-mirror-${{ x64: "x86_64", arm64: "aarch64" }[process.arch]}-linux`);

/** Node, npm and a shell, and nothing else: no cargo, no compiler, no git. */
const programs = join(work, "programs");
const environment = { PATH: programs, HOME: join(work, "home"), TMPDIR: work, CI: "1" };
const npm = (given, more = {}) => spawnSync("npm", given, { cwd: folder, env: { ...environment, ...more }, encoding: "utf8" });

before(() => {
  assert.ok(existsSync(archive), "make release first");
  execFileSync("tar", ["-xzf", archive, "-C", work]);
  mkdirSync(programs);
  mkdirSync(environment.HOME);
  const found = (name) =>
    process.env.PATH.split(delimiter)
      .map((path) => join(path, name))
      .find(existsSync);
  symlinkSync(process.execPath, join(programs, "node"));
  for (const name of ["npm", "sh", "env"]) symlinkSync(found(name), join(programs, name));
  // the registry that this machine uses, if it has one of its own
  for (const file of [process.env.NPM_CONFIG_USERCONFIG, join(process.env.HOME, ".npmrc")]) {
    if (file && existsSync(file)) symlinkSync(file, join(environment.HOME, ".npmrc"));
  }
  for (const [name, value] of Object.entries(process.env))
    if (/^(npm_config_|https?_proxy$|no_proxy$|node_extra_ca_certs$)/i.test(name)) environment[name] = value;
});

after(() => rmSync(work, { recursive: true, force: true }));

/** Starts `npm run dev` and waits until it answers; `stop` ends it. */
async function dev() {
  const child = spawn("npm", ["run", "dev"], { cwd: folder, env: { ...environment, PORT: "0" }, detached: true });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
  const ended = new Promise((done) => child.once("close", done));
  for (let waited = 0; !/serving/.test(said); waited++) {
    if (waited > 1_200 || child.exitCode !== null) throw new Error(`npm run dev:\n${said}`);
    await pause(100);
  }
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { address, stop };
}

const ask = async (address, path, who) => {
  const answer = await fetch(`${address}${path}`, { headers: who ? { "PRIVATE-TOKEN": who } : {} });
  return { status: answer.status, text: await answer.text() };
};

test("it holds nothing but what it needs, and says what everything is for", () => {
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.deepEqual(Object.keys(manifest.scripts), ["dev", "deploy", "backup", "restore", "revoke-since"]);
  for (const script of Object.values(manifest.scripts)) {
    const [, file, name] = /^node --no-warnings (\S+) (\S+)$/.exec(script);
    for (const path of [file, `scripts/${name}.mjs`]) assert.ok(existsSync(join(folder, path)), path);
  }
  for (const name of ["DB", "TEMPLATES", "ADMIN_TOKEN"]) assert.match(manifest.cloudflare.bindings[name].description, /\S/);
  assert.match(readFileSync(join(folder, ".dev.vars.example"), "utf8"), /^ADMIN_TOKEN=""$/m);
  assert.doesNotMatch(readFileSync(join(folder, "wrangler.toml"), "utf8"), /\[build\]|cargo/);
  assert.match(readFileSync(join(folder, "wrangler.toml"), "utf8"), /^compatibility_flags = \["global_fetch_strictly_public"\]$/m);
  assert.deepEqual(readdirSync(join(folder, "migrations")).sort(), readdirSync(join(root, "migrations")).sort());
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).map(String);
  assert.deepEqual(
    all.filter((name) => /\.(rs|sh)$|node_modules|Cargo/.test(name)),
    [],
  );
});

test("the hook is a static program, and its hash is told", () => {
  for (const line of readFileSync(join(folder, "hook/SHA256SUMS"), "utf8").trim().split("\n")) {
    const [hash, name] = line.split("  ");
    const content = readFileSync(join(folder, "hook", name));
    assert.equal(createHash("sha256").update(content).digest("hex"), hash);
    assert.equal(content.subarray(0, 4).toString("latin1"), "\x7fELF");
    // a program that needs a loader names it
    assert.ok(!content.includes("/lib64/ld-") && !content.includes("/lib/ld-"), `${name} is not static`);
    assert.ok(statSync(join(folder, "hook", name)).mode & 0o100);
  }
  const told = execFileSync(hook, ["--version"], { env: {}, encoding: "utf8" });
  assert.equal(told.trim(), `edgeforge-mirror ${version}`);
});

/** The released hook beside a repository of one commit. */
async function index(address, administrator) {
  const post = async (path, body) => {
    const headers = { "PRIVATE-TOKEN": administrator, "Content-Type": "application/json" };
    const answer = await fetch(`${address}/api/v3${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return await answer.json();
  };
  const { id } = await post("/projects", { name: "released" });
  const repository = join(work, "repository");
  const git = (...given) =>
    execFileSync("git", ["-C", repository, "-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...given], { encoding: "utf8" });
  mkdirSync(repository);
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "--message", "the only one");
  const given = ["sync", "--repository", repository, "--server", address, "--project", String(id)];
  // it waits for the server, which is in a process of its own
  execFileSync(hook, given, { env: { ...process.env, EDGEFORGE_TOKEN: administrator }, stdio: "pipe" });
  const [commit] = JSON.parse((await ask(address, `/api/v3/projects/${id}/repository/commits`, administrator)).text);
  assert.equal(commit.id, git("rev-parse", "HEAD").trim());
}

test("npm ci && npm run dev serves, without cargo", async () => {
  assert.equal(
    spawnSync("sh", ["-c", "command -v cargo || command -v git || command -v cc"], { env: environment, encoding: "utf8" }).stdout,
    "",
  );
  const installed = npm(["ci", "--no-audit", "--no-fund"]);
  assert.equal(installed.status, 0, installed.stderr);
  const { address, stop } = await dev();
  try {
    const [, root] = /^ADMIN_TOKEN="(.+)"$/m.exec(readFileSync(join(folder, ".dev.vars"), "utf8"));
    assert.ok(root.length >= 20);
    assert.equal(JSON.parse((await ask(address, "/api/v3/user", root)).text).username, "root");
    assert.equal(JSON.parse((await ask(address, "/api/v3/licenses/mit")).text).key, "mit");
    assert.match((await ask(address, "/")).text, /<html/i);
    assert.equal((await ask(address, "/api/v3/user")).status, 401);
    await index(address, root);
  } finally {
    await stop();
  }
  const again = await dev();
  await again.stop();
});

test("a local database is backed up and comes back, without cargo", () => {
  const backup = npm(["run", "backup", "--", "backups/one", "--local"]);
  assert.equal(backup.status, 0, backup.stderr);
  const restore = npm(["run", "restore", "--", "backups/one", "--state", join(work, "restored")]);
  assert.equal(restore.status, 0, restore.stderr);
  assert.match(restore.stdout, /rows are back/);
});

test("it is deployed to the stand-in for Cloudflare, without cargo, and again", async () => {
  const rehearsal = await start({ state: join(work, "account"), quiet: true });
  const run = (given) =>
    new Promise((done) => {
      const child = spawn("npm", given, {
        cwd: folder,
        env: {
          ...environment,
          ...rehearsal.environment,
          YES: "1",
          LOCATION: "weur",
          ADMIN_TOKEN: token,
          EXTERNAL_URL: rehearsal.workerUrl,
        },
      });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += data));
      child.once("close", (code) => done({ code, said }));
    });
  try {
    const first = await run(["run", "deploy"]);
    assert.equal(first.code, 0, first.said);
    assert.equal(JSON.parse((await ask(rehearsal.workerUrl, "/api/v3/user", token)).text).username, "root");
    assert.equal(JSON.parse((await ask(rehearsal.workerUrl, "/api/v3/licenses/mit")).text).key, "mit");
    const second = await run(["run", "deploy"]);
    assert.equal(second.code, 0, second.said);
    assert.match(second.said, /deployed already/);
    const backup = await run(["run", "backup", "--", "backups/deployed"]);
    assert.equal(backup.code, 0, backup.said);
  } finally {
    await rehearsal.stop();
  }
});
