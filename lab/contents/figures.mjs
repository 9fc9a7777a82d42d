// What a first sync of contents takes beside git, and what reading a file and a directory costs beside the least Worker.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../../scripts/workerd.mjs";
import { bucket, bytesOf, clone, env, feed, fresh, get, git, hook, keep, lines, median, mebi, refsOf } from "./world.mjs";

const ENTRIES = 1000;
const FILE = 10_000;
const REQUESTS = 200;
const WARM = 20;

const timed = async (work) => {
  const began = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - began) / 1000 };
};

/** The bytes of a repository's packs. */
function packsOf(repository) {
  const folder = join(repository, "objects/pack");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".pack"))
    .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** A branch with a file of 10,000 bytes and a directory of 1,000 files. */
function addMeasured(repository) {
  const file = feed(repository, Buffer.from(randomBytes(FILE / 2).toString("hex")), "hash-object", "-w", "--stdin")
    .toString()
    .trim();
  const entries = Array.from({ length: ENTRIES }, (_, n) => `100644 blob ${file}\tf${String(n).padStart(4, "0")}\n`).join("");
  const directory = feed(repository, entries, "mktree").toString().trim();
  const tree = feed(repository, `100644 blob ${file}\tfile\n040000 tree ${directory}\twide\n`, "mktree").toString().trim();
  git(repository, "update-ref", "refs/heads/measured", feed(repository, "measured\n", "commit-tree", tree).toString().trim());
  return { file: bytesOf(repository, "cat-file", "blob", file), tree: bytesOf(repository, "cat-file", "tree", directory) };
}

async function firstSync({ hook: program, base, work, findings }, repository) {
  const state = join(work, "figures");
  const server = await fresh(base, state);
  await server.make("/projects", { name: "trial" });
  const index = await timed(() => hook(program, repository, server.address, "root/trial", "sync", "--contents", "none").ended);
  const contents = await timed(() => hook(program, repository, server.address, "root/trial", "sync").ended);
  findings.check(index.result.code === 0 && contents.result.code === 0, `sync: ${contents.result.said.split("\n").join("; ")}`);
  const target = join(work, "pushed.git");
  rmSync(target, { recursive: true, force: true });
  execFileSync("git", ["init", "--quiet", "--bare", target], { env });
  const push = await timed(() =>
    git(repository, "push", "--quiet", `file://${target}`, "refs/heads/*:refs/heads/*", "refs/tags/*:refs/tags/*"),
  );
  git(target, "repack", "--quiet", "-a", "-d");
  const tips = [...new Set(refsOf(repository).map(({ sha }) => `${sha}^{tree}\n`))].join("");
  const listed = feed(repository, tips, "rev-list", "--objects", "--no-object-names", "--stdin");
  const packed = await timed(() => feed(repository, listed, "pack-objects", "--quiet", "--stdout", "--window=10").length);
  const objects = bucket(state);
  /** @type {any} */
  const stored = objects.prepare("select count(*) as n, sum(size) as bytes from _mf_objects where key like '%/objects/%'").get();
  objects.close();
  const sum = lines(feed(repository, listed, "cat-file", "--batch-check=%(objectsize)").toString()).reduce(
    (all, size) => all + Number(size),
    0,
  );
  console.log(
    `       the index ${index.seconds.toFixed(1)} s, then contents of the tips ${contents.seconds.toFixed(1)} s: ${stored.n} objects of ${sum} bytes, ${(stored.n / contents.seconds).toFixed(0)} a second`,
  );
  console.log(
    `       git push of all refs to an empty repository on the same disk ${push.seconds.toFixed(1)} s, repacked ${packsOf(target)} bytes; git pack-objects of the objects of the tips ${packed.seconds.toFixed(1)} s, ${packed.result} bytes`,
  );
  console.log(
    `       R2 has ${stored.bytes} bytes (${mebi(stored.bytes)}): ${(stored.bytes / packed.result).toFixed(2)} times git's pack of the same objects, ${(stored.bytes / packsOf(target)).toFixed(2)} times its pack of the whole history`,
  );
  return { state, server };
}

/** Each request in turns with the floor's: medians, and the median of the ratios of neighbours. */
async function measure({ findings }, server, floor, words, path, object, holds) {
  await fetch(`${floor.address}/object`, { method: "PUT", body: object });
  const [ours, least, ratios, millis] = [[], [], [], []];
  let answer;
  let right = true;
  for (let at = 0; at < REQUESTS + WARM; at++) {
    const one = await timed(() => get(server, path));
    const other = await timed(() => get(floor, `${floor.address}/object`));
    answer = one.result;
    right &&= answer.status === 200 && holds(answer) && other.result.body.equals(object);
    if (at < WARM) continue;
    ours.push(one.seconds * 1000);
    millis.push(answer.millis);
    least.push(other.seconds * 1000);
    ratios.push(one.seconds / other.seconds);
  }
  findings.check(
    right,
    `${words}: ${answer.trips} round trip(s), ${(millis.reduce((sum, one) => sum + one, 0) / REQUESTS).toFixed(2)} ms of D1 (mean), ${answer.rows} rows; median of ${REQUESTS} ${median(ours).toFixed(2)} ms, of a Worker that reads one object of R2 ${median(least).toFixed(2)} ms: ${median(ratios).toFixed(2)} times that`,
  );
}

export async function figures(given) {
  console.log("figures");
  const repository = clone(given.repository, join(given.work, "figures.git"));
  if (given.refs) keep(repository, given.refs.split(","));
  const { file, tree } = addMeasured(repository);
  const { state, server } = await firstSync(given, repository);
  const floor = await serve(join(given.work, "floor"), 0, ["--main", "lab/bench/floor/object.mjs"]);
  const root = "/projects/root%2Ftrial/repository";
  await measure(given, server, floor, `a file of ${FILE} bytes`, `${root}/files/file/raw?ref=measured`, file, ({ body }) =>
    body.equals(file),
  );
  const isPage = ({ body, headers }) => JSON.parse(body).length === 100 && headers.get("x-total") === String(ENTRIES);
  await measure(
    given,
    server,
    floor,
    `a page of a directory of ${ENTRIES} entries`,
    `${root}/tree?path=wide&per_page=100&ref=measured`,
    tree,
    isPage,
  );
  await floor.stop();
  await server.stop();
  rmSync(state, { recursive: true });
}
