// An account to rehearse with, and a copy of the project to deploy from, which a case may change.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { database } from "../workerd.mjs";
import { start } from "./server.mjs";

export const token = "the-token-of-root-in-the-rehearsal";

/** Copies the files that git would commit and the built ones; links the tools. */
function copyProject(to) {
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" })
    .split("\0")
    .filter(Boolean);
  for (const file of files) cpSync(file, join(to, file), { recursive: true });
  cpSync("build", join(to, "build"), { recursive: true });
  for (const folder of ["node_modules", "target"]) symlinkSync(resolve(folder), join(to, folder));
}

/** Runs a program. Resolves to its exit code and its output. */
function run(program, args, { cwd, env, input = "" }) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, CI: "1", NO_COLOR: "1", WRANGLER_SEND_METRICS: "false", ...env } });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (text += part));
    child.once("error", fail);
    child.once("close", (code) => done({ code, text }));
    child.stdin.once("error", () => {});
    child.stdin.end(input);
  });
}

export class World {
  folder = mkdtempSync(join(tmpdir(), "edgeforge-rehearsal-"));
  project = join(this.folder, "project");
  /** @type {any} */
  rehearsal;

  constructor(check) {
    this.check = check;
  }

  static async make(check) {
    const world = new World(check);
    copyProject(world.project);
    world.rehearsal = await start({ state: join(world.folder, "account"), quiet: true });
    return world;
  }

  /** The scripts' environment, without the project's own variables. */
  get environment() {
    const cleared = { YES: "", LOCATION: "", ADMIN_TOKEN: "", FORCE: "", CONFIG: "", DRY_RUN: "" };
    return { ...cleared, ...this.rehearsal.environment, EXTERNAL_URL: this.rehearsal.workerUrl };
  }

  /** `scripts/deploy` with these variables. */
  async deploy(variables = {}) {
    this.rehearsal.calls.length = 0;
    return await run("scripts/deploy", [], { cwd: this.project, env: { ...this.environment, ...variables } });
  }

  async script(file, ...args) {
    return await run(process.execPath, ["--no-warnings", file, ...args], { cwd: this.project, env: this.environment });
  }

  async wrangler(args, input) {
    return await run(process.execPath, ["--no-warnings", "node_modules/wrangler/bin/wrangler.js", ...args], {
      cwd: this.project,
      env: this.environment,
      input,
    });
  }

  /** How often the API was called with this path since the last deploy began. */
  calls(pattern) {
    return this.rehearsal.calls.filter((call) => pattern.test(call)).length;
  }

  /**
   * @param {string} path
   * @param {{ as?: string | null, method?: string, body?: any, accept?: string }} [options]
   */
  async ask(path, { as = token, method = "GET", body, accept = "*/*" } = {}) {
    const headers = { Accept: accept, ...(as && { "PRIVATE-TOKEN": as }), ...(body && { "Content-Type": "application/json" }) };
    const answer = await fetch(this.rehearsal.workerUrl + path, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    let json;
    try {
      json = JSON.parse(text);
    } catch {
      // an HTML page
    }
    return { status: answer.status, headers: answer.headers, text, json };
  }

  async api(method, path, body) {
    const { CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_API_TOKEN: bearer, CLOUDFLARE_ACCOUNT_ID: account } = this.rehearsal.environment;
    const raw = body instanceof FormData || typeof body === "string";
    const headers = { Authorization: `Bearer ${bearer}`, ...(!raw && body && { "Content-Type": "application/json" }) };
    const answer = await fetch(`${base}/accounts/${account}${path}`, { method, headers, body: raw ? body : body && JSON.stringify(body) });
    return await answer.json();
  }

  edit(file, change) {
    const path = join(this.project, file);
    writeFileSync(path, change(readFileSync(path, "utf8")));
  }

  write = (file, text) => writeFileSync(join(this.project, file), text);
  erase = (file) => rmSync(join(this.project, file), { recursive: true, force: true });

  /** The first column of a query to the account's database, read from its file. */
  rows(sql) {
    const opened = database(join(this.folder, "account"), { readOnly: true });
    try {
      return opened
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)[0]);
    } finally {
      opened.close();
    }
  }

  get worker() {
    return this.rehearsal.account.scripts.edgeforge;
  }

  async end() {
    await this.rehearsal.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
