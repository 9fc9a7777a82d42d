// What each extra of a write costs that a plain peer does without: the bench's own requests, on the same data, once whole and once
// without the extra. An extra is taken away inside of the database: its triggers are dropped, or its inserts ignored.
//
//   ROUNDS=5 DURATION=2 node lab/bench/prices.mjs --state DIR --world FILE --work DIR
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { database, serve } from "../../scripts/workerd.mjs";
import { load, meanCosts, median } from "./meter.mjs";
import { requests, vary } from "./requests.mjs";

const { values: given } = parseArgs({ options: { state: { type: "string" }, world: { type: "string" }, work: { type: "string" } } });
const rounds = Number(process.env.ROUNDS || 5);
const seconds = Number(process.env.DURATION || 2);
const world = JSON.parse(readFileSync(given.world, "utf8"));

const ignoring = (table) => `create trigger without_${table} before insert on ${table} begin select raise(ignore); end`;
const WRITES = ["create", "planned", "status"];
/** `drops`: names of triggers. `ignores`: tables whose inserts have no effect. `of`: keys of requests.mjs. */
const EXTRAS = [
  { title: "bytes of project and server, quotas", drops: /_(stored|restored|resized|unstored)$/, of: WRITES },
  { title: "limit of writes an hour", ignores: ["hourly_writes"], of: WRITES },
  { title: "activity: lists of events", ignores: ["events"], of: ["create", "planned"] },
  // issues_count_created gives the next issue its number
  { title: "counters of labels and milestones", drops: /^(issues_count_planned|issue_labels_added)$/, of: ["planned"] },
  { title: "events of labels and milestones", ignores: ["resource_events"], of: ["planned"] },
  { title: "participants and to-do items", ignores: ["participants", "todos"], of: ["planned"] },
  { title: "pipelines, newest status of a name", drops: /^statuses_added$/, of: ["status"] },
  { title: "events of the state of a pipeline", drops: /^status_counts_(begun|moved)$/, of: ["status"] },
];

/**
 * Serves a copy of the world without an extra.
 * @param {{ drops?: RegExp, ignores?: string[] }} extra
 */
async function without({ drops, ignores = [] }, number) {
  const state = join(given.work, `prices-${number}`);
  rmSync(state, { recursive: true, force: true });
  cpSync(given.state, state, { recursive: true });
  const db = database(state);
  const triggers = db.prepare("select name from sqlite_schema where type = 'trigger'").all();
  for (const { name } of triggers) if (drops?.test(name)) db.exec(`drop trigger ${name}`);
  for (const table of ignores) db.exec(ignoring(table));
  db.exec("pragma wal_checkpoint(truncate)");
  db.close();
  return serve(state);
}

function measure(server, key, duration) {
  const headers = { "PRIVATE-TOKEN": world.token, "Accept-Encoding": "identity" };
  const next = () => {
    const request = requests[key].of({ ...vary(world), deep: "" });
    return { ...request, headers: { ...request.headers, ...headers } };
  };
  return load({ url: server.address, pid: server.pid }, { seconds: duration, connections: 8, next, missing: false });
}

const number = (value, digits) => value.toFixed(digits).padStart(10);
console.log(`\nwhat an extra costs a write: medians of the differences of ${rounds} rounds of ${seconds} s, in turns`);
console.log(`\n${"".padEnd(58)}processor      D1       rows      rows`);
console.log(`${"".padEnd(58)}microseconds, mean       read   written`);
const whole = await without({}, 0);
for (const [at, extra] of EXTRAS.entries()) {
  const less = await without(extra, at + 1);
  for (const key of extra.of) {
    await measure(less, key, 1);
    await measure(whole, key, 1);
    const pairs = [];
    for (let round = 0; round < rounds; round++) {
      const order = round % 2 ? [whole, less] : [less, whole];
      const loads = new Map();
      for (const server of order) loads.set(server, await measure(server, key, seconds));
      pairs.push([loads.get(whole), loads.get(less)]);
    }
    const cpu = median(pairs.map(([all, some]) => all.cpu - some.cpu));
    const [all, some] = [0, 1].map((side) => meanCosts(pairs.map((pair) => pair[side])));
    console.log(
      `${extra.title.padEnd(40)}${requests[key].title.padEnd(16)}${number(1000 * cpu, 0)}${number(1000 * (all.millis - some.millis), 0)}${number(all.read - some.read, 1)}${number(all.written - some.written, 1)}`,
    );
  }
  await less.stop();
}
await whole.stop();
