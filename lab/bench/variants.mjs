// See lab/bench/variants. Prints for each variant its weight, start-up, processor time of requests, and of a commit of a push.
//
//   ROUNDS=5 DURATION=2 node lab/bench/variants.mjs --variants DIR,DIR --state DIR --world FILE --work DIR --hook PROGRAM
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { processorOf, serve, token } from "../../scripts/workerd.mjs";
import { load, median } from "./meter.mjs";
import { deepPath, form, get, requests, vary } from "./requests.mjs";
import { startups } from "./startup.mjs";

/** @type {{ type: "string", multiple: false }} */
const text = { type: "string", multiple: false };
const { values: given } = parseArgs({ options: { variants: text, state: text, world: text, work: text, hook: text } });
const rounds = Number(process.env.ROUNDS || 5);
const seconds = Number(process.env.DURATION || 2);
const only = process.env.ONLY?.split(",");
const world = JSON.parse(readFileSync(given.world, "utf8"));

/** This repository, for requests that read contents. */
const own = "/api/v4/projects/bench%2Fown";
const readme = readFileSync("README.md", "utf8");
const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();
const tip = git("rev-parse", "HEAD");
const older = git("rev-list", "--first-parent", "--max-count=8", "HEAD").split("\n").at(-1);
// a comparison needs both commits at the end of a branch
const repository = join(given.work, "own.git");
git("clone", "--quiet", "--bare", ".", repository);
git("--git-dir", repository, "update-ref", "refs/heads/older", older);
const ALL = {
  ...requests,
  compare: { title: "compare 8 commits", connections: 1, of: () => get(`${own}/repository/compare?from=${older}&to=${tip}`) },
  archive: { title: "an archive", connections: 1, of: () => get(`${own}/repository/archive.tar.gz?sha=${tip}&path=src/kernel`) },
  markdown: { title: "Markdown, README", of: () => form("/api/v4/markdown", { text: readme, gfm: "true" }) },
};

const variants = [];
for (const folder of given.variants.split(",")) {
  const name = basename(folder);
  const state = join(given.work, `variant-${name}`);
  cpSync(given.state, state, { recursive: true });
  const server = await serve(state, 0, ["--main", join(folder, "index.js"), "--var", "SPENDING_PER_MINUTE=0"]);
  const made = await fetch(`${server.address}/api/v4/projects`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    body: JSON.stringify({
      name: "own",
      namespace_id: (await (await fetch(`${server.address}/api/v4/groups/bench`, { headers: { "PRIVATE-TOKEN": token } })).json()).id,
    }),
  });
  if (!made.ok) throw new Error(`the project was not made: ${made.status}`);
  const before = processorOf(server.workerds);
  execFileSync(given.hook, ["sync", "--repository", repository, "--server", server.address, "--project", "bench/own"], {
    env: { ...process.env, EDGEFORGE_TOKEN: token },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const commits = Number(git("rev-list", "--count", "--all"));
  const push = (processorOf(server.workerds) - before) / commits;
  const deep = await deepPath(server.address, world.token);
  variants.push({ name, folder, server, deep, push, wasm: readFileSync(join(folder, "index_bg.wasm")) });
}

// dear reads have four places
const measure = ({ server, deep }, { of, connections = 8 }, duration) => {
  const next = () => {
    const request = of({ ...vary(world), deep });
    return {
      ...request,
      headers: { ...request.headers, "PRIVATE-TOKEN": request.path.startsWith(own) ? token : world.token, "Accept-Encoding": "identity" },
    };
  };
  return load({ url: server.address, pid: server.pid }, { seconds: duration, connections, next, missing: false });
};

const row = (title, cells) => console.log(`${title.padEnd(20)}${cells.map((cell) => String(cell).padStart(15)).join("")}`);
console.log(`\nprocessor milliseconds of a request, medians of ${rounds} rounds of ${seconds} s in turns\n`);
row(
  "",
  variants.map(({ name }) => name),
);
row(
  "bytes, gzipped",
  variants.map(({ wasm }) => gzipSync(wasm, { level: 9 }).length),
);
const starts = startups(Object.fromEntries(variants.map(({ name, folder }) => [name, join(folder, "index.js")])), given.work, rounds);
row(
  "start-up",
  variants.map(({ name }) => starts[name].toFixed(1)),
);
row(
  "a commit of a push",
  variants.map(({ push }) => push.toFixed(2)),
);
for (const [key, request] of Object.entries(ALL)) {
  if (only ? !only.includes(key) : key === "unknown" || key === "planned") continue;
  const took = variants.map(() => []);
  for (const variant of variants) await measure(variant, request, 1);
  for (let round = 0; round < rounds; round++)
    for (const at of variants.keys()) {
      const turn = (at + round) % variants.length;
      took[turn].push((await measure(variants[turn], request, seconds)).cpu);
    }
  row(
    request.title,
    took.map((list) => median(list).toFixed(2)),
  );
}
for (const { server } of variants) await server.stop();
