// The memory of the Worker's isolate while lists of the longest texts are read. The platform allows 128 MB for
// JavaScript's heap and wasm's memory (https://developers.cloudflare.com/workers/platform/limits/#memory). The database
// is another isolate; when deployed, it is another machine. ADMIN_TOKEN is root's.
//
// V8 collects garbage when its heap is full, so the heap in use only shows the need if the limit is small. lab/memory
// sets it to 96 MB; an isolate that needs more fails, and no list is answered.
//
//   node lab/memory.mjs ADDRESS INSPECTOR_PORT ISSUES
import { inspect } from "./inspector.mjs";

const [server, port, issues] = process.argv.slice(2);
const MOST = 128 << 20;
const MILLIS = 15_000;
const token = process.env.ADMIN_TOKEN;
let failed = false;

async function ask(path, body) {
  const headers = { "PRIVATE-TOKEN": token, ...(body && { "Content-Type": "application/json" }) };
  const answer = await fetch(`${server}/api/v3${path}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  return { status: answer.status, text };
}

/** The worst content of this many bytes of JSON: two bytes a character in JavaScript, and escaped twice in the database's answer. */
const worst = (bytes) => `\u{1F980}${'"'.repeat((bytes - 10) / 2)}`;

/** A project with this many issues, with these descriptions in turn. */
async function project(name, count, descriptions) {
  const { id } = JSON.parse((await ask("/projects", { name })).text);
  for (let made = 0; made < count; made += 4) {
    const four = [0, 1, 2, 3].map((n) => ask(`/projects/${id}/issues`, { title: name, description: descriptions[n % descriptions.length] }));
    const refused = (await Promise.all(four)).find(({ status }) => status >= 400);
    if (refused) throw new Error(`${refused.status} ${refused.text.slice(0, 200)}`);
  }
  return `/projects/${id}/issues?per_page=100`;
}
// pages that end early, and one that is just short enough to be full
const long = await project("long", Number(issues), ["x".repeat(899_000), worst(899_000)]);
const LISTS = [long, `${long}&sort=asc`, await project("shorter", 100, [worst(38_000)])];

/** Reads lists for a while, many at once. Returns the answers, and the maximum of each kind of memory. */
async function read(inspector, atOnce) {
  const until = Date.now() + MILLIS;
  const statuses = {};
  let longest = 0, samples = 0;
  const most = { heap: 0, outside: 0, wasm: 0, all: 0 };
  let asked = 0;
  const readers = Array.from({ length: atOnce }, async () => {
    while (Date.now() < until) {
      const { status, text } = await ask(LISTS[asked++ % LISTS.length]);
      statuses[status] = (statuses[status] ?? 0) + 1;
      longest = Math.max(longest, text.length);
    }
  });
  const watcher = (async () => {
    while (Date.now() < until) {
      const sizes = await inspector.sizes();
      for (const kind of Object.keys(most)) most[kind] = Math.max(most[kind], sizes[kind]);
      samples++;
      await new Promise((done) => setTimeout(done, 10));
    }
  })();
  await Promise.all([...readers, watcher]);
  return { statuses, longest, samples, most };
}

const mega = (bytes) => (bytes / (1 << 20)).toFixed(1).padStart(6);
const inspector = await inspect(port);
await inspector.find();
const { heap, outside, wasm, all } = await inspector.sizes();
const WIDTH = 30;
console.log(`${"MiB of the Worker's isolate".padEnd(WIDTH)}${["heap", "other", "wasm", "all"].map((name) => name.padStart(6)).join("  ")}`);
console.log(`${"once they are made".padEnd(WIDTH)}${[heap, outside, wasm, all].map(mega).join("  ")}`);
for (const atOnce of [1, 4, 16]) {
  const { statuses, longest, samples, most } = await read(inspector, atOnce);
  const counts = Object.entries(statuses).map(([status, count]) => `${count} answered ${status}`).join(", ");
  const holds = most.all < MOST && counts === `${statuses[200]} answered 200` && longest > 2_700_000;
  failed ||= !holds;
  const what = `${holds ? "ok" : "NOT SO"}: at most, ${atOnce} at once`.padEnd(WIDTH);
  console.log(`${what}${[most.heap, most.outside, most.wasm, most.all].map(mega).join("  ")}   ${counts}, the longest of ${longest} bytes; ${samples} samples`);
}
inspector.close();
process.exitCode = failed ? 1 : 0;
