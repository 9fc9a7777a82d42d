// See lab/index.
//
//   node lab/index.mjs --repository DIR --hook PROGRAM --base STATE --work DIR --sample N --kills N --crashes N
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { database, Findings, pause, serve, token } from "../scripts/workerd.mjs";
import { clone as cloneTo, feed as bytesOf, git } from "./contents/world.mjs";
import { takesAll } from "./takes-all.mjs";

/** @type {{ type: "string", multiple: false }} */
const text = { type: "string", multiple: false };
const { values: given } = parseArgs({
  options: { repository: text, hook: text, base: text, work: text, sample: text, kills: text, crashes: text },
});
const findings = new Findings();
const check = (holds, words) => findings.check(holds, words);
const seconds = (since) => (performance.now() - since) / 1000;
const megabytes = (bytes) => `${Math.round(bytes / 2 ** 20)} MiB`;

/** The most memory of a process in bytes; 0 if the system does not report it. */
function peak(pid) {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The processor time of a process and of its ended children, in seconds; 0 if it is gone. */
function processor(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    return 0;
  }
}

function childrenOf(pid) {
  try {
    return execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
      .split("\n")
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

const feed = (...asked) =>
  bytesOf(...asked)
    .toString()
    .trim();
const clone = (name) => cloneTo(given.repository, join(given.work, `${name}.git`));

// commits may come to the repository meanwhile
given.repository = clone("source");

/** Adds commits to HEAD's branch, one new file each. Returns the new tip. */
function grow(repository, number, word) {
  const branch = git(repository, "symbolic-ref", "HEAD");
  let tip = git(repository, "rev-parse", branch);
  for (let made = 0; made < number; made++) {
    const blob = feed(repository, `${word} ${made}\n`, "hash-object", "-w", "--stdin");
    const tree = feed(repository, `${git(repository, "ls-tree", tip)}\n100644 blob ${blob}\tzz-${word}-${made}\n`, "mktree");
    tip = feed(repository, `${word} ${made}\n`, "commit-tree", tree, "-p", tip);
  }
  git(repository, "update-ref", branch, tip);
  return tip;
}

/** Serves a fresh state with the project of the trials. */
async function fresh(name) {
  const state = join(given.work, name);
  rmSync(state, { recursive: true, force: true });
  cpSync(given.base, state, { recursive: true });
  const server = await serve(state);
  await server.make("/projects", { name: "trial" });
  return { state, server };
}

// commits and refs: trees and files have tests of their own
const SYNC = ["sync", "--contents", "none"];

/** Starts the hook. Resolves to its exit code, its output, and the most memory of it and its git. */
function hook(repository, server, ...args) {
  const child = spawn(given.hook, [...args, "--repository", repository, "--server", server.address, "--project", "root/trial"], {
    env: { ...process.env, EDGEFORGE_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (bytes) => (said += bytes));
  child.stderr.on("data", (bytes) => (said += bytes));
  const most = { hook: 0, git: 0 };
  let cpu = 0;
  const watch = setInterval(() => {
    const children = childrenOf(child.pid);
    most.hook = Math.max(most.hook, peak(child.pid));
    for (const pid of children) most.git = Math.max(most.git, peak(pid));
    cpu = Math.max(
      cpu,
      [child.pid, ...children].reduce((sum, pid) => sum + processor(pid), 0),
    );
  }, 100);
  const ended = new Promise((done) =>
    child.once("close", (code, signal) => {
      clearInterval(watch);
      done({ code, signal, said: said.trim(), most, cpu });
    }),
  );
  return { child, ended };
}

/** A hash of each table of the project's index, without the database's own numbers. */
function dump(state) {
  const db = database(state);
  const of = "from commits c join projects p on p.id = c.project_id and p.path = 'trial'";
  const fields = db.prepare("select name from pragma_table_info('commits') where name not in ('id', 'project_id') order by cid").all();
  const tables = {
    commits: `select ${fields.map(({ name }) => `c.${name}`).join(", ")} ${of} order by c.sha`,
    parents: `select c.sha, e.position, k.sha as parent, e.parent_committed_at ${of} join parents e on e.child_id = c.id
      join commits k on k.id = e.parent_id order by c.sha, e.position`,
    diffs: `select c.sha, d.part, d.text, d.bytes, d.digest ${of} join diffs d on d.commit_id = c.id order by c.sha, d.part`,
    refs: `select r.name, c.sha, r.message, p.default_branch ${of} join refs r on r.project_id = p.id and r.commit_id = c.id order by r.name`,
  };
  const found = {};
  for (const [table, query] of Object.entries(tables)) {
    const hash = createHash("sha256");
    let rows = 0;
    for (const row of db.prepare(query).iterate()) {
      rows++;
      hash.update(JSON.stringify(Object.values(row)));
    }
    found[table] = `${rows} rows ${hash.digest("hex").slice(0, 16)}`;
  }
  found.integrity = db.prepare("pragma integrity_check").get().integrity_check;
  db.close();
  return found;
}

function compare(state, wanted) {
  const found = dump(state);
  const differ = Object.keys(wanted).filter((table) => found[table] !== wanted[table]);
  check(differ.length === 0, differ.length ? `differs from a fresh sync in ${differ.join(", ")}` : "row by row as a fresh sync");
}

/** The refs that the index should have: those of commits, peeled as git does. */
function refs(repository) {
  const names = git(repository, "for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags").split("\n");
  const asked = names.map((name) => `${name}^{commit} ${name}\n`).join("");
  const peeled = feed(repository, asked, "cat-file", "--batch-check=%(objecttype) %(rest) %(objectname)");
  return peeled
    .split("\n")
    .filter((line) => line.startsWith("commit "))
    .map((line) => line.slice(7));
}

/** The commits in a cursor: those that wait, and those that the walk may meet again. */
function carried(link) {
  const cursor = link && new URL(link).searchParams.get("cursor");
  if (!cursor) return 0;
  const bytes = Buffer.from(JSON.parse(Buffer.from(cursor, "base64url").toString()).at(-1), "base64url");
  // Numbers of seven bits a byte, the last byte of each below 128, doubled. After the first comes how many commits wait,
  // then a number for each of these, and two for each of the others.
  const ends = [...bytes.keys()].filter((at) => bytes[at] < 128);
  const waiting = bytes.subarray(ends[0] + 1, ends[1] + 1).reduce((sum, byte, at) => sum + (byte & 127) * 128 ** at, 0) / 2;
  return waiting + (ends.length - 2 - waiting) / 2;
}

/**
 * Follows `next` through the default branch: the commits in git's order, and the rows read for each page. A page reads 30
 * rows a commit. Merges cost more: for each, and for each commit that waits before and after the page, `EACH_OTHER` rows.
 */
const [ROWS_OF_PAGE, ROWS_OF_COMMIT, EACH_OTHER] = [50, 30, 10];
async function pages(api, size) {
  const wanted = git(given.repository, "rev-list", "--parents", "HEAD")
    .split("\n")
    .map((line) => line.split(" "));
  const [rows, over, started] = [[], [], performance.now()];
  let next = `${server.address}/api/${api}/projects/root%2Ftrial/repository/commits?per_page=${size}`;
  let [read, same] = [0, true];
  while (next) {
    const answer = await ask(next);
    const commits = await answer.json();
    const merges = wanted.slice(read, read + commits.length).filter((words) => words.length > 2).length;
    same &&= answer.status === 200 && commits.every(({ id }) => id === wanted[read++]?.[0]);
    const before = carried(next);
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link"))?.[1];
    rows.push(Number(/rows_read;desc="(\d+)"/.exec(answer.headers.get("Server-Timing"))[1]));
    const most = ROWS_OF_PAGE + ROWS_OF_COMMIT * commits.length + EACH_OTHER * (merges + before + carried(next));
    if (rows.at(-1) > most) over.push(`page ${rows.length} ${rows.at(-1)} of ${most}`);
  }
  const each = rows.toSorted((a, b) => a - b);
  const median = each[Math.floor(each.length / 2)];
  check(
    same && read === wanted.length,
    `${api}, every page of ${size} by next: ${read} commits on ${rows.length} pages as git lists them, ${((performance.now() - started) / rows.length).toFixed(0)} ms a page`,
  );
  check(
    over.length === 0,
    `rows read of a page: least ${each[0]}, median ${median}, most ${each.at(-1)} (page ${rows.indexOf(each.at(-1)) + 1}); over the bound: ${over.slice(0, 5).join(", ") || "none"}`,
  );
}

/** The server may close an idle connection just when it is used again: then the request is sent once more. */
function ask(address) {
  const get = () => fetch(address, { headers: { "PRIVATE-TOKEN": token } });
  return get().catch(get);
}

/** Follows `next` through a list of commits: their hashes, the most rows and milliseconds of a page, or the refusal. */
async function follow(query) {
  const found = { shas: [], rows: 0, millis: 0, cursor: 0, refused: "" };
  let next = `${server.address}/api/v4/projects/root%2Ftrial/repository/commits?per_page=100&${query}`;
  while (next) {
    const answer = await ask(next);
    if (answer.status !== 200) return { ...found, refused: await answer.text() };
    found.shas.push(...(await answer.json()).map(({ id }) => id));
    const timing = answer.headers.get("Server-Timing");
    found.rows = Math.max(found.rows, Number(/rows_read;desc="(\d+)"/.exec(timing)[1]));
    found.millis = Math.max(found.millis, Number(/d1;dur=([\d.]+)/.exec(timing)?.[1] ?? 0));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link"))?.[1];
    found.cursor = Math.max(found.cursor, (next && new URL(next).searchParams.get("cursor")?.length) ?? 0);
  }
  return found;
}

/** Compares ranges between branches and tags, and the list of all of them, with git's. */
async function ranges(number) {
  const names = refs(given.repository)
    .map((line) => line.split(" ")[0])
    .sort();
  const pick = (at) => names[at % names.length];
  const list = (...args) =>
    git(given.repository, "rev-list", ...args)
      .split("\n")
      .filter(Boolean);
  // some neighbours, which are releases in a row, and some far from each other
  const pairs = Array.from({ length: number }, (_, at) => [pick(at * 7919), pick(at * 7919 + (at % 2 ? 1 : at * 104729))]);
  const asked = pairs.map(([from, to]) => [`ref_name=${encodeURIComponent(`${from}..${to}`)}`, `${from}..${to}`]);
  for (const [query, ...args] of [
    ["all=true", "--branches", "--tags"],
    ["all=true&first_parent=true", "--first-parent", "--branches", "--tags"],
    ...asked,
  ]) {
    const found = await follow(query);
    const wanted = list(...args);
    const words = `${args.join(" ")}: ${wanted.length} commits; of a page at most ${found.rows} rows, ${found.millis} ms, a cursor of ${found.cursor} characters`;
    check(
      found.refused || found.shas.join() === wanted.join(),
      `${words}${found.refused ? `; refused: ${found.refused}` : `, listed ${found.shas.length}`}`,
    );
  }
}

/** The commits of HEAD that changed each path or something below it against their first parent, in the order of git's list. */
function commitsOfPaths() {
  const found = new Map();
  const log = git(
    given.repository,
    "log",
    "--format=%x00%x00%H",
    "--name-only",
    "-z",
    "--no-renames",
    "--diff-merges=first-parent",
    "HEAD",
  );
  for (const commit of log.split("\0\0\0").map((text) => text.replace(/^\0+/, ""))) {
    const [sha, ...names] = commit
      .split("\0")
      .map((name) => name.replace(/^\n/, ""))
      .filter(Boolean);
    const touched = new Set(names.flatMap((name) => [...name.matchAll(/\/|$/g)].map(({ index }) => name.slice(0, index))));
    for (const path of touched) found.get(path)?.push(sha) ?? found.set(path, [sha]);
  }
  return found;
}

/** Compares the commits of `number` paths with git's: of each tenth path of all the history, of the others of its newest part. */
async function paths(number) {
  const all = commitsOfPaths();
  const newest = git(given.repository, "rev-list", "--max-count=3000", "HEAD").split("\n");
  const since = Number(git(given.repository, "show", "-s", "--format=%ct", newest.at(-1)));
  const recent = new Set(git(given.repository, "rev-list", `--since=${since}`, "HEAD").split("\n"));
  const names = [...all.keys()].filter((name) => all.get(name).length > 1).sort();
  const [differ, worst] = [[], { rows: 0, millis: 0 }];
  let shown = 0;
  for (let at = 0; at < number; at++) {
    const path = names[(at * 7919) % names.length];
    const whole = at % 10 === 0;
    const found = await follow(`path=${encodeURIComponent(path)}${whole ? "" : `&since=${new Date(since * 1000).toISOString()}`}`);
    const wanted = all.get(path).filter((sha) => whole || recent.has(sha));
    shown += wanted.length;
    for (const figure of ["rows", "millis"]) worst[figure] = Math.max(worst[figure], found[figure]);
    if (found.shas.join() !== wanted.join()) differ.push(`${path}: ${found.shas.length} of ${wanted.length} ${found.refused}`);
  }
  check(
    differ.length === 0,
    `${number} paths, ${shown} commits as git lists them; of a page at most ${worst.rows} rows, ${worst.millis} ms; others: ${differ.slice(0, 5).join(", ") || "none"}`,
  );
}

const total = Number(git(given.repository, "rev-list", "--count", "--branches", "--tags"));
console.log(`${total} commits, ${refs(given.repository).length} refs`);

let started = performance.now();
const log = "TIMEFORMAT='%U %S'; time git -C \"$0\" log --raw -p -M50% --diff-merges=first-parent --branches --tags >/dev/null";
const gitAlone = () =>
  spawnSync("bash", ["-c", log, given.repository], { encoding: "utf8" })
    .stderr.trim()
    .split(" ")
    .reduce((sum, each) => sum + Number(each), 0);
const gits = gitAlone();
const alone = seconds(started);

const repository = clone("mirror");
const sink = await takesAll();
// in turns, because the machine's speed changes
const turns = { git: [gits], hook: [] };
for (let turn = 0; turn < (total < 30_000 ? 3 : 1); turn++) {
  if (turn) turns.git.push(gitAlone());
  const sent = await hook(repository, sink, ...SYNC).ended;
  check(sent.code === 0, `sync to a server that stores nothing: ${sent.said.split("\n").at(-1)}`);
  turns.hook.push(sent.cpu);
}
sink.end();
const [ofGit, ofHook] = [turns.git, turns.hook].map((all) => all.reduce((sum, each) => sum + each, 0));
const each = (all) => all.map((one) => one.toFixed(1)).join(", ");
console.log(
  `       processor, no Worker beside it: hook and its git ${each(turns.hook)} s, git log ${each(turns.git)} s: ${(ofHook / ofGit).toFixed(2)} times that`,
);
let { state, server } = await fresh("fresh");
const idle = Math.max(...server.workerds.map(peak));
const worked = () => server.workerds.reduce((sum, pid) => sum + processor(pid), 0);
const before = worked();
started = performance.now();
const whole = await hook(repository, server, ...SYNC).ended;
const took = seconds(started);
check(whole.code === 0, `sync: ${whole.said}`);
console.log(
  `       ${took.toFixed(1)} s, ${Math.round(total / took)} commits a second; git log --raw -p -M50% --diff-merges=first-parent alone ${alone.toFixed(1)} s: ${(took / alone).toFixed(2)} times that`,
);
const servers = worked() - before;
console.log(
  `       processor: hook and its git ${whole.cpu.toFixed(1)} s, git log alone ${gits.toFixed(1)} s: ${(whole.cpu / gits).toFixed(2)} times that; Worker and D1 ${servers.toFixed(1)} s, ${((1000 * servers) / total).toFixed(2)} ms a commit`,
);
const peaks = { workerd: Math.max(...server.workerds.map(peak)), ...whole.most };
console.log(
  `       peaks: ${Object.entries(peaks)
    .map(([name, bytes]) => `${name} ${megabytes(bytes)}`)
    .join(", ")}; workerd before it ${megabytes(idle)}`,
);
started = performance.now();
const again = await hook(repository, server, ...SYNC).ended;
check(again.said.endsWith("nothing to send"), `again: ${again.said}, ${seconds(started).toFixed(2)} s`);

const verified = await hook(repository, server, "verify", "--sample", given.sample, "--lists").ended;
check(verified.code === 0, `verify: ${verified.said.split("\n").slice(-20).join("\n       ")}`);
for (const api of ["v3", "v4"]) {
  await pages(api, 100);
  await pages(api, 20);
}
await ranges(20);
await paths(200);
await server.stop();
const wanted = dump(state);
console.log(
  `       ${Object.entries(wanted)
    .map(([table, found]) => `${table} ${found}`)
    .join(", ")}`,
);

server = await serve(state);
const tip = grow(repository, 10, "pushed");
started = performance.now();
const pushed = await hook(repository, server, ...SYNC).ended;
const listed = await server.ask(token, "GET", "/projects/root%2Ftrial/repository/commits?per_page=1&page=1");
check(
  pushed.code === 0 && listed.json?.[0]?.id === tip,
  `ten more commits: ${pushed.said}; the list shows them ${seconds(started).toFixed(2)} s after they were there`,
);
await server.stop();
rmSync(state, { recursive: true });

const original = clone("original");
/** A sync into a fresh state, killed at a random moment, and that moment in seconds. */
async function begun() {
  ({ state, server } = await fresh("killed"));
  const sync = hook(original, server, ...SYNC);
  const after = Math.random() * took;
  await Promise.race([pause(after * 1000), sync.ended]);
  return { sync, after };
}
for (let round = 1; round <= Number(given.kills); round++) {
  const { sync, after } = await begun();
  sync.child.kill("SIGKILL");
  const { signal } = await sync.ended;
  const rest = await hook(original, server, ...SYNC).ended;
  check(
    rest.code === 0,
    `sync killed ${round} (${signal ?? "had ended"}) after ${after.toFixed(1)} s, then: ${rest.said.replaceAll("\n", "; ")}`,
  );
  await server.stop();
  compare(state, wanted);
}

for (let round = 1; round <= Number(given.crashes); round++) {
  const { sync, after } = await begun();
  await server.kill();
  server = await serve(state, server.port);
  const { code, said } = await sync.ended;
  check(code === 0, `workerd killed ${round} after ${after.toFixed(1)} s, the same sync: ${said.split("\n").at(-1)}`);
  const rest = await hook(original, server, ...SYNC).ended;
  check(rest.said.endsWith("nothing to send"), `and once more: ${rest.said.replaceAll("\n", "; ")}`);
  await server.stop();
  compare(state, wanted);
}

findings.end();
