// See lab/diffs.
//
//   node lab/diffs.mjs --repository DIR --hook PROGRAM --base STATE --work DIR --sample N --kills N
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { inspect } from "./inspector.mjs";
import { database, Findings, freePort, pause, serve, token } from "../scripts/workerd.mjs";

const text = { type: "string" };
const { values: given } = parseArgs({ options: { repository: text, hook: text, base: text, work: text, sample: text, kills: text } });
const findings = new Findings();
const check = (holds, words) => findings.check(holds, words);
const mebi = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const project = "/projects/root%2Ftrial";
const HOUR = 3_600_000;

/** The most memory of a process in bytes, and its processor time in milliseconds. */
const peak = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1024;
const spent = (pid) => {
  const [, rest] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  return rest.split(" ").slice(11, 13).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
};
const ofAll = (server, measure) => server.workerds.map(measure).reduce((sum, one) => sum + one, 0);

/** Serves a copy of a state. `more`: arguments of serve.mjs. */
async function fresh(from, name, ...more) {
  const state = join(given.work, name);
  rmSync(state, { recursive: true, force: true });
  cpSync(from, state, { recursive: true });
  return { state, server: await serve(state, 0, more) };
}
const without = ["--without", "DIFFS"];

/** Starts the hook. Resolves to its exit code and output. */
function hook(repository, server, ...args) {
  const child = spawn(given.hook, [...args, "--repository", repository, "--server", server.address, "--project", "root/trial"], {
    env: { ...process.env, EDGEFORGE_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  let most = 0;
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (said += bytes));
  const watch = setInterval(() => {
    try {
      most = Math.max(most, peak(child.pid));
    } catch {} // it has ended
  }, 100);
  const ended = new Promise((done) => child.once("close", (code) => (clearInterval(watch), done({ code, said: said.trim(), most }))));
  return { child, ended };
}

/** The bucket's own list, opened as a file. */
function bucket(state) {
  const folder = join(state, "v3/r2/miniflare-R2BucketObject");
  const file = readdirSync(folder).find((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  return new DatabaseSync(join(folder, file));
}

/** Rows whose object is missing, objects without a row, and the number of matching pairs. */
function compare(state) {
  const [rows, objects] = [database(state), bucket(state)];
  const named = rows.prepare("select w.store || '/' || c.project_id || '/' || c.sha || '-' || d.object as key from diffs d join commits c on c.id = d.commit_id cross join object_sweeps w where d.object is not null").all();
  const keys = new Set(objects.prepare("select key from _mf_objects").all().map(({ key }) => key));
  const missing = named.filter(({ key }) => !keys.delete(key)).length;
  rows.close();
  objects.close();
  return { missing, forgotten: keys.size, both: named.length - missing };
}

/** Makes every object older than a push can take. */
function age(state) {
  const objects = bucket(state);
  objects.prepare("update _mf_objects set uploaded = uploaded - ?").run(2 * HOUR);
  objects.close();
}

function sizes(state) {
  const rows = database(state);
  const one = (sql) => Object.values(rows.prepare(sql).get())[0];
  const taken = {
    all: one("pragma page_count") * one("pragma page_size") - one("pragma freelist_count") * one("pragma page_size"),
    diffs: one("select coalesce(sum(octet_length(text) + coalesce(octet_length(object) + octet_length(digest), 0)), 0) from diffs"),
    raw: one("select coalesce(sum(coalesce(bytes, octet_length(text))), 0) from diffs"),
    commits: one("select count(*) from commits"),
    objects: one("select count(object) from diffs"),
  };
  rows.close();
  if (taken.objects) {
    const objects = bucket(state);
    taken.packed = Object.values(objects.prepare("select sum(size) from _mf_objects").get())[0];
    objects.close();
  }
  return taken;
}

/** Runs the Cron trigger until nothing is left to move or delete. */
async function sweep(state, server, until = () => compare(state).forgotten === 0 && sizes(state).objects === whole.objects) {
  for (let runs = 1; runs <= 100; runs++) {
    const { status } = await fetch(`${server.address}/cdn-cgi/local/scheduled`);
    if (status !== 200) throw new Error(`the sweep answered ${status}`);
    if (until()) return runs;
  }
  throw new Error("the sweeps did not end after 100 runs");
}

/** A sync into an empty project: time, memory, size. */
async function measure(name, repository, more) {
  const { state, server } = await fresh(given.base, name, ...more);
  await server.make("/projects", { name: "trial" });
  const [idle, before, started] = [ofAll(server, peak), ofAll(server, spent), performance.now()];
  const synced = await hook(repository, server, "sync").ended;
  const took = (performance.now() - started) / 1000;
  check(synced.code === 0, `${name}: ${synced.said.split("\n").at(-1)}`);
  console.log(`       ${took.toFixed(1)} s; workerd ${((ofAll(server, spent) - before) / 1000).toFixed(1)} s of processor time, peak ${mebi(ofAll(server, peak))} (${mebi(idle)} before); hook ${mebi(synced.most)}`);
  const verified = await hook(repository, server, "verify", "--sample", given.sample).ended;
  check(verified.code === 0, `verify: ${verified.said.split("\n").at(-1)}`);
  await server.stop();
  const taken = sizes(state);
  const each = (bytes) => Math.round(bytes / taken.commits);
  console.log(`       D1 ${each(taken.all)} bytes a commit, of which diffs ${each(taken.diffs)} (${each(taken.raw)} raw); ${taken.objects} objects${taken.packed ? `, ${each(taken.packed)} bytes a commit in R2` : ""}`);
  return { state, taken, took };
}

/** A commit with a diff of about 5 MB, read many times. */
async function large(name, more) {
  const port = await freePort();
  const { server } = await fresh(given.base, name, ...more, "--inspector", String(port));
  const { id } = await server.make("/projects", { name: "large" });
  const line = (n) => `+line ${n} ${createHash("md5").update(`${n}`).digest("hex")}\n`;
  const patch = (file) => `--- a/f${file}\n+++ b/f${file}\n@@ -0,0 +1,4000 @@\n${Array.from({ length: 4000 }, (_, n) => line(file * 4000 + n)).join("")}`;
  const entry = (file) => ({ diff: patch(file), new_path: `f${file}`, old_path: `f${file}`, a_mode: "100644", b_mode: "100644", new_file: false, renamed_file: false, deleted_file: false });
  const diff = JSON.stringify(Array.from({ length: 28 }, (_, file) => entry(file)));
  const object = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\n\nlarge\n";
  const sha = createHash("sha1").update(`commit ${object.length}\0${object}`).digest("hex");
  await server.make(`/projects/${id}/mirror/commits`, { commits: [{ id: sha, object, additions: 1, deletions: 0, diff }] });
  // measure in a new isolate, because the push made memory grow
  await server.stop();
  const again = await serve(join(given.work, name), 0, [...more, "--inspector", String(port)]);
  const read = async (accepted) => {
    const answer = await fetch(`${again.address}/api/v3/projects/${id}/repository/commits/${sha}/diff`, { headers: { "PRIVATE-TOKEN": token, "Accept-Encoding": accepted } });
    return (await answer.text()) === diff;
  };
  await again.ask(token, "GET", `/projects/${id}`);
  const inspector = await inspect(port);
  await inspector.find();
  const before = await inspector.sizes();
  const [cpu, rounds] = [ofAll(again, spent), 20];
  let same = 0;
  let most = 0;
  const started = performance.now();
  for (let round = 0; round < rounds; round++) {
    same += await read("gzip");
    most = Math.max(most, (await inspector.sizes()).all);
  }
  const after = await inspector.sizes();
  check(same === rounds, `${name}: ${mebi(Buffer.byteLength(diff))} of diff, the same bytes ${same} times`);
  console.log(`       ${((performance.now() - started) / rounds).toFixed(0)} ms a read, ${((ofAll(again, spent) - cpu) / rounds).toFixed(0)} ms of workerd's processor time with its D1 and R2; wasm's memory ${mebi(before.wasm)} before, ${mebi(after.wasm)} after; the isolate ${mebi(before.all)} before, at most ${mebi(most)}`);
  inspector.close();
  await again.stop();
}

const repository = resolve(given.repository);
const before = await measure("without the bucket", repository, without);
const { taken: whole, state: apart } = await measure("with the bucket", repository, []);
console.log(`       of ${before.taken.all} bytes in D1 ${whole.all} are left: ${((whole.all / before.taken.all) * 100).toFixed(0)} %`);
rmSync(apart, { recursive: true });
await large("5 MB without the bucket", without);
await large("5 MB with the bucket", []);

/** The checks at the end of a trial, after the next sync and the sweeps. */
async function settle(words, state, server) {
  const synced = await hook(repository, server, "sync").ended;
  await server.stop();
  age(state);
  server = await serve(state);
  const left = compare(state);
  const runs = await sweep(state, server);
  const verified = await hook(repository, server, "verify", "--sample", given.sample).ended;
  await server.stop();
  const { missing, forgotten, both } = compare(state);
  const holds = synced.code === 0 && verified.code === 0 && missing === 0 && forgotten === 0 && both === whole.objects;
  check(holds, `${words}: ${left.forgotten} objects without a row, ${runs} sweeps later ${forgotten}; rows without an object ${missing}; ${verified.said.split("\n").at(-1)}`);
  rmSync(state, { recursive: true });
}

const kinds = {
  async sync() {
    const { state, server } = await fresh(given.base, "killed");
    await server.make("/projects", { name: "trial" });
    const sync = hook(repository, server, "sync");
    return { state, server, take: before.took, end: () => (sync.child.kill("SIGKILL"), sync.ended) };
  },
  async move() {
    const { state, server } = await fresh(before.state, "killed");
    const moving = sweep(state, server).catch(() => {});
    return { state, server, take: before.took / 4, end: () => moving };
  },
  async sweep() {
    // as if a push had been lost for each object: all must be deleted, and new ones created
    const { state, server } = await fresh(before.state, "killed");
    await sweep(state, server);
    await server.stop();
    age(state);
    const rows = database(state);
    rows.exec("insert into forgotten_commits (commit_id, project_id) select c.id, c.project_id from diffs d join commits c on c.id = d.commit_id where d.object is not null; delete from diffs where object is not null");
    rows.close();
    const again = await serve(state);
    const sweeping = sweep(state, again, () => compare(state).forgotten === 0).catch(() => {});
    return { state, server: again, take: 1, end: () => sweeping };
  },
};
for (let round = 0; round < Number(given.kills); round++) {
  const [kind, begin] = Object.entries(kinds)[round % 3];
  const { state, server, take, end } = await begin();
  const after = Math.random() * take;
  await pause(after * 1000);
  await server.kill();
  await end();
  await settle(`workerd killed in a ${kind} after ${after.toFixed(2)} s`, state, await serve(state));
}
findings.end();
