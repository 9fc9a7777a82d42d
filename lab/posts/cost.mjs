// The cost of a post and a list on a commit with 5,000 statuses, from Server-Timing.
//
//   node lab/posts/cost.mjs --server URL --world FILE [--statuses N]
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values: given } = parseArgs({
  options: { server: { type: "string" }, world: { type: "string" }, statuses: { type: "string", default: "5000" } },
});
const { project, users, shas } = JSON.parse(readFileSync(given.world, "utf8"));
const [sha, quiet] = [shas[0], shas[1]];
let failed = false;

async function ask(method, path, fields) {
  const body = fields && new URLSearchParams(fields);
  const answer = await fetch(`${given.server}/api/v3${project}${path}`, { method, body, headers: { "PRIVATE-TOKEN": users[0].token } });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  const timing = answer.headers.get("server-timing");
  const part = (name) => Number(new RegExp(`${name};desc="(\\d+)"`).exec(timing)[1]);
  return { trips: part("trips"), read: part("rows_read"), written: part("rows_written"), link: answer.headers.get("link") };
}
const post = (commit, name, state, more) => ask("POST", `/statuses/${commit}`, { name, state, ...more });

let next = 0;
const total = Number(given.statuses);
const states = ["success", "failed", "pending", "running", "canceled"];
const filler = async () => {
  while (next < total) {
    const n = next++;
    await post(sha, `job ${n}`, states[n % 5]);
  }
};
await Promise.all(Array.from({ length: 16 }, filler));

function report(title, { trips, read, written }, most) {
  const within = trips <= most.trips && read <= most.read && written <= most.written;
  failed ||= !within;
  console.log(`${title.padEnd(58)}${String(trips).padStart(5)}${String(read).padStart(7)}${String(written).padStart(9)}${within ? "" : "   OVER"}`);
}
console.log(`\non a commit with ${total} statuses${" ".repeat(32)}trips   read  written`);
const ofPost = { trips: 1, read: 45, written: 8 };
report("POST a new open status", await post(sha, "one more", "pending"), ofPost);
report("POST that moves it, pending to running", await post(sha, "one more", "running", { description: "x" }), ofPost);
report("POST its own state again", await post(sha, "one more", "running", { description: "y" }), ofPost);
report("POST that finishes it", await post(sha, "one more", "success"), ofPost);
report("POST over a finished status", await post(sha, "one more", "pending"), ofPost);
report("POST over an old finished status, finished at once", await post(sha, "job 0", "failed"), ofPost);
report("POST with a ref", await post(sha, "one more", "failed", { ref: "other" }), ofPost);
report("POST by abbreviated hash", await post(sha.slice(0, 10), "short", "success"), ofPost);
report("POST the first status of a commit", await post(quiet, "first", "running"), ofPost);
const ofList = { trips: 1, read: 200, written: 0 };
const list = `/repository/commits/${sha}/statuses`;
const first = await ask("GET", list);
report("GET the newest of each name, 20", first, ofList);
const follow = (link) => /<([^>]*)>; rel="next"/.exec(link)[1].replace(/.*\/statuses/, "");
report("GET the next 20 by its link", await ask("GET", list + follow(first.link)), ofList);
report("GET all, 20", await ask("GET", `${list}?all=true`), ofList);
report("GET 20 of a ref", await ask("GET", `${list}?ref=master`), ofList);
report("GET by name", await ask("GET", `${list}?name=job+7`), ofList);
report("GET all by name", await ask("GET", `${list}?name=job+0&all=1`), { ...ofList, read: Infinity });
report("GET by stage", await ask("GET", `${list}?stage=external`), { ...ofList, read: Infinity });
report("GET page 250, not by link", await ask("GET", `${list}?page=250`), { ...ofList, read: Infinity });
report("GET the commit with its status", await ask("GET", `/repository/commits/${sha}`), ofList);
process.exit(failed ? 1 : 0);
