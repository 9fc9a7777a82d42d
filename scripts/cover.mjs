// Chooses the tests of the suite that run over HTTP in `make test`, from what a run in-process records (EDGEFORGE_RECORD,
// tests/api/support/asked.rs): the cheapest that ask each route with each status that the suite can ask for over HTTP,
// and those of tests/workerd.txt. Prints their names, one a line.
//   node scripts/cover.mjs RECORD
import { readFileSync } from "node:fs";

/** The tests and routes of a record. */
export function parsed(record) {
  const tests = new Map();
  const routes = [];
  for (const [kind, ...fields] of record.split("\n").map((line) => line.split("\t"))) {
    if (kind === "route") routes.push(fields.join(" "));
    if (kind === "test") tests.set(fields[0], { name: fields[0], seconds: Number(fields[1]), requests: Number(fields[2]), facts: [] });
    if (kind === "asked") tests.get(fields[0]).facts.push(fields.slice(1).join("\t"));
  }
  return { tests, routes };
}

/** What a test costs over HTTP: a request takes some milliseconds there, however quick it is in-process. */
const cost = (test) => 0.01 + test.seconds + 0.01 * test.requests;

/** The names of tests that together have all facts, greedily: next the one with the most new facts a second. */
export function cover(tests, first) {
  const chosen = first.map((name) => {
    if (!tests.has(name)) throw new Error(`there is no test ${name}: mend tests/workerd.txt`);
    return tests.get(name);
  });
  const known = new Set(chosen.flatMap((test) => test.facts));
  const gain = (test) => test.facts.filter((fact) => !known.has(fact)).length / cost(test);
  for (;;) {
    const gains = [...tests.values()].map((test) => [gain(test), test]);
    const [most, best] = gains.reduce((one, other) => (other[0] > one[0] ? other : one));
    if (!(most > 0)) break;
    chosen.push(best);
    best.facts.forEach((fact) => known.add(fact));
  }
  // a later one may have all that an earlier one was chosen for
  const holders = new Map();
  for (const fact of chosen.flatMap((test) => test.facts)) holders.set(fact, (holders.get(fact) ?? 0) + 1);
  const needed = chosen.filter((test) => {
    const stays = first.includes(test.name) || test.facts.some((fact) => holders.get(fact) === 1);
    if (!stays) test.facts.forEach((fact) => holders.set(fact, holders.get(fact) - 1));
    return stays;
  });
  return { chosen: needed, facts: known };
}

/** The routes that no fact is about. */
export function unasked(routes, facts) {
  const asked = [...facts].map((fact) => fact.split("\t")).map(([dialect, method, route]) => `${dialect.split(" ")[0]} ${method} ${route}`);
  return routes.filter((route) => !asked.includes(route));
}

/** The names in a list with comments behind `#`. */
export const named = (list) =>
  list
    .split("\n")
    .map((line) => line.replace(/#.*/, "").trim())
    .filter(Boolean);

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const { tests, routes } = parsed(readFileSync(process.argv[2], "utf8"));
  const { chosen, facts } = cover(tests, named(readFileSync("tests/workerd.txt", "utf8")));
  const missing = unasked(routes, facts);
  if (missing.length) {
    console.error(`no test asks these routes over HTTP: ${missing.join(", ")}`);
    process.exit(1);
  }
  const sum = (key) => chosen.reduce((total, test) => total + test[key], 0);
  console.error(
    `${chosen.length} of ${tests.size} tests ask for all ${facts.size} routes with their statuses: ${sum("requests")} requests, ${sum("seconds").toFixed(0)} seconds in-process`,
  );
  console.log(chosen.map((test) => test.name).join("\n"));
}
