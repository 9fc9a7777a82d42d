// Puts load on our Worker and on the yardstick in turns and prints them side by side: medians over the rounds, so that
// whatever else the machine does in one of them counts little.
//
// The processor time of each one's workerd says the same with less noise, where there is a /proc to tell it.
//
//   ROUNDS=7 DURATION=2 CONNECTIONS=8 node bench/run.mjs --ours URL,PID --yardstick URL,PID --world FILE --wasm FILE
import autocannon from "autocannon";
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { requests, vary } from "./requests.mjs";

const { values: given } = parseArgs({
  options: { ours: { type: "string" }, yardstick: { type: "string" }, world: { type: "string" }, wasm: { type: "string" } },
});
const rounds = Number(process.env.ROUNDS || 7);
const seconds = Number(process.env.DURATION || 2);
const connections = Number(process.env.CONNECTIONS || 8);
const world = JSON.parse(readFileSync(given.world, "utf8"));
const [servers, pids] = [0, 1].map((part) => ({
  ours: given.ours.split(",")[part],
  yardstick: given.yardstick.split(",")[part],
}));

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
  return { ...rest, headers: { ...headers, "PRIVATE-TOKEN": world.token } };
}

async function load(server, row, duration) {
  const before = used(server);
  const result = await autocannon({
    url: servers[server],
    connections,
    duration,
    requests: [{ setupRequest: (before) => ({ ...before, ...request(row) }) }],
  });
  if (result.non2xx || result.errors) throw new Error(`${row.title} on ${server}: ${result.non2xx} refused, ${result.errors} failed`);
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
  return { body: JSON.parse(text), trips: part("trips"), read: part("rows_read"), written: part("rows_written") };
}

/** The same JSON with its keys in order. */
const canonical = (value) =>
  JSON.stringify(value, (_, one) =>
    one && typeof one === "object" && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const measured = Object.fromEntries(Object.keys(requests).map((key) => [key, { ours: [], yardstick: [] }]));
const costs = {};
for (const [key, row] of Object.entries(requests)) {
  const varied = vary(world);
  costs[key] = { ours: await once("ours", row, varied), yardstick: await once("yardstick", row, varied) };
  costs[key].same = canonical(costs[key].ours.body) === canonical(costs[key].yardstick.body);
  for (const server of Object.keys(servers)) await load(server, row, 1);
}
for (let round = 0; round < rounds; round++) {
  process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  for (const [key, row] of Object.entries(requests)) {
    const order = round % 2 ? ["yardstick", "ours"] : ["ours", "yardstick"];
    for (const server of order) measured[key][server].push(await load(server, row, seconds));
  }
}

const cell = (text, width) => String(text).padStart(width);
console.log(`\nmedians of ${rounds} rounds of ${seconds} s, ${connections} connections, both on this machine's workerd and D1\n`);
console.log("                 ---------- edgeforge (Rust) ----------   -------- yardstick (JavaScript) -------   -- ratio --   same");
console.log("                  req/s      p50      p99  CPU/req         req/s      p50      p99  CPU/req         req/s  CPU   answer");
for (const [key, { title }] of Object.entries(requests)) {
  const { ours, yardstick } = measured[key];
  const side = (rounds) => {
    const of = (what) => median(rounds.map((one) => one[what]));
    return cell(of("rate").toFixed(0), 7) + ["p50", "p99"].map((what) => cell(`${of(what)} ms`, 9)).join("") + cell(`${of("cpu").toFixed(2)} ms`, 9);
  };
  const ratio = (of) => cell(median(ours.map((one, n) => of(one, yardstick[n]))).toFixed(2), 6);
  const ratios = ratio((a, b) => a.rate / b.rate) + ratio((a, b) => b.cpu / a.cpu);
  console.log(`${title.padEnd(16)}${side(ours)}       ${side(yardstick)}        ${ratios}    ${costs[key].same ? "yes" : "NO"}`);
}
console.log("\nD1 per request    round trips   rows read   rows written    (yardstick)");
for (const [key, { title }] of Object.entries(requests)) {
  const { ours, yardstick } = costs[key];
  console.log(
    `${title.padEnd(16)}${cell(ours.trips, 13)}${cell(ours.read, 12)}${cell(ours.written, 15)}    (${yardstick.trips}, ${yardstick.read}, ${yardstick.written})`,
  );
}
const wasm = readFileSync(given.wasm);
const kb = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
console.log(`\nwasm: ${kb(wasm.length)} raw, ${kb(gzipSync(wasm, { level: 9 }).length)} gzipped`);
