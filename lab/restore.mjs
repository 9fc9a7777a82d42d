// See lab/restore.
//
//   node lab/restore.mjs --work DIR --hook PROGRAM --commits N     DIR/first is a prepared state
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Findings, freePort, serve, token } from "../scripts/workerd.mjs";
import { dice, git, hook, inLanes } from "./contents/world.mjs";

/** @type {any} */
const { values: given } = parseArgs({ options: { work: { type: "string" }, hook: { type: "string" }, commits: { type: "string" } } });
const findings = new Findings();
const repository = join(given.work, "project.git");
const roll = dice(1);
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const project = "/projects/root%2Fproject";

/** Bytes that do not shrink. */
function noise(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at++) bytes[at] = roll(256);
  return bytes;
}
const textOf = (lines) => Array.from({ length: lines }, () => `line ${roll(1_000_000)}\n`).join("");

/** Commits that change one to three of 60 files. Each tenth has a long diff, each twenty-fifth a picture. */
function history() {
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", repository]);
  const input = [];
  const file = (path, bytes) => input.push(`M 100644 inline ${path}\ndata ${bytes.length}\n`, bytes, "\n");
  for (let number = 1; number <= Number(given.commits); number++) {
    const at = `Dev <dev@example.com> ${1_700_000_000 + number} +0000`;
    const message = `Change ${number}`;
    input.push(`commit refs/heads/main\nauthor ${at}\ncommitter ${at}\ndata ${message.length}\n${message}\n`);
    if (number % 10 === 0) file("long.txt", Buffer.from(textOf(9000)));
    if (number % 25 === 0) file(`pictures/${number}.png`, noise(50_000));
    for (let changed = 0; changed <= roll(3); changed++) {
      const which = roll(60);
      file(`dir${which % 6}/in/file${which}.txt`, Buffer.from(textOf(1 + roll(40))));
    }
  }
  const bytes = Buffer.concat(input.map((part) => Buffer.from(part)));
  execFileSync("git", ["-C", repository, "fast-import", "--quiet"], { input: bytes });
  git(repository, "tag", "v1", `main~${Math.floor(Number(given.commits) / 2)}`);
}

/** The answer as JSON. */
async function ask(method, path, body, type) {
  const headers = { "PRIVATE-TOKEN": token, ...(type && { "Content-Type": type }) };
  const answer = await fetch(`${address}/api/v4${path}`, { method, headers, body });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}
const post = (path, fields) => ask("POST", path, JSON.stringify(fields), "application/json");

/** Issues and comments with pictures, and releases with packages. */
async function fill() {
  const upload = async (name) => {
    const form = new FormData();
    form.append("file", new Blob([noise(20_000 + roll(300_000))]), name);
    return (await ask("POST", `${project}/uploads`, form)).markdown;
  };
  for (let number = 1; number <= 30; number++) {
    const issue = await post(`${project}/issues`, { title: `Issue ${number}`, description: await upload(`${number}.png`) });
    await post(`${project}/issues/${issue.iid}/notes`, { body: `${await upload("a.jpg")} ${await upload("b.bin")}` });
  }
  for (let number = 1; number <= 5; number++) {
    for (const name of ["a.tar.gz", "b.bin"]) await ask("PUT", `${project}/packages/generic/app/1.${number}/${name}`, noise(1_000_000));
  }
  await post(`${project}/releases`, { tag_name: "v1", description: await upload("notes.png") });
}

/** Every address with something of the project, by what it is. */
async function addresses() {
  const found = { rows: [], pictures: [], packages: [], diffs: [], trees: [], files: [] };
  const lists = ["/issues?per_page=100", "/releases", "/packages?per_page=100", "/repository/branches", "/repository/tags"];
  found.rows.push(...lists.map((path) => `/api/v4${project}${path}`));
  for (const { iid } of await ask("GET", `${project}/issues?per_page=100`)) found.rows.push(`/api/v4${project}/issues/${iid}/notes`);
  const { id } = await ask("GET", project);
  const texts = (await Promise.all(found.rows.map((path) => ask("GET", path.slice(7))))).map((rows) => JSON.stringify(rows));
  const pictures = texts.flatMap((text) => [...text.matchAll(/\]\((\/uploads\/[0-9a-f]{32}\/[^)]+)\)/g)].map(([, path]) => path));
  found.pictures.push(...new Set(pictures.map((path) => `/-/project/${id}${path}`)));
  for (let number = 1; number <= 5; number++)
    for (const name of ["a.tar.gz", "b.bin"]) found.packages.push(`/api/v4${project}/packages/generic/app/1.${number}/${name}`);
  const commits = git(repository, "rev-list", "--all").split("\n");
  const at = `/api/v4${project}/repository`;
  found.rows.push(...commits.map((sha) => `${at}/commits/${sha}`));
  found.diffs.push(...commits.map((sha) => `${at}/commits/${sha}/diff?per_page=100`));
  found.trees.push(...commits.map((sha) => `${at}/tree?ref=${sha}&recursive=true&per_page=100`));
  const objects = git(repository, "rev-list", "--all", "--objects", "--filter=object:type=blob", "--filter-provided-objects");
  found.files.push(...objects.split("\n").map((line) => `${at}/blobs/${line.split(" ")[0]}/raw`));
  return found;
}

/** Reads all of them. Resolves to the sum of each answer's bytes; null for what is not there. */
async function read(found) {
  const sums = {};
  for (const [kind, paths] of Object.entries(found)) {
    sums[kind] = {};
    await inLanes(paths, 8, async (path) => {
      const answer = await fetch(address + path, { headers: { "PRIVATE-TOKEN": token } });
      const bytes = Buffer.from(await answer.arrayBuffer());
      sums[kind][path] = answer.ok ? createHash("sha256").update(bytes).digest("hex") : null;
    });
  }
  return sums;
}

function compare(before, after, mayLack, when) {
  for (const [kind, sums] of Object.entries(before)) {
    const paths = Object.keys(sums);
    const lost = paths.filter((path) => after[kind][path] === null);
    const other = paths.filter((path) => after[kind][path] !== null && after[kind][path] !== sums[path]);
    const words = `${when}: ${paths.length - lost.length - other.length} of ${paths.length} ${kind}, ${lost.length} lost, ${other.length} different`;
    findings.check(other.length === 0 && (lost.length === 0 || mayLack.includes(kind)), words);
  }
}

const run = (program, ...args) => console.log(execFileSync(process.execPath, ["--no-warnings", program, ...args], { encoding: "utf8" }));
const sync = async (...args) => {
  const { code, said } = await hook(given.hook, repository, address, "root/project", "sync", ...args).ended;
  console.log(said);
  findings.check(code === 0, `sync ${args.join(" ")} ends with ${code}`);
};

history();
let server = await serve(join(given.work, "first"), port);
await post("/projects", { name: "project", path: "project" });
await sync("--contents", "history");
await fill();
const found = await addresses();
const before = await read(found);
for (const [kind, sums] of Object.entries(before))
  findings.check(!Object.values(sums).includes(null), `${Object.keys(sums).length} ${kind} before the backup`);
await server.stop();
const backup = join(given.work, "backup");
run("scripts/backup.mjs", backup, "--state", join(given.work, "first"));
run("scripts/restore.mjs", backup, "--state", join(given.work, "second"));
run("scripts/prepare.mjs", join(given.work, "second"));
server = await serve(join(given.work, "second"), port);
compare(before, await read(found), ["diffs", "trees", "files"], "restored");
await sync("--recheck");
compare(before, await read(found), [], "after sync --recheck");
await server.stop();
findings.end();
