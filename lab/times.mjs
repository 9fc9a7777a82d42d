// How long do the commands take that a person types? Each on a fresh clone of this commit with empty homes of cargo and
// npm, and again in the same clone; and the tests of one area after one changed file. Writes docs/times.tsv, which the
// documents repeat. Nothing else may run on the machine.
//
//   node lab/times.mjs     Variables: RUNS of make test (5; from 5 on two are on fresh clones), ONLY (wrangler,dev,test,prove,loop)
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort } from "../scripts/workerd.mjs";

const FILE = "docs/times.tsv";
const { RUNS = "5", ONLY = "wrangler,dev,test,prove,loop" } = process.env;
const base = mkdtempSync(join(tmpdir(), "edgeforge-times-"));
const logs = resolve("build/times");
mkdirSync(logs, { recursive: true });
process.on("exit", () => rmSync(base, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
const commit = git("rev-parse", "--short", "HEAD");

/** A clone of this commit, and a home without anything but the Rust toolchain and the user's registries. */
class Clone {
  constructor(name) {
    this.home = join(base, name);
    this.folder = join(this.home, "edgeforge");
    mkdirSync(join(this.home, ".cargo"), { recursive: true });
    git("clone", "--quiet", ".", this.folder);
    for (const file of [".cargo/config.toml", ".npmrc"])
      if (existsSync(join(homedir(), file))) cpSync(join(homedir(), file), join(this.home, file));
  }

  /** Seconds of a command: until it ends, or until `isReady`. */
  async took(name, command, isReady) {
    const kept = /^(PATH|LANG|LC_.*|TMPDIR|.*_proxy|.*_PROXY|.*CA.*|SSL.*|PIP_.*|npm_config_registry)$/;
    const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => kept.test(key)));
    env.PATH = env.PATH.split(":")
      .filter((part) => !part.includes("node_modules"))
      .join(":");
    Object.assign(env, {
      HOME: this.home,
      RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), ".rustup"),
      CARGO_HOME: join(this.home, ".cargo"),
      WRANGLER_SEND_METRICS: "false",
    });
    const log = join(logs, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.log`);
    writeFileSync(log, "");
    const child = spawn("bash", ["-c", `trap : TERM; TIMEFORMAT="took %R %U %S"; time ${command}`], {
      cwd: this.folder,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (data) => {
        said += data;
        appendFileSync(log, data);
      });
    }
    const closed = new Promise((done) => child.once("close", done));
    const began = Date.now();
    let wall;
    if (isReady) {
      while (child.exitCode === null && !(await isReady(said))) await pause(100);
      wall = (Date.now() - began) / 1000;
      if (child.exitCode === null) process.kill(-child.pid, "SIGTERM");
    }
    const code = await closed;
    wall ??= (Date.now() - began) / 1000;
    const [, user = 0, system = 0] = /took \S+ (\S+) (\S+)\s*$/.exec(said) ?? [];
    if (!isReady && code !== 0) throw new Error(`${name} failed: ${log}`);
    console.log(
      `${name.padEnd(44)} ${wall.toFixed(1).padStart(7)} s wall ${(Number(user) + Number(system)).toFixed(0).padStart(6)} s processor`,
    );
    return wall;
  }
}

const times = new Map();
const keep = (name, first, again) =>
  times.set(
    name,
    [first, again].map((one) => (one === undefined ? "" : Math.ceil(one))),
  );
const wants = (name) => ONLY.split(",").includes(name);
const answers = (address) =>
  fetch(address).then(
    ({ status }) => status === 200,
    () => false,
  );

const parts = {
  async wrangler() {
    const clone = new Clone("wrangler");
    const runs = [];
    for (const run of ["first", "again"]) {
      const port = await freePort();
      runs.push(
        await clone.took(`npx wrangler dev, ${run}`, `npx --yes wrangler dev --port ${port}`, () =>
          answers(`http://127.0.0.1:${port}/api/v4/projects`),
        ),
      );
    }
    keep("npx wrangler dev", ...runs);
  },
  async dev() {
    const clone = new Clone("dev");
    const isServing = (said) => said.includes("serving; requests are logged");
    const runs = [];
    for (const run of ["first", "again"]) runs.push(await clone.took(`make dev, ${run}`, `make dev PORT=${await freePort()}`, isServing));
    keep("make dev", ...runs);
  },
  async test() {
    const clone = new Clone("test");
    const first = [await clone.took("make test, first", "make test")];
    if (wants("prove"))
      keep("make prove", await clone.took("make prove, first", "make prove"), await clone.took("make prove, again", "make prove"));
    const again = [];
    const clones = Number(RUNS) > 4 ? 2 : 1;
    for (let run = 0; run < Number(RUNS) - clones; run++) again.push(await clone.took(`make test, again ${run + 1}`, "make test"));
    keep("make check", undefined, await clone.took("make check, again", "make check"));
    if (wants("loop")) await loop(clone);
    rmSync(clone.home, { recursive: true });
    if (clones > 1) first.push(await new Clone("test-2").took("make test, on a second clone", "make test"));
    keep("make test", Math.max(...first), Math.max(...again));
  },
};

/** The tests of labels after one changed file. */
async function loop(clone) {
  const labels = "cargo test --quiet --locked --test api labels";
  await clone.took("cargo test --test api labels, the first time", labels);
  const changes = [
    ["an endpoint", "src/areas/labels/v3.rs", "//", labels],
    ["a statement", "src/areas/labels/labels.sql", "--", labels],
    ["a reader of parameters", "src/kernel/params/mod.rs", "//", labels],
    ["a test", "tests/api/labels/v3.rs", "//", labels],
    ["a page", "page/main.jsx", "//", "scripts/page"],
  ];
  for (const [what, file, comment, command] of changes) {
    appendFileSync(join(clone.folder, file), `\n${comment} changed\n`);
    keep(`after ${what}`, undefined, await clone.took(`after ${what}: ${command}`, command));
  }
}

for (const [name, measure] of Object.entries(parts)) if (wants(name)) await measure();
const old = existsSync(FILE)
  ? readFileSync(FILE, "utf8")
      .split("\n")
      .filter((line) => line && !line.startsWith("#"))
  : [];
const lines = new Map(old.map((line) => [line.split("\t")[0], line]));
for (const [name, values] of times) lines.set(name, [name, ...values].join("\t"));
const head = `# Seconds of a command on a fresh clone, and again. make -C lab times wrote it on ${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${cpus().length} cores.\n`;
writeFileSync(FILE, `${head}${[...lines.values()].join("\n")}\n`);
console.log(`written to ${FILE}`);
