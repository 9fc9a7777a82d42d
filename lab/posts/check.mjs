// Compares the answers in lab/posts/load.mjs with the D1 file of the stopped server.
//
//   node lab/posts/check.mjs --state DIR --load FILE
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { database } from "../../scripts/workerd.mjs";

const { values: given } = parseArgs({ options: { state: { type: "string" }, load: { type: "string" } } });
const { sends } = JSON.parse(readFileSync(given.load, "utf8"));
const db = database(given.state);
const all = (sql) => db.prepare(sql).all();

const faults = [];
const holds = (truth, fault) => truth || faults.push(fault);

const rows = all(`select s.id, c.sha, s.name, s.user_id, s.state, s.description, s.started_at, s.finished_at
  from statuses s join commits c on c.id = s.commit_id where s.description like 'post %' order by s.id`);
const byId = new Map(rows.map((row) => [row.id, { ...row, accepted: [] }]));
const unanswered = new Set(sends.filter((one) => !one.status).map((one) => one.number));

for (const one of sends.filter((one) => one.status)) {
  holds(one.status === 201 || (one.status === 400 && one.text.includes("Cannot transition")), `answered ${one.status}: ${one.text}`);
  if (one.status !== 201) continue;
  const row = byId.get(one.id);
  holds(row, `status ${one.id} was acknowledged and is not there`);
  if (!row) continue;
  holds(row.sha === one.sha && row.name === one.name && row.user_id === one.user, `status ${one.id} is somebody else's`);
  row.accepted.push(one);
}

// no row is duplicated, and each has the state of its last accepted post
for (const row of byId.values()) {
  const { id, accepted, state, description } = row;
  holds(accepted.length || unanswered.has(description), `status ${id} is nobody's post`);
  holds(accepted.filter((one) => !["pending", "running"].includes(one.state)).length <= 1, `status ${id} was finished twice`);
  if (unanswered.has(description)) continue;
  const last = accepted.filter((one) => one.number === description && one.state === state);
  holds(last.length, `status ${id} is ${state} by ${description}, which was not accepted`);
  const later = (one) => last.every((end) => one.sent > end.done);
  holds(!accepted.some(later), `status ${id} was posted again after ${description}`);
  holds((state === "running") <= (row.started_at !== null), `status ${id} runs since never`);
  holds(["pending", "running"].includes(state) === (row.finished_at === null), `status ${id} has a wrong end`);
}

// a status posted after another one was acknowledged has the higher id
let earliest = Infinity;
for (const { id, accepted } of [...byId.values()].reverse()) {
  if (!accepted.length) continue;
  const begin = Math.min(...accepted.map((one) => one.sent));
  holds(begin <= earliest, `status ${id} came after a higher one`);
  earliest = Math.min(earliest, ...accepted.map((one) => one.done));
}

const open = "state in ('pending', 'running')";
for (const { n, name } of all(`select count(*) n, name from statuses where ${open} group by commit_id, ref, name, user_id having n > 1`))
  faults.push(`${name} is open ${n} times`);
holds(
  all("select 1 from sqlite_master where name = 'statuses_open' and sql like '%unique index%'").length,
  "no unique index keeps open statuses single",
);
const heads = all(`select * from status_heads except
  select commit_id, ref, name, max(id), stage, count(*) from statuses group by commit_id, ref, name`);
holds(!heads.length, `${heads.length} heads are not the newest`);
const states = ["pending", "running", "success", "failed", "canceled"];
const counts = all(`select commit_id, ref, stage, posted, ${states} from status_counts except
  select s.commit_id, s.ref, s.stage, (select count(*) from statuses a where a.commit_id = s.commit_id and a.ref = s.ref and a.stage = s.stage),
    ${states.map((state) => `sum(s.state = '${state}')`)}
  from status_heads h join statuses s on s.id = h.status_id group by s.commit_id, s.ref, s.stage`);
holds(!counts.length, `${counts.length} counters are wrong`);

const keys = new Set(rows.map((row) => `${row.sha} ${row.name} ${row.user_id}`)).size;
console.log(`  ${rows.length} statuses of ${keys} keys: ${faults.length ? `${faults.length} faults` : "all as acknowledged"}`);
faults.slice(0, 10).forEach((fault) => console.log(`  FAULT ${fault}`));
process.exit(faults.length ? 1 : 0);
