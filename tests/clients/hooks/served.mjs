// A served Worker of its own, and what a test needs around it: users, a repository with the hook, a clone.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serve, token as root } from "../../../scripts/workerd.mjs";

export const token = root;
const GIT = ["GIT_HTTP_URL=https://git.example.com/{path}.git", "GIT_SSH_URL=git@git.example.com:{path}.git"];

export class Api {
  constructor(base, token) {
    this.base = base;
    this.token = token;
  }

  async ask(method, path, body) {
    // the runtime closes a connection that was idle for some seconds, which a slow machine would meet
    const headers = { "PRIVATE-TOKEN": this.token, "Content-Type": "application/json", Connection: "close" };
    const answer = await fetch(`${this.base}/api/v4${path}`, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return text ? JSON.parse(text) : null;
  }

  post(path, body) {
    return this.ask("POST", path, body);
  }

  put(path, body) {
    return this.ask("PUT", path, body);
  }
}

/** A repository with the hook, and a clone. */
export class Repository {
  constructor(folder, { hook, server, project, token }) {
    const [bare, clone, secret] = ["project.git", "clone", "token"].map((name) => join(folder, name));
    this.bare = bare;
    this.clone = clone;
    writeFileSync(secret, token, { mode: 0o600 });
    this.run("git", "init", "--quiet", "--bare", "--initial-branch=main", bare);
    this.run(resolve(hook), "install", "--repository", bare, "--server", server, "--project", project, "--token-file", secret);
    this.run("git", "init", "--quiet", "--initial-branch=main", clone);
  }

  run(program, ...args) {
    const who = ["AUTHOR", "COMMITTER"].flatMap((role) => [
      [`GIT_${role}_NAME`, "Zoë Ünal"],
      [`GIT_${role}_EMAIL`, "zoe@example.com"],
    ]);
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", ...Object.fromEntries(who) };
    return execFileSync(program, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  }

  git(...args) {
    return this.run("git", "-C", this.clone, ...args);
  }

  commit(name, text, message) {
    writeFileSync(join(this.clone, name), text);
    this.git("add", ".");
    this.git("commit", "--quiet", "-m", message);
    return this.git("rev-parse", "HEAD");
  }

  push(...refs) {
    this.git("push", "--quiet", this.bare, ...refs);
  }
}

export class Served {
  address = "";
  folder = "";
  /** @type {any} */
  worker;

  /** What the Worker sends to other servers goes to the address `outbound`. `variables` are of the Worker, `more` are of scripts/serve.mjs. */
  static async start(outbound, variables = GIT, more = []) {
    const folder = mkdtempSync(join(tmpdir(), "edgeforge-hooks-"));
    const state = join(folder, "state");
    // PREPARED names a state that scripts/prepare made, to copy instead of making one again
    if (process.env.PREPARED) cpSync(process.env.PREPARED, state, { recursive: true });
    else execFileSync("scripts/prepare", [state], { stdio: "ignore" });
    const worker = await serve(state, 0, [
      ...(outbound ? ["--outbound", outbound] : []),
      ...variables.flatMap((pair) => ["--var", pair]),
      ...more,
    ]);
    return Object.assign(new Served(), { folder, worker, address: worker.address });
  }

  api(token) {
    return new Api(this.address, token);
  }

  /** A new user with that level in the project. Returns the API with a token of theirs. */
  async member(path, username, access_level) {
    const admin = this.api(root);
    const user = await admin.post("/users", {
      username,
      name: `${username} of the tests`,
      email: `${username}@example.com`,
      password: root,
    });
    const { token } = await admin.post(`/users/${user.id}/personal_access_tokens`, { name: "hooks", scopes: ["api"] });
    await admin.post(`${path}/members`, { user_id: user.id, access_level });
    return Object.assign(this.api(token), { id: user.id });
  }

  /** An empty repository of the project, mirrored with a token of that maintainer. */
  async repository(maintainer, project, hook) {
    const { token } = await maintainer.post(`/projects/${project.id}/hook_tokens`, { name: "server-1" });
    return new Repository(this.folder, { hook, server: this.address, project: project.path_with_namespace, token });
  }

  async stop() {
    await this.worker.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
