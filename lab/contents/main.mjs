// See lab/contents/run.
//
//   node lab/contents/main.mjs --repositories DIR,DIR --hook PROGRAM --base STATE --work DIR --compares N --kills N --only LIST --refs PATTERNS
import { mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Findings } from "../../scripts/workerd.mjs";
import { archives } from "./archives.mjs";
import { Compares } from "./compares.mjs";
import { figures } from "./figures.mjs";
import { files, trees } from "./fidelity.mjs";
import { kills } from "./kills.mjs";
import { odd } from "./odd.mjs";
import { clone, dice, fresh, hook, keep, refsOf, threeOf, withPast } from "./world.mjs";

/** @type {{ type: "string", multiple: false }} */
const text = { type: "string", multiple: false };
const { values: given } = parseArgs({
  options: { repositories: text, hook: text, base: text, work: text, compares: text, sample: text, kills: text, only: text, refs: text },
});
const findings = new Findings();
/** Of so many refs all are compared. */
const FEW = 20;
const does = (part) => !given.only || given.only.split(",").includes(part);

/** Random pairs of refs: some neighbours, which are releases in a row, and some far from each other. */
async function compares(world, refs, number) {
  const all = new Compares(world);
  const roll = dice(7);
  for (let at = 0; at < number; at++) {
    const from = roll(refs.length);
    const to = at % 2 ? (from + 1) % refs.length : roll(refs.length);
    await all.one(refs[from], refs[to], at % 3 === 2, at % 10 !== 9);
  }
  all.end(`${number} comparisons`);
}

async function fidelity(path, patterns) {
  const repository = clone(path, join(given.work, "fidelity.git"));
  if (patterns) keep(repository, patterns.split(","));
  withPast(repository);
  const refs = refsOf(repository);
  console.log(`${path}: ${refs.length} branches and tags`);
  const state = join(given.work, "fidelity");
  const server = await fresh(given.base, state);
  await server.make("/projects", { name: "trial" });
  const began = performance.now();
  const synced = await hook(given.hook, repository, server.address, "root/trial", "sync").ended;
  findings.check(synced.code === 0, `sync in ${((performance.now() - began) / 1000).toFixed(1)} s: ${synced.said.split("\n").join("; ")}`);
  const world = {
    server,
    repository,
    root: "/projects/root%2Ftrial/repository",
    name: "trial",
    findings,
    work: join(given.work, "unpacked"),
  };
  mkdirSync(world.work, { recursive: true });
  if (does("fidelity")) {
    const some = refs.length > FEW ? threeOf(repository, refs) : refs;
    await trees(world, some);
    await files(world, some, Number(given.sample));
    await archives(world, some);
  }
  if (does("compares")) await compares(world, refs, Number(given.compares));
  const verified = await hook(given.hook, repository, server.address, "root/trial", "verify", "--contents", "--sample", given.sample).ended;
  findings.check(verified.code === 0, `verify --contents: ${verified.said.split("\n").slice(-5).join("; ")}`);
  await server.stop();
  rmSync(state, { recursive: true });
}

const repositories = given.repositories.split(",").map((path) => resolve(path));
if (does("fidelity") || does("compares")) {
  for (const path of repositories) await fidelity(path, given.refs);
  for (const format of ["sha1", "sha256"]) await fidelity(odd(given.work, format));
}
if (does("kills")) await kills({ ...given, findings, repository: repositories[0] });
if (does("figures")) await figures({ ...given, findings, repository: repositories[0] });
findings.end();
