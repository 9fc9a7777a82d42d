// What the parts of the experiment share: git, the hook, a served Worker with projects, requests, and the local R2.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { serve, token } from "../../scripts/workerd.mjs";

// no settings of a user or a machine change what git prints
const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C.UTF-8" };
for (const role of ["AUTHOR", "COMMITTER"]) Object.assign(env, { [`GIT_${role}_NAME`]: "Trial", [`GIT_${role}_EMAIL`]: "t@example.com" });
export { env };

/** The bytes that git prints for this standard input. */
export function feed(repository, input, ...args) {
  try {
    return execFileSync("git", ["-C", repository, ...args], { input, env, maxBuffer: 2 ** 31 - 1, stdio: ["pipe", "pipe", "pipe"] });
  } catch (error) {
    throw new Error(`git ${args[0]}: ${error.stderr ?? error}`);
  }
}
export const bytesOf = (repository, ...args) => feed(repository, "", ...args);
export const git = (repository, ...args) =>
  bytesOf(repository, ...args)
    .toString()
    .trim();
export const lines = (text) => text.split("\n").filter(Boolean);

/** A bare repository with the same refs, sharing objects, so that nobody pushes to it meanwhile. */
export function clone(from, to) {
  rmSync(to, { recursive: true, force: true });
  execFileSync("git", ["clone", "--quiet", "--mirror", "--shared", resolve(from), to], { stdio: ["ignore", "ignore", "inherit"] });
  return to;
}

/** Branches and tags that lead to a commit: the name as requests give it, and the commit. */
export function refsOf(repository) {
  const names = lines(git(repository, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags"));
  const peeled = feed(
    repository,
    names.map((name) => `${name}^{commit} ${name}\n`).join(""),
    "cat-file",
    "--batch-check=%(objecttype) %(objectname) %(rest)",
  );
  const found = lines(peeled.toString())
    .filter((line) => line.startsWith("commit "))
    .map((line) => line.split(" "));
  const short = (name) => name.replace(/^refs\/(heads|tags)\//, "");
  const times = new Map();
  for (const [, , name] of found) times.set(short(name), (times.get(short(name)) ?? 0) + 1);
  // a branch and a tag of the same name need their whole names
  return found.map(([, sha, name]) => ({ name: times.get(short(name)) > 1 ? name : short(name), full: name, sha }));
}

/** Leaves only the refs that match a pattern. */
export function keep(repository, patterns) {
  const kept = new Set(lines(git(repository, "for-each-ref", "--format=%(refname)", ...patterns)));
  const all = lines(git(repository, "for-each-ref", "--format=%(refname)"));
  feed(
    repository,
    all
      .filter((name) => !kept.has(name))
      .map((name) => `delete ${name}\n`)
      .join(""),
    "update-ref",
    "--stdin",
  );
}

const TIPS = 10;
/** A repository whose branches and tags lead to few commits gets branches at older ones. */
export function withPast(repository) {
  const refs = refsOf(repository);
  if (new Set(refs.map(({ sha }) => sha)).size >= TIPS) return;
  const all = lines(git(repository, "rev-list", refs[0].sha));
  for (let at = 1; at < TIPS; at++) git(repository, "branch", "--force", `past-${at}`, all[Math.floor((all.length * at) / TIPS)]);
}

/** Three of them: the default branch, and the rest from different places of the list. */
export function threeOf(repository, refs) {
  const head = git(repository, "symbolic-ref", "HEAD");
  const first = refs.find(({ full }) => full === head) ?? refs[0];
  const others = refs.filter(({ sha }) => sha !== first.sha);
  const picked = [others[Math.floor(others.length / 2)], others.at(-1)].filter(Boolean);
  return [first, ...new Set(picked)];
}

/** Numbers that look random, the same in each run. */
export function dice(seed) {
  let state = seed;
  return (below) => (state = (state * 16_807) % 2_147_483_647) % below;
}

/** Calls `work` for each item, some at once. */
export async function inLanes(items, number, work) {
  const iterator = items[Symbol.iterator]();
  const lane = async () => {
    for (const item of iterator) await work(item);
  };
  await Promise.all(Array.from({ length: number }, lane));
}

/** Starts the hook. Resolves to its exit code, output and most memory. */
export function hook(program, repository, address, project, ...args) {
  const child = spawn(program, [...args, "--repository", repository, "--server", address, "--project", project], {
    env: { ...env, EDGEFORGE_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
  const ended = new Promise((done) => child.once("close", (code, signal) => done({ code, signal, said: said.trim() })));
  return { child, ended };
}

// repositories of others may be longer than a project's bytes
const ROOM = ["--var", "PROJECT_BYTES=0", "--var", "INSTANCE_BYTES=0"];

/** Serves a copy of a state. */
export async function fresh(from, to, more = []) {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
  return begin(to, more);
}
export const begin = (state, more = []) => serve(state, 0, [...ROOM, ...more]);

/** A GET of a path below /api/v4, or of an address: status, headers, bytes and what it cost. Once more if the connection broke. */
export async function get(server, path) {
  const address = path.startsWith("http") ? path : `${server.address}/api/v4${path}`;
  const ask = () => fetch(address, { headers: { "PRIVATE-TOKEN": token, "Accept-Encoding": "identity" } });
  const answer = await ask().catch(ask);
  const body = Buffer.from(await answer.arrayBuffer());
  const timing = answer.headers.get("Server-Timing") ?? "";
  const number = (pattern) => Number(pattern.exec(timing)?.[1] ?? 0);
  return {
    status: answer.status,
    headers: answer.headers,
    body,
    millis: number(/d1;dur=([\d.]+)/),
    trips: number(/trips;desc="(\d+)"/),
    rows: number(/rows_read;desc="(\d+)"/),
    next: /<([^>]*)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1],
    json: () => JSON.parse(body.toString()),
    said: () => refusalOf(answer.status, body.toString()),
  };
}

/** The message of a refusal, which begins with its status. */
function refusalOf(status, text) {
  const message = /"(?:message|error)":\s*"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 200);
  return message.startsWith(`${status}`) ? message : `${status} ${message}`;
}

/** The local R2's own list, opened as a file. */
export function bucket(state) {
  const folder = join(state, "v3/r2/miniflare-R2BucketObject");
  const file = readdirSync(folder).find((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  return new DatabaseSync(join(folder, file));
}

export const mebi = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
