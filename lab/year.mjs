// A year of an organisation on the bill: rows, bytes and requests, their monthly cost, and when each limit is reached.
//
//   node lab/year.mjs --state DIR [--developers 50,500] [--jobs 10] [--seed 1]
//
// The rows and bytes of a request are measured here on the built Worker, on an empty database. The numbers of requests
// and Cloudflare's prices are below with their sources. Rows hardly depend on the size of tables (make -C lab cost).
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { database, serve } from "../scripts/workerd.mjs";
import { measureOutbox, receiver } from "./year-outbox.mjs";

/** @returns {{ type: "string", multiple: false, default: string }} */
const text = (value) => ({ type: "string", multiple: false, default: value });
const { values: given } = parseArgs({
  options: { state: { type: "string" }, developers: text("50,500"), jobs: text("10"), seed: text("1") },
});

/**
 * Prices in dollars and what is included each month, November 2026:
 * https://developers.cloudflare.com/workers/platform/pricing/ (requests, processor time, KV),
 * https://developers.cloudflare.com/d1/platform/pricing/ and https://developers.cloudflare.com/r2/pricing/
 */
const PRICES = {
  plan: 5,
  requests: { included: 10e6, million: 0.3 },
  cpuMillis: { included: 30e6, million: 0.02 },
  rowsRead: { included: 25e9, million: 0.001 },
  rowsWritten: { included: 50e6, million: 1 },
  d1Gigabytes: { included: 5, one: 0.75 },
  kvReads: { included: 10e6, million: 0.5 },
  r2Gigabytes: { included: 10, one: 0.015 },
  r2Writes: { included: 1e6, million: 4.5 },
  r2Reads: { included: 10e6, million: 0.36 },
};
/** https://developers.cloudflare.com/d1/platform/limits/: bytes of a database; it has one thread, so milliseconds a second. */
const LIMITS = { bytes: 10e9, millis: 1000 };

/** Commits of a developer in a year, at these percentiles: GitClear, of 295,000 years of developers with 100 commits or more,
 * https://www.gitclear.com/blog/git_stats_on_annual_commits_per_developer. */
const COMMITS = [
  [0, 100],
  [25, 207],
  [50, 441],
  [75, 926],
  [90, 1597],
  [95, 2116],
  [99, 3388],
  [100, 6000],
];
const RATES = {
  // the mean of the indexed histories of git.git and redis (13 to 29 KB)
  diffBytes: 21_000,
  // assumed, as is everything below without a source
  commitsPerPush: 2,
  // 10 jobs a push; Mozilla had 63 in December 2009 (79,980 jobs of 1,268 changes):
  // https://oduinn.com/2010/01/16/infrastructure-load-for-december-2009/. Try --jobs 63
  jobsPerPush: Number(given.jobs),
  // pending, running, and the final state
  statusesPerJob: 3,
  issuesPerDeveloper: 40,
  notesPerIssue: 5,
  editsPerIssue: 4,
  // requests of people and their tools on a working day
  readsPerDeveloper: {
    issueList: 30,
    issue: 40,
    commitList: 10,
    commit: 20,
    diff: 15,
    statuses: 40,
    branches: 10,
    badge: 20,
    license: 0.1,
  },
  workingDays: 220,
  // the ratio of the busiest second of a working day of 8 hours to its mean
  peak: 8,
  // processor time of a request on the platform in milliseconds; it cannot be measured here
  cpuMillis: 3,
  // the share of diffs, by bytes, that goes to R2: those over 1 KB, compressed to a fifth
  r2Share: 0.98,
  r2Packed: 0.2,
};

/** Pseudorandom numbers, the same for the same seed. */
function dice(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

function commitsOfYear(roll) {
  const at = roll() * 100;
  const next = COMMITS.findIndex(([percentile]) => percentile >= at) || 1;
  const [[from, low], [to, high]] = [COMMITS[next - 1], COMMITS[next]];
  return low + ((at - from) / (to - from)) * (high - low);
}

const hooks = await receiver();
const server = await serve(given.state, 0, ["--outbound", hooks.address]);
const size = () => {
  const file = database(given.state, { readOnly: true });
  const { bytes } = file
    .prepare("select (select page_count from pragma_page_count) * (select page_size from pragma_page_size) as bytes")
    .get();
  file.close();
  return bytes;
};

async function ask(method, path, body) {
  const answer = await fetch(`${server.address}/api/v3${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": "token-of-the-administrator", ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  const responseText = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${responseText.slice(0, 200)}`);
  const timing = answer.headers.get("Server-Timing") ?? "";
  const figure = (name) => Number(new RegExp(`${name};desc="(\\d+)"`).exec(timing)?.[1] ?? 0);
  return {
    json: responseText.startsWith("<") ? null : JSON.parse(responseText),
    read: figure("rows_read"),
    written: figure("rows_written"),
    millis: Number(/d1;dur=([\d.]+)/.exec(timing)?.[1] ?? 0),
  };
}

/** The cost of one of many such requests; `act(number)` sends one or more. */
async function measured(act, times = 200) {
  await act(0);
  const before = size();
  const sum = { requests: 0, read: 0, written: 0, millis: 0 };
  for (let number = 1; number <= times; number++) {
    for (const answer of [await act(number)].flat()) {
      sum.requests++;
      for (const name of ["read", "written", "millis"]) sum[name] += answer[name];
    }
  }
  const each = Object.fromEntries(Object.entries(sum).map(([name, value]) => [name, value / times]));
  return { ...each, bytes: Math.max(0, size() - before) / times };
}

const project = (await ask("POST", "/projects", { name: "year", visibility_level: 20 })).json.id;
const at = `/projects/${project}`;
const letters = "abcdefghijklmnopqrstuvwxyz \n";
const prose = (roll, length) => Array.from({ length }, () => letters[Math.floor(roll() * letters.length)]).join("");
const roll = dice(Number(given.seed));

let parent = null;
let tip = null;
function commit(number, diffBytes) {
  const when = 1_700_000_000 + number * 600;
  const object = `tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n${parent ? `parent ${parent}\n` : ""}author Ann <ann@example.com> ${when} +0000\ncommitter Ann <ann@example.com> ${when} +0000\n\nChange ${number}\n\n${prose(roll, 120)}\n`;
  const id = createHash("sha1")
    .update(`commit ${Buffer.byteLength(object)}\0${object}`)
    .digest("hex");
  parent = id;
  const diff = [
    {
      diff: prose(roll, diffBytes),
      new_path: "src/file.c",
      old_path: "src/file.c",
      a_mode: "100644",
      b_mode: "100644",
      new_file: false,
      renamed_file: false,
      deleted_file: false,
    },
  ];
  return { id, object, additions: 10, deletions: 5, diff: JSON.stringify(diff) };
}
const push = (diffBytes) => async (number) => {
  const commits = Array.from({ length: RATES.commitsPerPush }, (_, index) => commit(number * RATES.commitsPerPush + index, diffBytes));
  const stored = await ask("POST", `${at}/mirror/commits`, { commits });
  const change = { name: "refs/heads/master", old: tip, new: commits.at(-1).id, message: null, forced: false };
  tip = commits.at(-1).id;
  const asked = await ask("GET", `${at}/mirror`);
  return [asked, stored, await ask("PUT", `${at}/mirror/refs`, { default_branch: "master", changes: [change] })];
};
let numbers = 0;
const status = () => {
  const number = numbers++;
  const state = ["pending", "running", "success"][number % 3];
  return ask("POST", `${at}/statuses/${tip}`, {
    state,
    name: `job ${Math.floor(number / 3)}`,
    ref: "master",
    target_url: "https://ci.example.com/jobs/123456",
  });
};
let issue;
const create = async (number) => {
  const answer = await ask("POST", `${at}/issues`, {
    title: `Issue ${number}`,
    description: prose(roll, 600),
    labels: `area ${number % 20}`,
  });
  issue = answer.json.id;
  return answer;
};

console.log("what one costs here, on workerd with local D1 (rows, bytes of the database)");
const costs = {};
const steps = {
  "push without diffs": () => push(2),
  push: () => push(RATES.diffBytes),
  status: () => status,
  issue: () => create,
  note: () => () => ask("POST", `${at}/issues/${issue}/notes`, { body: prose(roll, 300) }),
  edit: () => (number) => ask("PUT", `${at}/issues/${issue}`, { state_event: number % 2 ? "close" : "reopen" }),
  issueList: () => () => ask("GET", `${at}/issues`),
  issue_: () => () => ask("GET", `${at}/issues/${issue}`),
  commitList: () => () => ask("GET", `${at}/repository/commits`),
  commit: () => () => ask("GET", `${at}/repository/commits/${tip}`),
  diff: () => () => ask("GET", `${at}/repository/commits/${tip}/diff`),
  statuses: () => () => ask("GET", `${at}/repository/commits/${tip}/statuses`),
  branches: () => () => ask("GET", `${at}/repository/branches`),
  badge: () => () => ask("GET", `${at}/badges/master/build.svg`),
  license: () => () => ask("GET", "/licenses/mit"),
};
for (const [name, make] of Object.entries(steps)) {
  costs[name] = await measured(make(), name === "status" ? 1500 : 150);
  const { requests, read, written, millis, bytes } = costs[name];
  console.log(
    `  ${name.padEnd(20)} ${requests.toFixed(0).padStart(2)} requests ${read.toFixed(1).padStart(8)} read ${written.toFixed(1).padStart(7)} written ${bytes.toFixed(0).padStart(7)} bytes ${millis.toFixed(2).padStart(7)} ms`,
  );
}
const WRITES = ["push", "status", "issue", "note", "edit"];
const outbox = await measureOutbox({ state: given.state, address: server.address, project, steps, names: WRITES, hooks });
await server.stop();
hooks.stop();
const mega = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
console.log(
  "\nwhat one leaves for a hook with all events, of which none arrives: rows of events, of deliveries, of the log; bytes with indexes; rows written more",
);
for (const [name, { written, left }] of Object.entries(outbox.each)) {
  const tables = Object.values(left);
  const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
  console.log(
    `  ${name.padEnd(20)} ${tables.map(({ rows }) => rows.toFixed(2).padStart(6)).join("")} ${bytes.toFixed(0).padStart(7)} bytes ${(written - costs[name].written).toFixed(1).padStart(6)} written`,
  );
}
console.log(
  `  then the receiver is there: ${outbox.requests} requests in ${outbox.seconds.toFixed(0)} s, ${outbox.taken.deliveries.rows} of ${outbox.waiting.deliveries.rows} still wait; a log row takes ${Math.round(outbox.taken.hook_log.bytes / outbox.taken.hook_log.rows)} bytes`,
);

/** @type {(amount: number, price: { included: number, million?: number, one?: number }) => number} */
const over = (amount, { included, million, one }) => Math.max(0, amount - included) * (one ?? million / 1e6);
const dollars = (amount) => `$${amount.toFixed(2)}`;
const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(2)} GB`;
const millions = (number) => `${(number / 1e6).toFixed(2)} M`;

for (const developers of given.developers.split(",").map(Number)) {
  const people = dice(Number(given.seed) + developers);
  const commits = Array.from({ length: developers }, () => commitsOfYear(people)).reduce((sum, one) => sum + one, 0);
  const pushes = commits / RATES.commitsPerPush;
  const counts = {
    push: pushes,
    status: pushes * RATES.jobsPerPush * RATES.statusesPerJob,
    issue: developers * RATES.issuesPerDeveloper,
    note: developers * RATES.issuesPerDeveloper * RATES.notesPerIssue,
    edit: developers * RATES.issuesPerDeveloper * RATES.editsPerIssue,
  };
  for (const [name, each] of Object.entries(RATES.readsPerDeveloper)) {
    counts[name === "issue" ? "issue_" : name] = developers * each * RATES.workingDays;
  }
  const total = (what, left = costs) => Object.entries(counts).reduce((sum, [name, number]) => sum + number * left[name][what], 0);
  const year = {
    requests: total("requests"),
    read: total("read"),
    written: total("written"),
    millis: total("millis"),
    bytes: total("bytes"),
  };
  const lean = {
    ...costs,
    push: {
      ...costs.push,
      bytes: costs["push without diffs"].bytes + (1 - RATES.r2Share) * (costs.push.bytes - costs["push without diffs"].bytes),
    },
  };
  const leanBytes = total("bytes", lean);
  const r2Bytes = commits * RATES.diffBytes * RATES.r2Share * RATES.r2Packed;
  console.log(
    `\n${developers} developers: ${millions(commits)} commits a year, ${millions(counts.status)} statuses, ${millions(year.requests)} requests, ${millions(year.read)} rows read, ${millions(year.written)} written`,
  );
  console.log("  month   D1         requests   rows     D1 GB    KV    sum with the plan   |  diffs in R2: D1       R2         sum");
  let full = null;
  let fullLean = null;
  for (let month = 1; month <= 12; month++) {
    const [bytes, bytesLean, bytesR2] = [year.bytes, leanBytes, r2Bytes].map((all) => (all * month) / 12);
    const requests = over(year.requests / 12, PRICES.requests) + over((year.requests / 12) * RATES.cpuMillis, PRICES.cpuMillis);
    const rows = over(year.read / 12, PRICES.rowsRead) + over(year.written / 12, PRICES.rowsWritten);
    const storage = over(bytes / 1e9, PRICES.d1Gigabytes);
    const kv = over(counts.license / 12, PRICES.kvReads);
    const r2 = over(bytesR2 / 1e9, PRICES.r2Gigabytes) + over(commits / 12, PRICES.r2Writes) + over(counts.diff / 12, PRICES.r2Reads);
    const sum = PRICES.plan + requests + rows + storage + kv;
    const sumLean = PRICES.plan + requests + rows + over(bytesLean / 1e9, PRICES.d1Gigabytes) + kv + r2;
    const cells = [gigabytes(bytes).padStart(9), dollars(requests), dollars(rows), dollars(storage), dollars(kv), dollars(sum)].map(
      (cell) => cell.padStart(9),
    );
    console.log(
      `  ${String(month).padStart(5)} ${cells.join(" ")}           |         ${gigabytes(bytesLean).padStart(9)}  ${gigabytes(bytesR2).padStart(9)}  ${dollars(sumLean).padStart(8)}`,
    );
  }
  full = (LIMITS.bytes / year.bytes) * 12;
  fullLean = (LIMITS.bytes / leanBytes) * 12;
  const second = RATES.workingDays * 8 * 3600;
  const busy = (year.millis / second) * RATES.peak;
  console.log(`  the database is full after ${full.toFixed(1)} months, with diffs in R2 after ${fullLean.toFixed(1)}`);
  console.log(
    `  its thread is ${((busy / LIMITS.millis) * 100).toFixed(1)} % busy in the busiest second (${((year.requests / second) * RATES.peak).toFixed(1)} requests, by milliseconds measured here)`,
  );
  const day = (table, what) =>
    WRITES.reduce((sum, name) => sum + (counts[name] / RATES.workingDays) * outbox.each[name].left[table][what], 0);
  const inDay = (name) => `${Math.round(day(name, "rows"))} rows, ${mega(day(name, "bytes"))}`;
  console.log(
    `  after a day with one hook for each project, of which none arrives: events ${inDay("hook_events")}, which stay for a week in any case; deliveries ${inDay("deliveries")}; if all arrive, no delivery waits and the log has ${mega(day("deliveries", "rows") * (outbox.taken.hook_log.bytes / outbox.taken.hook_log.rows))} more, for a week`,
  );
  const included = (part, all) => `${((part / all) * 100).toFixed(1)} %`;
  console.log(
    `  of what the plan includes a month: ${included(year.requests / 12, PRICES.requests.included)} of requests, ${included(year.read / 12, PRICES.rowsRead.included)} of rows read, ${included(year.written / 12, PRICES.rowsWritten.included)} of rows written`,
  );
}
