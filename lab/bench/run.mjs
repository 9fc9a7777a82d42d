// Puts load on our Worker and the peer in turns and prints the results side by side: medians over the rounds, so that
// other work of the machine matters little. Each round also measures two floors: the smallest Worker that queries the
// database, and one that does not. Exits with 1 if an answer has other fields or ids than the peer's.
//
// Where there is a /proc, the processor time of each workerd is the less noisy measure.
//
//   ROUNDS=7 DURATION=2 CONNECTIONS=8 ONLY=issue,user node lab/bench/run.mjs --ours URL,PID --peer URL,PID
//     --query URL,PID --nothing URL,PID --world FILE --wasm FILE
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { load } from "./meter.mjs";
import { print } from "./print.mjs";
import { deepPath, requests, vary } from "./requests.mjs";

const names = ["ours", "peer", "query", "nothing"];
const { values: given } = parseArgs({
  options: Object.fromEntries([...names, "world", "wasm"].map((name) => [name, { type: "string" }])),
});
const rounds = Number(process.env.ROUNDS || 7);
const seconds = Number(process.env.DURATION || 2);
const connections = Number(process.env.CONNECTIONS || 8);
const only = process.env.ONLY?.split(",");
const world = JSON.parse(readFileSync(given.world, "utf8"));
/** @type {Record<string, { url: string, pid: string, deep?: string }>} */
const servers = Object.fromEntries(
  names.map((name) => {
    const [url, pid] = given[name].split(",");
    return [name, { url, pid }];
  }),
);
const floor = { of: () => ({ method: "GET", path: "/" }) };

/** A request to a server, which may vary from one to the next. */
function requestTo(name, { of }, varied = vary(world)) {
  const { headers, ...rest } = of({ ...varied, deep: servers[name].deep });
  // autocannon's default
  return { ...rest, headers: { ...headers, "PRIVATE-TOKEN": world.token, "Accept-Encoding": "identity" } };
}

async function ask(name, row, varied) {
  const { path, ...request } = requestTo(name, row, varied);
  const answer = await fetch(servers[name].url + path, request);
  return { status: answer.status, body: await answer.json() };
}

/** The fields of an answer with the ids, names and labels among their values, in one order. */
function fieldsOf(value, name = "") {
  if (Array.isArray(value)) return value.map((one) => fieldsOf(one, name));
  if (value === null || typeof value !== "object") return /^(?:i?id|sha|username|title|labels)$/.test(name) ? value : typeof value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, one]) => [name, fieldsOf(one, name)]));
}

/** Whether both servers answer a request with the same status, fields and ids. Prints the answers that differ. */
async function isSame(row) {
  const varied = vary(world);
  const answers = await Promise.all(["ours", "peer"].map((name) => ask(name, row, varied)));
  const [ours, peer] = answers.map(({ status, body }) => JSON.stringify([status, row.missing || fieldsOf(body)]));
  if (ours !== peer)
    process.stderr.write(`${row.title}: the answers differ\n  ours ${ours.slice(0, 2000)}\n  peer ${peer.slice(0, 2000)}\n`);
  return ours === peer;
}

const measure = (name, row, duration) =>
  load(servers[name], { seconds: duration, connections, next: () => requestTo(name, row), missing: row.missing });

for (const name of ["ours", "peer"]) servers[name].deep = await deepPath(servers[name].url, world.token);
/** @type {any[]} */
const rows = Object.entries(requests)
  .filter(([key]) => !only || only.includes(key))
  .map(([, row]) => ({ ...row, loads: { ours: [], peer: [] } }));
// first the answers, while both have the same records
for (const row of rows) row.same = await isSame(row);

/** All loads of one round. The two servers take turns in going first. */
async function round(number, duration, keep) {
  for (const name of ["query", "nothing"]) keep(floors[name], await measure(name, floor, duration));
  for (const row of rows) {
    const order = number % 2 ? ["peer", "ours"] : ["ours", "peer"];
    for (const name of order) keep(row.loads[name], await measure(name, row, duration));
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
