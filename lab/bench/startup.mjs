// Processor time until a Worker is ready for its first request: ours, the peer and the floor in turns, profiled as
// by `wrangler check startup`. Medians.
//
//   ROUNDS=7 node lab/bench/startup.mjs --work DIR
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values: given } = parseArgs({ options: { work: { type: "string" } } });
const rounds = Number(process.env.ROUNDS || 7);
const wrangler = (...args) => execFileSync("wrangler", args, { stdio: ["ignore", "ignore", "inherit"] });
const workers = { edgeforge: "build/index.js", peer: "lab/bench/peer.mjs", floor: "lab/bench/floor/nothing.mjs" };
const took = {};
for (const [name, main] of Object.entries(workers)) {
  const config = join(given.work, `${name}.toml`);
  writeFileSync(config, `name = "${name}"\nmain = "${resolve(main)}"\ncompatibility_date = "2026-05-01"\n`);
  wrangler("deploy", "--dry-run", "--config", config, "--outfile", join(given.work, `${name}.bundle`));
  took[name] = [];
}

/** The milliseconds of a profile in which something ran. */
function busy(file) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, "utf8"));
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
  return timeDeltas.reduce((sum, micros, at) => sum + (idle.has(samples[at]) ? 0 : micros / 1000), 0);
}

for (let round = 0; round < rounds; round++) {
  for (const name of Object.keys(workers)) {
    const profile = join(given.work, "startup.cpuprofile");
    wrangler("check", "startup", "--worker", join(given.work, `${name}.bundle`), "--outfile", profile);
    took[name].push(busy(profile));
  }
}
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const figures = Object.entries(took).map(([name, all]) => `${name} ${median(all).toFixed(1)} ms`);
console.log(`\nstart-up, medians of ${rounds}: ${figures.join(", ")} of processor time`);
