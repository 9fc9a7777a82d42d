// Puts load on our Worker and the yardstick in turns and prints the results side by side: medians over the rounds, so
// that other work of the machine matters little. Each round also measures two floors: the smallest Worker that queries
// the database, and one that does not.
//
// Where there is a /proc, the processor time of each workerd is the less noisy measure.
//
//   ROUNDS=7 DURATION=2 CONNECTIONS=8 node lab/bench/run.mjs --ours URL,PID --yardstick URL,PID --query URL,PID
//     --nothing URL,PID --world FILE --wasm FILE
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { load } from "./meter.mjs";
import { print } from "./print.mjs";
import { project, requests, requestsOfToday, vary } from "./requests.mjs";
import { ask, askBoth } from "./same.mjs";

const { values: given } = parseArgs({
  options: Object.fromEntries(["ours", "yardstick", "query", "nothing", "world", "wasm"].map((name) => [name, { type: "string" }])),
});
const rounds = Number(process.env.ROUNDS || 7);
const seconds = Number(process.env.DURATION || 2);
const connections = Number(process.env.CONNECTIONS || 8);
const world = JSON.parse(readFileSync(given.world, "utf8"));
const token = world.tokens.dev;
/** @type {Record<string, { url: string, pid: string, deep?: string }>} */
const servers = Object.fromEntries(
  ["ours", "yardstick", "query", "nothing"].map((name) => {
    const [url, pid] = given[name].split(",");
    return [name, { url, pid }];
  }),
);
const floor = { of: () => ({ method: "GET", path: "/" }) };

/** The address of page 1,000 is the `next` link of page 999. Each server writes its own. */
for (const name of ["ours", "yardstick"]) {
  const { next } = await ask(servers[name].url, token, { path: `${project}/issues?page=999` });
  servers[name].deep = next;
}

/** A request to a server, which may vary from one to the next. */
const requestTo = (name, { of }, varied = vary(world)) => of({ ...varied, deep: servers[name].deep });

function measure(name, row, duration) {
  // autocannon's default
  const next = () => {
    const { headers, ...rest } = requestTo(name, row);
    return { ...rest, headers: { ...headers, "PRIVATE-TOKEN": token, "Accept-Encoding": "identity" } };
  };
  return load(servers[name], { seconds: duration, connections, next, missing: row.missing });
}

// first the answers, while both have the same records
/** @type {any[]} */
const rows = Object.entries(requests).map(([key, row]) => ({ key, ...row, loads: { ours: [], yardstick: [], today: [] } }));
for (const row of rows) {
  const varied = vary(world);
  const both = { ours: requestTo("ours", row, varied), yardstick: requestTo("yardstick", row, varied) };
  const { answers, same } = await askBoth({ ours: servers.ours.url, yardstick: servers.yardstick.url }, row.title, token, both);
  Object.assign(row, { same, bytes: answers.ours.length });
}
for (const row of rows.filter(({ key }) => requestsOfToday[key])) {
  row.today = { ...row, of: requestsOfToday[row.key] };
  row.today.bytes = (await ask(servers.ours.url, token, requestTo("ours", row.today))).length;
}

/** All loads of one round. The two servers take turns in going first. */
async function round(number, duration, keep) {
  for (const name of ["query", "nothing"]) keep(floors[name], await measure(name, floor, duration));
  for (const row of rows) {
    const order = number % 2 ? ["yardstick", "ours"] : ["ours", "yardstick"];
    for (const name of order) keep(row.loads[name], await measure(name, row, duration));
    if (row.today) keep(row.loads.today, await measure("ours", row.today, duration));
  }
}

const floors = { query: [], nothing: [] };
process.stderr.write("warming up\n");
await round(0, 1, () => {});
for (let n = 0; n < rounds; n++) {
  process.stderr.write(`round ${n + 1} of ${rounds}\n`);
  await round(n, seconds, (list, measured) => list.push(measured));
}
print({ rows, floors, rounds, seconds, connections, wasm: readFileSync(given.wasm) });
process.exit(rows.every(({ same }) => same) ? 0 : 1);
