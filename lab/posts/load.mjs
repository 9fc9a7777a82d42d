// Posts ten thousand statuses with 64 clients at once: 100 commits, 20 names, four users, all states of a job in random
// order. Some are posted twice, some repeated like by a client that timed out. Records every answer.
//
//   node lab/posts/load.mjs --server URL --world FILE --out FILE [--yardstick URL] [--posts N] [--clients N] [--seed N]
//                             [--until-killed]
//
// With --yardstick the same posts go to both in turns of 250, so that other work of the machine affects both. With
// --until-killed a broken connection is expected and ends the load.
import http from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values: given } = parseArgs({
  options: {
    server: { type: "string" },
    yardstick: { type: "string" },
    world: { type: "string" },
    out: { type: "string" },
    posts: { type: "string", default: "10000" },
    clients: { type: "string", default: "64" },
    seed: { type: "string", default: "1" },
    "until-killed": { type: "boolean", default: false },
  },
});
const { project, users, shas } = JSON.parse(readFileSync(given.world, "utf8"));
const [posts, clients] = [Number(given.posts), Number(given.clients)];

/** Pseudorandom numbers, the same for the same seed. */
let seed = Number(given.seed);
function random(below) {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % below;
}

function plan() {
  const all = [];
  for (let n = 0; all.length < posts; n++) {
    const [commit, name] = [random(shas.length), random(20)];
    // usually the same user posts the same job
    const user = random(10) ? (commit + name) % users.length : random(users.length);
    const job = { sha: shas[commit], name: `ci/${name}`, user };
    const states = ["pending", "running", ["success", "failed", "canceled"][random(3)]];
    for (const state of states) {
      const post = { ...job, state, number: `post ${all.length}` };
      all.push(post);
      if (random(10) === 0) all.push(post);
    }
  }
  all.length = posts;
  for (let n = all.length - 1; n > 0; n--) {
    const other = random(n + 1);
    [all[n], all[other]] = [all[other], all[n]];
  }
  return all;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: clients });

function send(server, post) {
  const { hostname, port } = new URL(server);
  const form = new URLSearchParams({ state: post.state, name: post.name, description: post.number });
  const body = form.toString();
  const headers = {
    "PRIVATE-TOKEN": users[post.user].token,
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": Buffer.byteLength(body),
  };
  const path = `/api/v3${project}/statuses/${post.sha}`;
  const { promise, resolve, reject } = Promise.withResolvers();
  const request = http.request({ agent, hostname, port, path, method: "POST", headers }, (answer) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (part) => (text += part));
    answer.on("end", () => resolve({ status: answer.statusCode, text }));
    answer.on("error", reject);
  });
  request.on("error", reject);
  request.end(body);
  return promise;
}

let over = false;
async function once(server, post, notes) {
  const sent = performance.now();
  const note = { sha: post.sha, name: post.name, user: users[post.user].id, state: post.state, number: post.number, sent };
  notes.push(note);
  try {
    const { status, text } = await send(server, post);
    Object.assign(note, { done: performance.now(), status });
    if (status === 201) note.id = JSON.parse(text).id;
    else note.text = text;
  } catch (error) {
    if (!given["until-killed"]) throw error;
    over = true;
  }
}

/** Runs all clients at once until the queue is empty. Returns answered posts a second. */
async function work(server, posts, notes) {
  const queue = [...posts];
  const [before, started] = [notes.length, performance.now()];
  const client = async () => {
    while (queue.length && !over) {
      const post = queue.pop();
      // one in twenty is sent a second time before the first answer
      const twice = post.number.endsWith("7") && post.number.length % 2;
      await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => once(server, post, notes)));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (notes.length - before) / ((performance.now() - started) / 1000);
}

const [sends, others, turns] = [[], [], []];
const all = plan();
const slice = given.yardstick ? 250 : all.length;
for (let at = 0; at < all.length && !over; at += slice) {
  const part = all.slice(at, at + slice);
  const turn = {};
  const ours = async () => (turn.ours = await work(given.server, part, sends));
  const yardstick = async () => given.yardstick && (turn.yardstick = await work(given.yardstick, part, others));
  for (const act of turns.length % 2 ? [yardstick, ours] : [ours, yardstick]) await act();
  turns.push(turn);
}
agent.destroy();
writeFileSync(given.out, JSON.stringify({ sends }));

const count = (status) => sends.filter((note) => note.status === status).length;
const otherwise = sends.filter((note) => note.status && ![201, 400].includes(note.status)).length;
console.log(`  ${sends.length} sent, ${count(201)} stored, ${count(400)} refused, ${otherwise} otherwise`);
if (given.yardstick) {
  const failed = others.filter((note) => ![201, 400].includes(note.status));
  if (failed.length) throw new Error(`the yardstick refused a post with ${failed[0].status}: ${failed[0].text}`);
  const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
  const [ours, yardstick, ratio] = [(turn) => turn.ours, (turn) => turn.yardstick, (turn) => turn.ours / turn.yardstick].map((of) => median(turns.map(of)));
  console.log(`  medians of ${turns.length} turns: edgeforge ${ours.toFixed(0)} posts/s, yardstick ${yardstick.toFixed(0)}, ratio ${ratio.toFixed(2)}`);
}
