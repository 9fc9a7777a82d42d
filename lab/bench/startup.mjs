// Processor time until a Worker is ready for its first request, profiled as by `wrangler check startup`. Medians, in turns.
//
//   ROUNDS=7 node lab/bench/startup.mjs --work DIR     ours, the peer and the floor
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { median } from "./meter.mjs";

const wrangler = (...args) => execFileSync("wrangler", args, { stdio: ["ignore", "ignore", "inherit"] });

/** The milliseconds of a profile in which something ran. */
function busy(file) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, "utf8"));
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
  return timeDeltas.reduce((sum, micros, at) => sum + (idle.has(samples[at]) ? 0 : micros / 1000), 0);
}

/** Milliseconds of each Worker, by name. `workers`: the main file of each. `work`: a folder. */
export function startups(workers, work, rounds) {
  const took = {};
  for (const [name, main] of Object.entries(workers)) {
    const config = join(work, `${name}.toml`);
    writeFileSync(config, `name = "${name}"\nmain = "${resolve(main)}"\ncompatibility_date = "2026-05-01"\n`);
    wrangler("deploy", "--dry-run", "--config", config, "--outfile", join(work, `${name}.bundle`));
    took[name] = [];
  }
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(workers)) {
      const profile = join(work, "startup.cpuprofile");
      wrangler("check", "startup", "--worker", join(work, `${name}.bundle`), "--outfile", profile);
      took[name].push(busy(profile));
    }
  }
  return Object.fromEntries(Object.entries(took).map(([name, all]) => [name, median(all)]));
}

if (process.argv[1] === import.meta.filename) {
  const { values: given } = parseArgs({ options: { work: { type: "string" } } });
  const rounds = Number(process.env.ROUNDS || 7);
  const workers = { edgeforge: "build/index.js", peer: "lab/bench/peer.mjs", floor: "lab/bench/floor/nothing.mjs" };
  const figures = Object.entries(startups(workers, given.work, rounds)).map(([name, millis]) => `${name} ${millis.toFixed(1)} ms`);
  console.log(`\nstart-up, medians of ${rounds}: ${figures.join(", ")} of processor time`);
}
