// Runs the cases of the rehearsal and counts the results. See scripts/rehearse/run.
import { readFileSync } from "node:fs";
import { World } from "./world.mjs";
import * as deploys from "./cases/deploys.mjs";
import * as failures from "./cases/failures.mjs";
import * as limits from "./cases/limits.mjs";
import * as refusals from "./cases/refusals.mjs";
import * as tests from "./cases/tests.mjs";

/** In the order in which an operator meets them. Cases of one account run one after the other on it. */
const accounts = [
  {
    first: deploys.first,
    again: deploys.again,
    upgrade: deploys.upgrade,
    secret: deploys.secret,
    rollback: deploys.rollback,
    migration: failures.migration,
    network: failures.network,
  },
  { refused: refusals.refused },
  { narrow: refusals.narrow },
  { limits: limits.limits },
  { backup: tests.backup },
  { files: tests.files },
  { release: tests.release },
];

const wanted = process.argv.slice(2);
const known = accounts.flatMap(Object.keys);
const strange = wanted.filter((name) => !known.includes(name));
if (strange.length) {
  console.error(`rehearse: unknown case ${strange.join(", ")}; choose from ${known.join(", ")}`);
  process.exit(2);
}

const score = { passed: 0, failed: 0 };

/** Prints whether a check holds; if not, also the output. */
function check(holds, text, seen) {
  score[holds ? "passed" : "failed"]++;
  console.log(`${holds ? "  ok  " : "FAILED"} ${text}`);
  if (!holds && seen !== undefined) console.log(String(seen).replace(/^/gm, "       | "));
}

process.chdir(`${import.meta.dirname}/../..`);
const version = JSON.parse(readFileSync("node_modules/wrangler/package.json", "utf8")).version;
console.log(`==> rehearsing with wrangler ${version}`);
for (const cases of accounts) {
  // the other cases of an account need its first one
  const [begin, ...rest] = Object.keys(cases);
  const names = [begin, ...rest.filter((name) => !wanted.length || wanted.includes(name))];
  if (wanted.length && names.length === 1 && !wanted.includes(begin)) continue;
  const world = await World.make(check);
  try {
    for (const name of names) {
      const started = Date.now();
      console.log(`\n${name}`);
      await cases[name](world);
      console.log(`       (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    }
  } catch (error) {
    check(false, "the case came to its end", error.stack);
  } finally {
    await world.end();
  }
}
console.log(`\n${score.passed} passed, ${score.failed} failed`);
process.exit(score.failed ? 1 : 0);
