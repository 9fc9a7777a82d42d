// See lab/deliveries/run. Time goes on by SQL: while the server is stopped, all times of the outbox in the local D1 move into the past.
//
//   node lab/deliveries/main.mjs --state DIR --events N --kills N
import { parseArgs } from "node:util";
import { database, Findings, pause, serve, token } from "../../scripts/workerd.mjs";
import { NAMES, receivers, TAKERS } from "./receivers.mjs";

const { values: given } = parseArgs({
  options: { state: { type: "string" }, events: { type: "string" }, kills: { type: "string" } },
});
const [events, kills] = [Number(given.events), Number(given.kills)];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The time that passes at a kill, and then until nothing waits. */
const AT_A_KILL = 7 * MINUTE;
const AFTERWARDS = [
  HOUR / 2,
  HOUR,
  2 * HOUR,
  2 * HOUR,
  4 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR,
  10 * HOUR,
  12 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  12 * HOUR,
];
const WRITERS = 8;

let seed = 1;
const random = () => ((seed = (seed * 16_807) % 2_147_483_647) - 1) / 2_147_483_646;
const to = await receivers(random);
const findings = new Findings();
const begin = () => serve(given.state, 0, ["--outbound", to.address]);
let server = await begin();

// a project with one hook for each receiver
const projects = [];
for (const name of NAMES) {
  const { id } = await server.make("/projects", { name });
  const hook = await server.make(`/projects/${id}/hooks`, {
    url: `https://${name}.example.com/in`,
    push_events: false,
    issues_events: true,
  });
  projects.push({ id, name, hook: hook.id });
}

/** Lets time pass for what waits. */
function pass(millis) {
  const db = database(given.state);
  db.exec(`
    update deliveries set next_at = next_at - ${millis}, created_at = created_at - ${millis};
    update hooks set next_at = next_at - ${millis}, disabled_until = disabled_until - ${millis}, lease_until = lease_until - ${millis};
    update hook_queues set next_at = next_at - ${millis};
    update hook_events set created_at = created_at - ${millis};
    update hook_chains set created_at = created_at - ${millis};
    update hook_log set created_at = created_at - ${millis}, next_attempt_at = next_attempt_at - ${millis}`);
  db.close();
}
const cron = () =>
  fetch(`${server.address}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).then(
    (answer) => answer.ok,
    () => false,
  );

const acknowledged = new Set();
let [asked, unknown, restarting] = [0, 0, null];
async function write() {
  while (asked < events) {
    if (restarting) await restarting;
    const number = asked++;
    const { id, name } = projects[number % projects.length];
    const title = `${name} ${number}`;
    const { status } = await server.ask(token, "POST", `/projects/${id}/issues`, { title });
    if (status === 200 || status === 201) acknowledged.add(title);
    else if (status === 0) unknown++;
    else throw new Error(`${title}: ${status}`);
  }
}
let going = true;
async function minutes() {
  for (; going; await pause(500)) restarting ? await restarting : await cron();
}
async function kill() {
  let done;
  restarting = new Promise((resolve) => (done = resolve));
  await server.kill();
  pass(AT_A_KILL);
  server = await begin();
  restarting = null;
  done();
}

console.log(`${events} events for ${NAMES.length} hooks by ${WRITERS} writers, while workerd is killed ${kills} times`);
const began = Date.now();
const writers = Promise.all(Array.from({ length: WRITERS }, write));
const ticking = minutes();
for (let number = 1; number <= kills; number++) {
  while (asked < (events * number) / (kills + 1)) await pause(20);
  await kill();
}
await writers;
console.log(`written in ${((Date.now() - began) / 1000).toFixed(0)} s; ${unknown} writes broke off`);
going = false;
await ticking;

/** Rows of a statement, while the server is stopped. */
function rows(sql) {
  const db = database(given.state, { readOnly: true });
  const found = db.prepare(sql).all();
  db.close();
  return found;
}
const waiting = () => rows("select count(*) as n from deliveries")[0].n;
to.mend();
console.log("the receivers called -1 are mended, and hours pass until nothing waits");
for (const millis of AFTERWARDS) {
  // a run of Cron has 40 rounds of six hooks, two of a project, and another run may still be waiting for an answer
  for (let [before, idle] = [-1, 0]; idle < 3; idle = before === to.got.length ? idle + 1 : 0) {
    before = to.got.length;
    await cron();
    await pause(500);
  }
  await server.stop();
  const left = waiting();
  if (!left) break;
  console.log(`  ${left} wait; ${millis / HOUR} h pass`);
  pass(millis);
  server = await begin();
}
await server.stop().catch(() => {});
to.close();

const titleOf = (text) => JSON.parse(text).object_attributes.title;
const made = new Set(rows("select title from issues").map(({ title }) => title));
const lost = [...acknowledged].filter((title) => !made.has(title));
findings.check(!lost.length, `${acknowledged.size} writes acknowledged, ${made.size} made; lost: ${lost.length}`);
const written = rows("select snapshot ->> '$.issue.title' as title, count(*) as n from hook_events group by 1");
findings.check(
  written.length === made.size && written.every(({ title, n }) => made.has(title) && n === 1),
  `${written.length} events, one for each change`,
);

const taken = new Map();
const bodies = new Map();
const ids = new Map();
for (const { id, body, took, name } of to.got) {
  const title = titleOf(body);
  if (took) taken.set(title, (taken.get(title) ?? 0) + 1);
  bodies.set(id, (bodies.get(id) ?? new Set()).add(`${name} ${body}`));
  ids.set(title, (ids.get(title) ?? new Set()).add(id));
}
const invented = [...ids.keys()].filter((title) => !made.has(title));
findings.check(!invented.length, `${to.got.length} requests for ${ids.size} events; invented: ${invented.length}`);
findings.check(!to.got.some(({ name }) => name.includes("elsewhere")), "no redirect was followed");
findings.check(
  [...bodies.values()].every(({ size }) => size === 1) && [...ids.values()].every(({ size }) => size === 1),
  "each event has one webhook-id, and all its requests have the same body and receiver",
);
const uuids = to.got.map(({ retried }) => retried);
console.log(`       ${uuids.length - new Set(uuids).size} X-Gitlab-Webhook-UUIDs came twice`);

const failed = new Map(
  rows(
    "select e.snapshot ->> '$.issue.title' as title, l.response_body as text, l.response_status as status from hook_log l cross join hook_events e on e.id = l.event_id where l.next_attempt_at is null and (l.response_status is null or l.response_status >= 400)",
  ).map(({ title, text, status }) => [title, status ?? text]),
);
const silent = [...made].filter((title) => !taken.has(title) && !failed.has(title));
const both = [...taken.keys()].filter((title) => failed.has(title));
findings.check(
  !silent.length,
  `${taken.size} were taken, ${failed.size} are in the log as failed, ${both.length} are both; neither: ${silent.length} ${silent.slice(0, 5)}`,
);
findings.check(waiting() === 0, `${waiting()} still wait`);

const firsts = new Map();
for (const { name, body } of to.got) {
  const number = Number(titleOf(body).split(" ")[1]);
  const list = firsts.get(name) ?? [];
  if (!list.includes(number)) list.push(number);
  firsts.set(name, list);
}
const order = new Map(rows("select id, snapshot ->> '$.issue.title' as title from hook_events").map(({ id, title }) => [title, id]));
const turned = [...firsts].flatMap(([name, list]) =>
  list.filter((number, at) => at && order.get(`${name} ${list[at - 1]}`) > order.get(`${name} ${number}`)),
);
findings.check(!turned.length, `first requests came in the order of events; not so: ${turned.length}`);

const twice = [...taken.values()].filter((times) => times > 1).length;
console.log(`       taken more than once: ${twice} of ${taken.size} events, ${(twice / kills || 0).toFixed(1)} for each kill`);
console.log("receiver          events  taken  requests  failed  why");
for (const { name } of projects) {
  const own = [...made].filter((title) => title.startsWith(`${name} `));
  const why = {};
  for (const title of own) if (failed.has(title)) why[failed.get(title)] = (why[failed.get(title)] ?? 0) + 1;
  const cells = [
    own.length,
    own.filter((title) => taken.has(title)).length,
    to.got.filter((one) => one.name === name).length,
    own.filter((title) => failed.has(title)).length,
  ];
  console.log(
    `${name.padEnd(16)}${cells.map((cell) => String(cell).padStart(8)).join("")}  ${Object.entries(why)
      .map(([text, count]) => `${text} (${count})`)
      .join(", ")
      .slice(0, 100)}`,
  );
}
const strays = projects
  .filter(({ name }) => TAKERS.slice(0, 4).includes(name.split("-")[0]))
  .filter(({ name }) => [...made].some((title) => title.startsWith(`${name} `) && !taken.has(title)));
findings.check(!strays.length, `receivers that take what they get took all of it; not so: ${strays.map(({ name }) => name)}`);
findings.end();
