// The hook and workerd are killed while contents are sent, and workerd while the sweep removes them.
import { randomFillSync } from "node:crypto";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { database, pause, serve } from "../../scripts/workerd.mjs";
import { entriesOf, hashOf } from "./fidelity.mjs";
import { begin, bucket, clone, feed, fresh, get, git, hook, inLanes, keep, lines, refsOf } from "./world.mjs";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Bytes of a file that is stored in parts. */
const LONG = 12_000_000;
const MOST_SWEEPS = 100;

/** Objects in R2 without a row of D1, rows without an object, and pairs of different sizes. */
function compare(state) {
  const [rows, objects] = [database(state), bucket(state)];
  const stored = new Map(
    objects
      .prepare("select key, size from _mf_objects")
      .all()
      .map(({ key, size }) => [key, size]),
  );
  const named = [
    ...rows
      .prepare(
        "select p.own || o.sha as key, o.packed as size from objects o join object_places p on p.project_id = o.project_id where o.left_out is null",
      )
      .all(),
    ...rows
      .prepare(
        "select w.store || '/' || c.project_id || '/' || c.sha || '-' || d.object as key, null as size from diffs d join commits c on c.id = d.commit_id cross join object_sweeps w where d.object is not null",
      )
      .all(),
  ];
  const contents = named.filter(({ size }) => size !== null).length;
  let [missing, other] = [0, 0];
  for (const { key, size } of named) {
    if (!stored.has(key)) missing++;
    else if (size !== null && stored.get(key) !== size) other++;
    stored.delete(key);
  }
  rows.close();
  objects.close();
  return { missing, other, forgotten: stored.size, contents };
}

/** Moves the times of the stopped state into the past: of objects by what a push can take, of what is not needed by a day. */
function age(state) {
  const [rows, objects] = [database(state), bucket(state)];
  objects.prepare("update _mf_objects set uploaded = uploaded - ?").run(2 * HOUR);
  rows.prepare("update objects set unneeded_at = unneeded_at - ? where unneeded_at is not null").run(2 * DAY);
  rows.close();
  objects.close();
}

const cron = (server) =>
  fetch(`${server.address}/cdn-cgi/local/scheduled`).then(
    ({ status }) => status,
    () => 0,
  );

function unneeded(state) {
  const rows = database(state);
  const { n } = rows.prepare("select count(*) as n from objects where unneeded_at is not null").get();
  rows.close();
  return n;
}

/** Runs the Cron trigger until nothing is left to remove. */
async function sweep(state, server) {
  for (let runs = 1; runs <= MOST_SWEEPS; runs++) {
    if ((await cron(server)) !== 200) throw new Error("the sweep failed");
    if (!compare(state).forgotten && !unneeded(state)) return runs;
  }
  return MOST_SWEEPS;
}

/** The trees of the newest commit, with a long file, and of an old one as two commits, and a repository of the old one. */
function repositories(from, work) {
  const whole = clone(from, join(work, "kills.git"));
  const commits = lines(git(whole, "rev-list", refsOf(whole)[0].sha));
  keep(whole, ["refs/none"]);
  const save = (input, ...args) =>
    feed(whole, input, ...args)
      .toString()
      .trim();
  const blob = save(randomFillSync(Buffer.allocUnsafe(LONG)), "hash-object", "-w", "--stdin");
  const tree = save(`${git(whole, "ls-tree", commits[0])}\n100644 blob ${blob}\tzz-long\n`, "mktree");
  const old = save("old\n", "commit-tree", `${commits[Math.floor(commits.length / 2)]}^{tree}`);
  git(whole, "update-ref", "refs/heads/trial", save("new\n", "commit-tree", tree, "-p", old));
  git(whole, "symbolic-ref", "HEAD", "refs/heads/trial");
  const less = clone(whole, join(work, "less.git"));
  git(less, "update-ref", "refs/heads/trial", old);
  return { whole, less };
}

/** How many of the files are other bytes. */
async function bytesOfAll(server, ids) {
  let wrong = 0;
  await inLanes(ids, 6, async (id) => {
    const { status, body } = await get(server, `/projects/root%2Ftrial/repository/blobs/${id}/raw`);
    wrong += Number(status !== 200 || hashOf(id, body) !== id);
  });
  return wrong;
}

class Trials {
  #given;
  #repository;
  #whole;
  #blobs;

  constructor(given, repository, whole) {
    this.#given = given;
    this.#repository = repository;
    this.#whole = whole;
    // the last one is the long file
    const files = [
      ...new Set(
        entriesOf(repository, "HEAD")
          .filter(({ type }) => type === "blob")
          .map(({ id }) => id),
      ),
    ].reverse();
    const each = Math.max(Math.floor(files.length / Number(given.sample)), 1);
    this.#blobs = files.filter((_, at) => at % each === 0);
  }

  hook(server, ...args) {
    return hook(this.#given.hook, this.#repository, server.address, "root/trial", ...args);
  }

  /** With a token that reads no files: their bytes are compared here. */
  async verify(server) {
    const { token } = await server.make("/projects/root%2Ftrial/hook_tokens", { name: "verify" });
    return this.hook(server, "verify", "--contents", "--token-file", this.#given.tokenFile(token)).ended;
  }

  /** The next sync, the sweeps, and all checks. */
  async settle(words, state, server) {
    const { findings } = this.#given;
    const synced = await this.hook(server, "sync").ended;
    await server.stop();
    const lost = compare(state).missing;
    age(state);
    server = await begin(state);
    const left = compare(state).forgotten;
    const runs = await sweep(state, server);
    const verified = await this.verify(server);
    const bytes = await bytesOfAll(server, this.#blobs);
    await server.stop();
    const { missing, other, forgotten, contents } = compare(state);
    const holds =
      synced.code === 0 && verified.code === 0 && !lost && !missing && !other && !forgotten && contents === this.#whole && !bytes;
    findings.check(
      holds,
      `${words}: ${left} objects without an owner, ${forgotten} after ${runs} sweeps; missing ${Math.max(lost, missing)}; of another size ${other}, of other bytes ${bytes} of ${this.#blobs.length}; ${contents} of ${this.#whole}; ${holds ? verified.said.split("\n").find((line) => line.includes("object")) : `${synced.said}; ${verified.said}`.replaceAll("\n", "; ")}`,
    );
    rmSync(state, { recursive: true });
  }
}

/** States that trials begin with: only with the index, and with objects that a sweep removes. */
async function prepare(given, whole, less) {
  const { base, work, findings } = given;
  const indexed = join(work, "indexed");
  let server = await fresh(base, indexed);
  await server.make("/projects", { name: "trial" });
  const first = await hook(given.hook, whole, server.address, "root/trial", "sync", "--contents", "none").ended;
  findings.check(first.code === 0, `the index alone: ${first.said.split("\n").at(-1)}`);
  await server.stop();

  const complete = join(work, "complete");
  server = await fresh(indexed, complete);
  const began = performance.now();
  const second = await hook(given.hook, whole, server.address, "root/trial", "sync").ended;
  const took = performance.now() - began;
  findings.check(second.code === 0, `its contents in ${(took / 1000).toFixed(1)} s: ${second.said.split("\n").join("; ")}`);
  const all = compare(complete).contents;
  const shrunk = await hook(given.hook, less, server.address, "root/trial", "sync").ended;
  findings.check(shrunk.code === 0, `and without most branches: ${shrunk.said.split("\n").join("; ")}`);
  await server.stop();
  const stored = compare(complete).contents;
  const idle = unneeded(complete);
  // as if the pushes of a part of the objects had been lost
  const rows = database(complete);
  const { changes } = rows.prepare("delete from objects where unneeded_at is null and sha < '4'").run();
  rows.close();
  age(complete);
  const measured = join(work, "measured");
  server = await fresh(complete, measured);
  const start = performance.now();
  await sweep(measured, server);
  const sweeps = performance.now() - start;
  await server.stop();
  rmSync(measured, { recursive: true });
  console.log(
    `       ${stored} objects, of which ${idle} are not needed any more and ${changes} have no owner; the sweep takes ${(sweeps / 1000).toFixed(2)} s`,
  );

  return { indexed, complete, took, sweeps, all, needed: stored - idle };
}

export async function kills(given) {
  const { work, findings } = given;
  const number = Number(given.kills);
  const { whole, less } = repositories(given.repository, work);
  const tokenFile = (token) => {
    writeFileSync(join(work, "token"), token, { mode: 0o600 });
    return join(work, "token");
  };
  console.log(`kills, ${number} of each kind`);
  const { indexed, complete, took, sweeps, all, needed } = await prepare(given, whole, less);
  const trials = new Trials({ ...given, tokenFile }, whole, all);
  const state = join(work, "killed");
  let [server, length] = [null, took];
  /** A sync that is still running at a random moment. */
  async function begun() {
    for (;;) {
      const from = await fresh(indexed, state);
      const sync = trials.hook(from, "sync");
      const [start, after] = [performance.now(), Math.random() * length];
      const hasEnded = await Promise.race([pause(after).then(() => false), sync.ended.then(() => true)]);
      if (!hasEnded) return { from, sync, after };
      // the machine is faster now
      length = performance.now() - start;
      await from.stop();
    }
  }
  for (let round = 1; round <= number; round++) {
    const { from, sync, after } = await begun();
    sync.child.kill("SIGKILL");
    await sync.ended;
    await trials.settle(`hook killed ${round} after ${(after / 1000).toFixed(2)} s`, state, from);
  }
  for (let round = 1; round <= number; round++) {
    const { from, sync, after } = await begun();
    await from.kill();
    server = await serve(state, from.port, ["--var", "PROJECT_BYTES=0"]);
    const { code, said } = await sync.ended;
    findings.check(
      code === 0,
      `workerd killed ${round} in a sync after ${(after / 1000).toFixed(2)} s, the same sync: ${said.split("\n").at(-1)}`,
    );
    await trials.settle("       then", state, server);
  }
  for (let round = 1; round <= number; round++) {
    rmSync(state, { recursive: true, force: true });
    cpSync(complete, state, { recursive: true });
    server = await begin(state);
    const sweeping = (async () => {
      while ((await cron(server)) === 200 && (compare(state).forgotten || unneeded(state)));
    })().catch(() => {});
    // in each second round objects are sent again while they are removed
    const sync = round % 2 ? null : trials.hook(server, "sync");
    const after = Math.random() * sweeps;
    await pause(after);
    await server.kill();
    await sweeping;
    server = await serve(state, server.port, ["--var", "PROJECT_BYTES=0"]);
    if (sync) await sync.ended;
    await trials.settle(
      `workerd killed ${round} in a sweep${sync ? " and a sync" : ""} after ${(after / 1000).toFixed(2)} s`,
      state,
      server,
    );
  }
  for (let round = 1; round <= number; round++) {
    server = await fresh(complete, state);
    const sync = trials.hook(server, "sync");
    let runs = 0;
    for (let ended = false; !ended; runs++) {
      await cron(server);
      ended = await Promise.race([sync.ended.then(() => true), pause(0).then(() => false)]);
    }
    await trials.settle(`a sync beside ${runs} sweeps, ${round}`, state, server);
  }
  // the branch moves before the next sync, so that nothing needs the objects that the killed one has sent
  const { from, sync } = await begun();
  sync.child.kill("SIGKILL");
  await sync.ended;
  const old = new Trials({ ...given, tokenFile }, less, needed);
  await old.settle("hook killed, and another commit in the next sync", state, from);
}
