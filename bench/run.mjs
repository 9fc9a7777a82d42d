// Puts load on our Worker and on the yardstick in turns and prints them side by side: medians over the rounds, so that
// whatever else the machine does in one of them counts little. In each round two floors are measured, too: the smallest
// Worker that asks the database, and one that asks nothing.
//
// The processor time of each one's workerd says the same with less noise, where there is a /proc to tell it.
//
//   ROUNDS=7 DURATION=2 CONNECTIONS=8 node bench/run.mjs --ours URL,PID --yardstick URL,PID --query URL,PID
//     --nothing URL,PID --world FILE --wasm FILE
import autocannon from "autocannon";
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { requests, requestsOfToday, vary } from "./requests.mjs";

const { values: given } = parseArgs({
  options: Object.fromEntries(
    ["ours", "yardstick", "query", "nothing", "world", "wasm"].map((name) => [name, { type: "string" }]),
  ),
});
const rounds = Number(process.env.ROUNDS || 7);
const seconds = Number(process.env.DURATION || 2);
const connections = Number(process.env.CONNECTIONS || 8);
const world = JSON.parse(readFileSync(given.world, "utf8"));
const [servers, pids] = [0, 1].map((part) =>
  Object.fromEntries(["ours", "yardstick", "query", "nothing"].map((name) => [name, given[name].split(",")[part]])),
);
const floor = { title: "floor", of: () => ({ method: "GET", path: "/" }) };

/** Milliseconds of processor time that the children of a server, its workerd, have used so far. */
function used(server) {
  const pid = pids[server];
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return NaN;
  const ticks = readFileSync(file, "utf8").trim().split(" ").map((child) => {
    const fields = readFileSync(`/proc/${child}/stat`, "utf8").replace(/.*\) /, "").split(" ");
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * 10;
}

function request({ of }, varied) {
  const { headers, ...rest } = of(varied ?? vary(world));
  // as autocannon asks by itself
  return { ...rest, headers: { ...headers, "PRIVATE-TOKEN": world.token, "Accept-Encoding": "identity" } };
}

async function load(server, row, duration) {
  const before = used(server);
  const result = await autocannon({
    url: servers[server],
    connections,
    duration,
    requests: [{ setupRequest: (before) => ({ ...before, ...request(row) }) }],
  });
  const refused = row.missing ? result["4xx"] !== result.requests.total : result.non2xx;
  if (refused || result.errors) throw new Error(`${row.title} on ${server}: ${result.non2xx} refused, ${result.errors} failed`);
  const { p50, p99 } = result.latency;
  return { rate: result.requests.total / result.duration, p50, p99, cpu: (used(server) - before) / result.requests.total };
}

/** One request to a server: its body without what differs by server or by second, and what it cost. */
async function once(server, row, varied) {
  const { path, ...rest } = request(row, varied);
  const answer = await fetch(servers[server] + path, rest);
  let text = (await answer.text()).replaceAll(servers[server], "");
  if (rest.method === "POST") text = text.replace(/_at":"[^"]*"/g, '_at":""');
  const timing = answer.headers.get("server-timing") ?? "";
  const part = (name) => Number(new RegExp(`${name};desc="(\\d+)"`).exec(timing)?.[1] ?? NaN);
  const body = row.text ? text : JSON.parse(text);
  const headers = [...answer.headers.keys()].sort().join();
  const millis = Number(/dur=([\d.]+)/.exec(timing)?.[1] ?? NaN);
  return { body, headers, millis, trips: part("trips"), read: part("rows_read"), written: part("rows_written") };
}

/** The same JSON with its keys in order. */
const canonical = (value) =>
  JSON.stringify(value, (_, one) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
// what differs between two new issues, and between a list and the yardstick's, is not compared
const alike = (body) => canonical(body).replace(/"(id|iid)":\d+|http:[^"]*\/issues\/\d+/g, "");
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const measured = Object.fromEntries(Object.keys(requests).map((key) => [key, { ours: [], yardstick: [], today: [] }]));
const costs = {};
for (const [key, row] of Object.entries(requests)) {
  const varied = vary(world);
  costs[key] = { ours: await once("ours", row, varied), yardstick: await once("yardstick", row, varied) };
  const of = key === "create" ? alike : canonical;
  const { ours, yardstick } = costs[key];
  costs[key].same = of(ours.body) === of(yardstick.body) && ours.headers === yardstick.headers;
  if (!costs[key].same) process.stderr.write(`${row.title} differs:\n${[ours, yardstick].map(({ body, headers }) => `  ${headers} ${of(body).slice(0, 700)}\n`).join("")}`);
  for (const server of ["ours", "yardstick"]) await load(server, row, 1);
  if (!requestsOfToday[key]) continue;
  const same = { ...row, of: requestsOfToday[key] };
  costs[key].today = await once("ours", same, varied);
  await load("ours", same, 1);
}
const floors = { query: [], nothing: [] };
for (const server of Object.keys(floors)) await load(server, floor, 1);
for (let round = 0; round < rounds; round++) {
  process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  for (const server of Object.keys(floors)) floors[server].push(await load(server, floor, seconds));
  for (const [key, row] of Object.entries(requests)) {
    const order = round % 2 ? ["yardstick", "ours"] : ["ours", "yardstick"];
    for (const server of order) measured[key][server].push(await load(server, row, seconds));
    if (requestsOfToday[key]) measured[key].today.push(await load("ours", { ...row, of: requestsOfToday[key] }, seconds));
  }
}

const cell = (text, width) => String(text).padStart(width);
console.log(`\nmedians of ${rounds} rounds of ${seconds} s, ${connections} connections, both on this machine's workerd and D1\n`);
for (const [name, title] of [["query", "one bound value asked of D1"], ["nothing", "nothing asked"]]) {
  const of = (what) => median(floors[name].map((one) => one[what]));
  console.log(`floor, ${title}: ${of("rate").toFixed(0)} req/s, ${of("cpu").toFixed(2)} ms of processor time a request`);
}
console.log("\n                 ---------- edgeforge (Rust) ----------   -------- yardstick (JavaScript) -------   -- ratio --  times the floor  same");
console.log("                  req/s      p50      p99  CPU/req         req/s      p50      p99  CPU/req         req/s  CPU     req/s  CPU     answer");
for (const [key, { title }] of Object.entries(requests)) {
  const { ours, yardstick } = measured[key];
  const side = (rounds) => {
    const of = (what) => median(rounds.map((one) => one[what]));
    return cell(of("rate").toFixed(0), 7) + ["p50", "p99"].map((what) => cell(`${of(what)} ms`, 9)).join("") + cell(`${of("cpu").toFixed(2)} ms`, 9);
  };
  const ratio = (of) => cell(median(ours.map((one, n) => of(one, yardstick[n]))).toFixed(2), 6);
  const ratios = ratio((a, b) => a.rate / b.rate) + ratio((a, b) => b.cpu / a.cpu);
  const below = floors[costs[key].ours.trips ? "query" : "nothing"];
  const above = (of) => cell(median(ours.map((one, n) => of(one, below[n]))).toFixed(2), 7);
  const times = above((a, b) => b.rate / a.rate) + above((a, b) => a.cpu / b.cpu);
  console.log(`${title.padEnd(16)}${side(ours)}       ${side(yardstick)}        ${ratios}  ${times}     ${costs[key].same ? "yes" : "NO"}`);
}
console.log("\nD1 per request    round trips   rows read   rows written   its own ms    (yardstick)");
for (const [key, row] of Object.entries(requests)) {
  const told = {};
  for (const server of ["ours", "yardstick"]) {
    // the local clock ticks in milliseconds: their mean tells more
    let millis = 0;
    for (let n = 0; n < 50; n++) millis += (await once(server, row)).millis / 50;
    told[server] = millis.toFixed(2);
  }
  const { ours, yardstick } = costs[key];
  console.log(
    `${row.title.padEnd(16)}${cell(ours.trips, 13)}${cell(ours.read, 12)}${cell(ours.written, 15)}${cell(told.ours, 13)}    (${yardstick.trips}, ${yardstick.read}, ${yardstick.written}, ${told.yardstick})`,
  );
}
console.log("\nv4 beside v3     rows read   written   answer's bytes   -- v4 / v3 --\n                  v3    v4   v3   v4       v3       v4    req/s    CPU");
for (const key of Object.keys(requestsOfToday)) {
  const { ours, today } = costs[key];
  const bytes = ({ body }) => cell(JSON.stringify(body).length, 9);
  const ratio = (what) => cell(median(measured[key].ours.map((one, n) => measured[key].today[n][what] / one[what])).toFixed(2), 7);
  console.log(
    `${requests[key].title.padEnd(16)}${cell(ours.read, 4)}${cell(today.read, 6)}${cell(ours.written, 5)}${cell(today.written, 5)}${bytes(ours)}${bytes(today)}  ${ratio("rate")}${ratio("cpu")}`,
  );
}
const wasm = readFileSync(given.wasm);
const kb = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
console.log(`\nwasm: ${kb(wasm.length)} raw, ${kb(gzipSync(wasm, { level: 9 }).length)} gzipped`);
