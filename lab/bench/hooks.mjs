// What web hooks cost: writes in a project without a hook, with one and with three, and the Cron trigger of a minute after a backlog.
// The receivers are on this machine and answer at once. Exits with 1 if a hook takes a write another round trip.
//
//   node lab/bench/hooks.mjs --state DIR --world FILE      the world is that of lab/bench/fill.mjs, the state is changed
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { database, Findings, pause, portOf, serve, token } from "../../scripts/workerd.mjs";
import { form, inbox, project } from "./requests.mjs";
import { median } from "./meter.mjs";

const { values: given } = parseArgs({ options: { state: { type: "string" }, world: { type: "string" } } });
const WRITES = 100;
const HOOKS = 20;
const { shas } = JSON.parse(readFileSync(given.world, "utf8"));
const findings = new Findings();
let received = 0;
const receiver = createServer((request, response) => {
  received += 1;
  request.resume().on("end", () => response.end("thanks"));
});
await new Promise((done) => receiver.listen(0, "127.0.0.1", () => done(null)));
const start = () => serve(given.state, 0, ["--outbound", `http://127.0.0.1:${portOf(receiver)}/`, "--main", "lab/watched.mjs"]);
let server = await start();
const numbers = (values, digits = 0) => values.map((value) => value.toFixed(digits).padStart(10)).join("");

/** A write, and what it cost by `Server-Timing`. */
async function write({ method, path, headers, body }) {
  const began = performance.now();
  const answer = await fetch(server.address + path, { method, headers: { ...headers, "PRIVATE-TOKEN": token }, body });
  await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const [, millis, trips, read, written] = /dur=([\d.]+), trips;desc="(\d+)", rows_read;desc="(\d+)".* rows_written;desc="(\d+)"/.exec(
    answer.headers.get("Server-Timing"),
  );
  return { trips, read, written, millis, passed: performance.now() - began };
}
const hook = (path) =>
  write(form(`${path}/hooks`, { url: "https://receiver.example.com/in", push_events: false, issues_events: true, pipeline_events: true }));
const issue = () => form(`${inbox}/issues`, { title: "Something is wrong", description: "What happens, and how to see it." });
let status = 0;
// each is the first of its commit and ref, so the pipeline changes with every post
const post = () =>
  form(`${project}/statuses/${shas[status % shas.length]}`, {
    state: "success",
    ref: `r${Math.floor(status++ / shas.length)}`,
    name: "ci/test",
  });

console.log(`\nwhat hooks cost a write: medians of ${WRITES}, one after the other; D1 ms is a mean\n`);
console.log(`                 hooks${["trips", "read", "written", "D1 ms", "ms"].map((name) => name.padStart(10)).join("")}`);
const trips = {};
for (const count of [0, 1, 3]) {
  for (const path of [inbox, project]) for (let n = count === 3 ? 2 : count; n > 0; n--) await hook(path);
  for (const [name, next] of /** @type {const} */ ([
    ["POST an issue", issue],
    ["POST a status", post],
  ])) {
    const costs = [];
    for (let n = 0; n < WRITES; n++) costs.push(await write(next()));
    const of = (what) => median(costs.map((cost) => Number(cost[what])));
    // the clock of D1 ticks in milliseconds
    const millis = costs.reduce((sum, cost) => sum + Number(cost.millis), 0) / WRITES;
    (trips[name] ??= []).push(of("trips"));
    console.log(
      `${name.padEnd(18)}${String(count).padStart(4)}${numbers(["trips", "read", "written"].map(of))}${numbers([millis, of("passed")], 1)}`,
    );
  }
}
for (const [name, list] of Object.entries(trips)) findings.check(new Set(list).size === 1, `${name}: round trips ${list.join(", ")}`);

async function cron() {
  await fetch(`${server.address}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
  const notes = await (await fetch(`${server.address}/watched`)).json();
  return notes.findLast(({ name }) => name === "scheduled");
}
const print = (name, { trips, read, written, d1, millis }, sent) =>
  console.log(`${name.padEnd(34)}${numbers([sent, trips, read, written, d1, millis])}`);
/** Runs the trigger until nothing is sent. Prints the first run and the last. */
async function minutes(name) {
  let [sent, runs, first] = [0, 0, null];
  for (;;) {
    const before = received;
    const cost = await cron();
    if (first && received === before) break;
    runs += 1;
    sent += received - before;
    if (!first) print(`${name}, a minute`, (first = cost), received - before);
  }
  console.log(`${"".padEnd(34)}${String(sent).padStart(10)} sent in ${runs} minutes`);
}
/** Holds the deliveries of all hooks back, or lets them go. */
async function between(sql) {
  await server.stop();
  const db = database(given.state);
  db.exec(sql);
  db.close();
  server = await start();
}
const HOLD = "update hooks set disabled_until = 9000000000000, next_at = 9000000000000";
const RELEASE =
  "update hooks set disabled_until = null, next_at = iif(exists (select 1 from deliveries d where d.hook_id = hooks.id), 0, null)";

console.log(
  `\nwhat the Cron trigger of a minute costs\n\n${"".padEnd(34)}${["sent", "trips", "read", "written", "D1 ms", "ms"].map((name) => name.padStart(10)).join("")}`,
);
await pause(3000);
await minutes("what is left of the writes above");
print("nothing is due", await cron(), 0);
await between(HOLD);
for (let n = 0; n < 200; n++) await write(issue());
await between(RELEASE);
await minutes("three hooks, 200 events each");
for (let n = 3; n < HOOKS; n++) await hook(inbox);
await between(HOLD);
for (let n = 0; n < 20; n++) await write(issue());
await between(RELEASE);
await minutes(`${HOOKS} hooks, 20 events each`);
await server.stop();
receiver.close();
findings.end();
