// See lab/bounds/run.
//
//   node lab/bounds/measure.mjs --state DIR --hook PROGRAM --commits N --issues N [--only WORDS]
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { database, Findings, pause, serve, token } from "../../scripts/workerd.mjs";
import { fill, group, MANY, projects, sha } from "./world.mjs";

const text = { type: "string" };
const { values: given } = parseArgs({ options: { state: text, hook: text, commits: text, issues: text, only: text } });
const [commits, issues] = [Number(given.commits), Number(given.issues)];
const findings = new Findings();
const LIMITS = { millis: 5000, statements: 1000, most: 10_000 };

const started = performance.now();
fill(given.state, { commits, issues });
console.log(`       ${commits} commits, ${issues} issues, ${MANY} comments, ${MANY} projects: made in ${((performance.now() - started) / 1000).toFixed(0)} s`);

let server;
let state = given.state;
const start = async () => (server = await serve(state, 0, ["--main", "lab/bounds/worker.mjs", "--var", "DELETED_PROJECTS_DAYS=1"]));
await start();

/** A request to either API. Returns the answer and its total. */
async function ask(method, path, body) {
  try {
    const answer = await fetch(server.address + path, { method, headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" }, body: body && JSON.stringify(body) });
    const json = await answer.json().catch(() => null);
    return { status: answer.status, json, total: answer.headers.get("X-Total") ?? json?.length ?? 0 };
  } catch {
    return { status: 0 };
  }
}
const v3 = (method, path, body) => ask(method, `/api/v3${path}`, body);
const v4 = (method, path, body) => ask(method, `/api/v4${path}`, body);
const { issues: big, notes, target, commits: history, deployments } = projects;
const swap = (body) => v3("PUT", `/projects/${history}/mirror/refs`, { changes: [], ...body });
const pending = ({ json }) => json.pending;
const change = (name, old, end) => ({ name: `refs/heads/${name}`, old, new: end });
const tip = sha(commits);
const firstPage = async (path) => (await v3("GET", path)).json?.[0]?.id;

/** `act`: a request, repeated while `more` of its answer is true. `seen`: a reader's view, before and after the change. */
const cases = {
  "delete an issue with its comments": {
    act: () => v3("DELETE", `/projects/${notes}/issues/1`),
    seen: async () => [(await v3("GET", `/projects/${notes}/issues/1`)).status, (await v3("GET", `/projects/${notes}/issues/1/notes`)).total],
  },
  "move an issue with its comments": {
    act: () => v3("POST", `/projects/${notes}/issues/2/move`, { to_project_id: target }),
    seen: async () => [(await v3("GET", `/projects/${notes}/issues/2`)).json.state, (await v3("GET", `/projects/${target}/issues`)).json[0]?.user_notes_count],
  },
  "delete a label of all issues": {
    act: () => v3("DELETE", `/projects/${big}/labels?name=bug`),
    more: () => left("issue_labels b join labels l on l.id = b.label_id", big),
    seen: async () => [(await v3("GET", `/projects/${big}/labels`)).total, (await v3("GET", `/projects/${big}/issues?labels=bug`)).total],
  },
  "delete a milestone of all issues": {
    act: () => v4("DELETE", `/projects/${big}/milestones/${big}`),
    more: () => left("milestones l cross join issues i on i.milestone_id = l.id", big),
    seen: async () => [(await v4("GET", `/projects/${big}/milestones/${big}`)).status, (await v3("GET", `/projects/${big}/issues?milestone=v1`)).total],
  },
  "mark all to-do items done": { act: () => v3("DELETE", "/todos"), more: async () => (await v3("GET", "/todos")).json.length > 0 },
  "rename a group of projects": {
    act: () => v3("PUT", `/groups/${group}`, { path: "throng", name: "throng" }),
    seen: async () => [(await v3("GET", "/projects/crowd%2Fp9999")).status, (await v3("GET", "/projects/throng%2Fp9999")).json?.name_with_namespace],
  },
  "delete an environment with its deployments": {
    act: () => v4("DELETE", `/projects/${deployments}/environments/1`),
    more: async () => (await v4("GET", `/projects/${deployments}/deployments`)).json.length > 0,
    seen: async () => [(await v4("GET", `/projects/${deployments}/environments/1`)).status],
  },
  "first index: their branch": {
    act: () => swap({ default_branch: "master", changes: [change("master", null, tip)] }),
    again: () => swap({ default_branch: "master" }),
    more: pending,
    seen: async () => [await firstPage(`/projects/${history}/repository/commits`)],
  },
  "another default branch": {
    act: () => swap({ default_branch: "main", changes: [change("main", null, tip), change("master", tip, null)] }),
    again: () => swap({ default_branch: "main" }),
    more: pending,
    seen: async () => [(await v3("GET", `/projects/${history}`)).json.default_branch, await firstPage(`/projects/${history}/repository/commits`)],
  },
  "first index: pushes": { act: push },
  "delete a project": {
    act: () => v3("DELETE", `/projects/${big}`),
    seen: async () => [(await v3("GET", `/projects/${big}`)).status],
  },
  "the sweep of issues, 20 runs": { before: () => age(big), act: () => ask("GET", "/cdn-cgi/local/scheduled"), more: (_, runs) => runs < 20 },
  "delete a project of commits": {
    act: () => v3("DELETE", `/projects/${history}`),
    seen: async () => [(await v3("GET", `/projects/${history}`)).status],
  },
  "the sweep of commits, 20 runs": { before: () => age(history), act: () => ask("GET", "/cdn-cgi/local/scheduled"), more: (_, runs) => runs < 20 },
};

function rows(query) {
  const db = database(state, { readOnly: true });
  try {
    return db.prepare(query).all();
  } finally {
    db.close();
  }
}
const left = (from, project) => rows(`select 1 from ${from} where l.project_id = ${project} limit 1`).length > 0;

/** Keeps only this deleted project, deleted long ago. */
async function age(project) {
  await server.stop();
  const db = database(given.state);
  db.exec(`update projects set deleted_at = iif(id = ${project}, 1, null), purged_at = null; delete from project_remains`);
  db.close();
  await start();
}

async function twin(act) {
  await server.stop();
  state = `${given.state}-twin`;
  cpSync(given.state, state, { recursive: true });
  await start();
  const outcome = await act();
  await server.stop();
  rmSync(state, { recursive: true });
  state = given.state;
  await start();
  return outcome;
}

/** A sync of 5,000 commits that no other project has. */
async function push() {
  const repository = join(given.state, "pushed.git");
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=master", repository]);
  const one = (n) => `commit refs/heads/master\ncommitter A <a@example.com> ${1_500_000_000 + n} +0000\ndata 1\nc\nM 100644 inline f${n % 50}\ndata <<E\n${n}\nE\n\n`;
  spawnSync("git", ["-C", repository, "fast-import", "--quiet"], { input: Array.from({ length: 5000 }, (_, n) => one(n)).join("") });
  const hook = spawn(given.hook, ["sync", "--quiet", "--repository", repository, "--server", server.address, "--project", "root/target"], { env: { ...process.env, EDGEFORGE_TOKEN: token } });
  return { status: await new Promise((done) => hook.once("close", (code) => done(code === 0 ? 200 : 0))) };
}

/** Runs all requests of a change, and kills workerd in the first if asked to. Returns D1's work of each, and the readers' answers. */
async function trial({ act, again = act, more = () => false, seen = () => 0 }, kills) {
  const views = [JSON.stringify(await seen())];
  const see = async () => {
    const now = JSON.stringify(await seen());
    if (now !== views.at(-1)) views.push(now);
  };
  if (kills) {
    const killed = act();
    await pause(Math.random() * 300);
    await server.kill();
    await killed;
    await start();
    await see();
  }
  const notes = [];
  for (let runs = 1, next = act; ; runs++, next = again) {
    await ask("GET", "/watched");
    const answer = await next();
    const { json } = await ask("GET", "/watched");
    notes.push(...json.filter(({ name }) => next === push || !name.startsWith("GET")));
    await see();
    if (answer.status >= 500 || runs > 200) throw new Error(`the change failed or did not end: ${answer.status} ${JSON.stringify(answer.json)}`);
    if (!(await more(answer, runs))) return { notes, views };
  }
}

const cell = (value, width) => String(value).padStart(width);
console.log(`\n${"".padEnd(44)}requests   ms, most  in all  statements    read  written  of one statement`);
for (const [title, one] of Object.entries(cases)) {
  if (!title.includes(given.only)) continue;
  await one.before?.();
  const asked = [one.seen ? await twin(() => trial(one, true)) : undefined, await trial(one, false)];
  const { notes, views } = asked[1];
  const most = (what) => Math.max(...notes.map((note) => note[what]));
  const figures = [notes.length, most("millis"), notes.reduce((sum, { millis }) => sum + millis, 0), most("statements"), most("read"), most("written"), most("most")];
  console.log(title.padEnd(44) + figures.map((figure, at) => cell(figure, [8, 11, 8, 12, 8, 9, 18][at])).join(""));
  for (const [what, limit] of Object.entries(LIMITS)) {
    const worst = notes.find((note) => note[what] === most(what));
    if (worst[what] > limit) findings.check(false, `${worst[what]} ${what} of ${limit}${what === "most" ? `: ${worst.text.slice(0, 90).replaceAll("\n", " ")}` : ""}`);
  }
  if (!one.seen) continue;
  findings.check(views.length <= 2, `readers see ${views.join(", then ")}`);
  findings.check(asked[0].views.length <= 2 && asked[0].views.at(-1) === views.at(-1), `and with the first request killed ${asked[0].views.join(", then ")}`);
}
await server.stop();
// further runs delete the rest of these
const db = database(state);
db.exec(`insert or ignore into project_remains (project_id) values (${big}), (${history})`);
db.close();
const recount = readFileSync("tests/api/storage/recount.sql", "utf8").replace(/^--.*$/gm, "");
const disagree = recount.split(";").filter((query) => query.trim()).flatMap((query) => rows(query));
findings.check(disagree.length === 0, `all counters are right${disagree.slice(0, 5).map(({ v }) => ` ${v}`).join("")}`);
findings.end();
