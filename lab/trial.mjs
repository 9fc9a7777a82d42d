// See lab/trial. After each trial the server is stopped and everything recounted in the file of the local D1, with
// tests/api/storage/recount.sql.
//
//   node lab/trial.mjs --state DIR --many N --kills N
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { database, Findings, pause, serve, token } from "../scripts/workerd.mjs";

const options = { state: { type: "string" }, many: { type: "string" }, kills: { type: "string" } };
const { values: given } = parseArgs({ options });
const many = Number(given.many);
const findings = new Findings();
const check = (holds, text) => findings.check(holds, text);
let server = await serve(given.state);
const ask = (...question) => server.ask(...question);
const make = (...question) => server.make(...question);

/** The differences that the recount finds. */
function recount() {
  const db = database(given.state);
  const text = readFileSync("tests/api/storage/recount.sql", "utf8").replace(/^--.*$/gm, "");
  const statements = text.split(";").filter((statement) => statement.trim());
  const found = statements.flatMap((statement) => db.prepare(statement).all().map((row) => Object.values(row)[0]));
  const whole = db.prepare("pragma integrity_check").get().integrity_check;
  db.close();
  check(found.length === 0, `recounted: ${found.length} disagreements ${found.slice(0, 5).join(" ")}`);
  check(whole === "ok", `the file is whole: ${whole}`);
}

function tally(answers) {
  const count = {};
  for (const { status } of answers) count[status] = (count[status] ?? 0) + 1;
  return Object.entries(count).map(([status, number]) => `${number} x ${status}`).join(", ");
}
const none = (answers, bad) => answers.every(({ status }) => !bad(status));
const isError = (status) => status >= 500 || status === 0;
const numbers = (issues) => issues.map(({ iid }) => iid).sort((a, b) => a - b);
const gapless = (iids, first = 1) => iids.every((iid, at) => iid === first + at);

const group = await make("/groups", { name: "trial", path: "trial" });
const [left, right] = [await make("/projects", { name: "left", namespace_id: group.id }), await make("/projects", { name: "right", namespace_id: group.id })];
const at = (project) => `/projects/${project.id}/issues`;
for (const project of [left, right]) {
  project.milestone = (await make(`/projects/${project.id}/milestones`, { title: "v1" })).id;
  for (const name of ["bug", "even"]) await make(`/projects/${project.id}/labels`, { name, color: "#ff0000" });
}
const fields = (project, n) => ({
  title: `Issue ${n}`, description: "It is wrong.", labels: n % 2 ? "bug" : "bug,even", confidential: n % 5 === 0,
  ...(n % 3 === 0 && { milestone_id: project.milestone }),
});
const isWhole = (issue, n) =>
  issue.title === `Issue ${n}` && issue.description === "It is wrong." && issue.labels.length === (n % 2 ? 1 : 2) &&
  issue.confidential === (n % 5 === 0) && Boolean(issue.milestone) === (n % 3 === 0);

console.log(`${many} parallel creates`);
const made = await Promise.all(Array.from({ length: many }, (_, n) => ask(token, "POST", at(left), fields(left, n))));
check(none(made, isError) && made.every(({ status }) => status === 200), tally(made));
check(gapless(numbers(made.map(({ json }) => json))), "numbers from 1 without gaps");
check(made.every(({ json }, n) => isWhole(json, n)), "every issue is what was asked for");

console.log(`${many} parallel closes and reopens of the same 20 issues`);
const events = ["close", "reopen"];
const changed = await Promise.all(
  Array.from({ length: many }, (_, n) => ask(token, "PUT", `${at(left)}/${made[n % 20].json.id}`, { state_event: events[Math.floor(n / 20) % 2] })),
);
check(changed.every(({ status }) => status === 200), tally(changed));

console.log(`${many} parallel moves, half in each direction, each of them twice`);
const there = await Promise.all(Array.from({ length: many / 4 }, (_, n) => make(at(right), fields(right, n))));
const here = made.slice(0, many / 4).map(({ json }) => json);
const jobs = [...here.map((issue) => [left, right, issue]), ...there.map((issue) => [right, left, issue])].flatMap((job) => [job, job]);
const moved = await Promise.all(jobs.map(([from, to, issue]) => ask(token, "POST", `${at(from)}/${issue.id}/move`, { to_project_id: to.id })));
check(none(moved, isError) && moved.filter(({ status }) => status === 201).length === many / 2, tally(moved));
check(moved.filter(({ status }) => status === 400).length === many / 2, "of two moves of an issue one is refused");
check(gapless(numbers(moved.filter(({ status, json }) => status === 201 && json.project_id === right.id).map(({ json }) => json)), many / 4 + 1), "numbers of what arrived have no gaps");
await server.stop();
recount();

for (let round = 1; round <= Number(given.kills); round++) {
  server = await serve(given.state);
  const first = database(given.state).prepare("select last_iid from issue_counts where project_id = ?").get(left.id).last_iid;
  const [done, arrived, gone] = [[], [], []];
  let [going, asked, failed] = [true, 0, 0];
  const worker = async () => {
    while (going) {
      const n = round * 1_000_000 + asked++;
      const issue = await ask(token, "POST", at(left), fields(left, n));
      if (issue.status === 200) done.push({ n, ...issue.json });
      else failed++;
      if (n % 3 || issue.status !== 200) continue;
      const move = await ask(token, "POST", `${at(left)}/${issue.json.id}/move`, { to_project_id: right.id });
      if (move.status === 201) arrived.push({ n, ...move.json }), gone.push(issue.json.id);
    }
  };
  const workers = Array.from({ length: 16 }, worker);
  // in the middle of both
  while (arrived.length < 10 * round) await pause(1);
  await pause(round * 7);
  await server.kill();
  going = false;
  await Promise.all(workers);
  server = await serve(given.state);
  console.log(`workerd killed, ${round}: ${done.length} creates and ${arrived.length} moves acknowledged, then ${failed} broken off`);
  const whole = async (issues, project, closed) => {
    let good = 0;
    for (const { n, id, iid } of issues) {
      const { status, json } = await ask(token, "GET", `${at(project)}/${id}`);
      good += status === 200 && json.iid === iid && isWhole(json, n) && (closed.has(id) ? json.state === "closed" : true);
    }
    check(good === issues.length, `${good} of ${issues.length} acknowledged issues are there and whole`);
  };
  await whole(done, left, new Set(gone));
  await whole(arrived, right, new Set());
  const more = await make(at(left), fields(left, 1));
  check(more.iid > first + done.length, `the next number is ${more.iid}`);
  await server.stop();
  recount();
}
findings.end();
