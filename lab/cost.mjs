// The cost of each issue request in two worlds of lab/world, side by side.
//
//   node lab/cost.mjs --small URL --large URL
import { parseArgs } from "node:util";
import { measureLists } from "./cost-lists.mjs";

const { values: given } = parseArgs({ options: { small: { type: "string" }, large: { type: "string" }, issues: { type: "string" } } });
const worlds = { ...given, smallIssues: 1000, largeIssues: Number(given.issues) };
const project = "/projects/world%2Fbig";

async function ask(server, who, method, path, body, taken = []) {
  const address = path.startsWith("http") ? path : path.startsWith("/api/") ? server + path : `${server}/api/v3${path}`;
  const answer = await fetch(address, {
    method,
    headers: { "PRIVATE-TOKEN": `token-of-${who}`, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (taken.includes(answer.status)) return { status: answer.status };
  if (!answer.ok) throw new Error(`${method} ${path} by ${who} answered ${answer.status}: ${text.slice(0, 300)}`);
  const timing = answer.headers.get("Server-Timing");
  const figure = (name) => Number(timing.match(`${name};desc="(\\d+)"`)[1]);
  // the rows read for a total are reported separately
  const cost = [figure("trips"), figure("rows_read") - figure("rows_counted"), figure("rows_written")];
  const next = answer.headers.get("Link")?.match(/<([^>]*)>; rel="next"/)?.[1];
  return { cost, json: JSON.parse(text), counted: figure("rows_counted"), total: answer.headers.get("X-Total"), next };
}

const number = (value) => value.toLocaleString("en");
const rows = [];
let missed = 0;
/** Adds a line: `act(server)` in both worlds. */
async function line(name, act, { read = Infinity, written = Infinity } = {}) {
  const [small, large] = [await act(worlds.small), await act(worlds.large)];
  const differs = Math.abs(large.cost[1] - small.cost[1]) / Math.max(1, small.cost[1]);
  const good = large.cost[1] <= read && large.cost[2] <= written && differs < 0.1 && large.cost[2] === small.cost[2];
  missed += !good;
  const share = `${large.cost[1] >= small.cost[1] ? "+" : "-"}${(differs * 100).toFixed(0)} %`;
  rows.push([name, ...small.cost.map(number), ...large.cost.map(number), share, good ? "" : "missed"]);
}

await measureLists(worlds, ask, (text) => (missed++, console.log(text)));
if (process.env.ONLY) process.exit(missed ? 1 : 0);

const made = new Map();
const make = (fields) => async (server) => {
  const answer = await ask(server, "olga", "POST", `${project}/issues`, fields);
  made.set(server, answer.json.id);
  return answer;
};
const change = (fields) => (server) => ask(server, "olga", "PUT", `${project}/issues/${made.get(server)}`, fields);
const few = { written: 20 };
const title = "Another one";
await line("create", make({ title }), few);
await line("close", change({ state_event: "close" }), few);
await line("reopen", change({ state_event: "reopen" }), few);
await line("edit title and description", change({ title: "Better", description: "More." }));
await line("edit labels, one for none", change({ labels: "label-05" }));
await line("delete", (server) => ask(server, "olga", "DELETE", `${project}/issues/${made.get(server)}`));
await line("create with a label", make({ title, labels: "label-01" }), few);
await line("close with a label", change({ state_event: "close" }), few);
await line("create with two labels", make({ title, labels: "label-01,label-02" }), few);
await line("close with two labels", change({ state_event: "close" }), few);
const full = { title, labels: "label-01,label-02", milestone_id: 1000001, assignee_id: 110 };
await line("create with two labels, milestone, assignee", make(full));
await line("comment", (server) => ask(server, "olga", "POST", `${project}/issues/${made.get(server)}/notes`, { body: "So it is." }));
await line("subscribe", (server) => ask(server, "gus", "POST", `${project}/issues/900/subscription`));
await line("todo", (server) => ask(server, "olga", "POST", `${project}/issues/900/todo`));
await line("move", (server) => ask(server, "olga", "POST", `${project}/issues/${made.get(server)}/move`, { to_project_id: 1001 }));
await line("close with two labels, milestone, assignee", async (server) => {
  await make(full)(server);
  return change({ state_event: "close" })(server);
});

const head = ["request", "trips", "read", "written", "trips", "read", "written", "read", ""];
const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => row[at].length)));
const print = (row) => console.log(row.map((cell, at) => (at ? cell.padStart(widths[at]) : cell.padEnd(widths[at]))).join("  "));
console.log(`${" ".repeat(widths[0])}  ${"1,000 issues".padEnd(widths[1] + widths[2] + widths[3] + 4)}  the large world`);
print(head);
rows.forEach(print);

// following `next` through 100,000 issues: no page costs much more than the first, and none repeats an issue
const seen = new Set();
const costs = [];
let next = `${project}/issues?per_page=100`;
while (next && seen.size < 100_000) {
  const page = await ask(worlds.large, "olga", "GET", next);
  page.json.forEach((issue) => seen.add(issue.iid));
  costs.push(page.cost[1]);
  next = page.next;
}
console.log(`\nfollowing next, per_page=100: ${number(costs.length)} pages, ${number(seen.size)} different issues; rows read: page 1 ${costs[0]}, the last ${costs.at(-1)}, the most ${Math.max(...costs)}`);
if (costs.length * 100 !== seen.size || costs.at(-1) > costs[0] * 1.1) missed++;
console.log(missed ? `${missed} targets missed` : "all targets met");
process.exit(missed ? 1 : 0);
