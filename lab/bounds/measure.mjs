// See lab/bounds/run.
//
//   node lab/bounds/measure.mjs --state DIR --hook PROGRAM --commits N --issues N [--only WORDS]
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { database, Findings, serve, token } from "../../scripts/workerd.mjs";
import { fill, GROUPED, group, MANY, projects, sha } from "./world.mjs";

/** @type {{ type: "string", multiple: false }} */
const text = { type: "string", multiple: false };
const { values: given } = parseArgs({ options: { state: text, hook: text, commits: text, issues: text, only: text } });
const [commits, issues] = [Number(given.commits), Number(given.issues)];
const findings = new Findings();
const LIMITS = { millis: 5000, statements: 1000, most: 10_000 };

const started = performance.now();
fill(given.state, { commits, issues });
console.log(
  `       ${commits} commits, ${issues} issues, ${MANY} comments, ${MANY} tokens, ${GROUPED} projects: made in ${((performance.now() - started) / 1000).toFixed(0)} s`,
);

let server;
const start = async () => (server = await serve(given.state, 0, ["--main", "lab/watched.mjs", "--var", "DELETED_PROJECTS_DAYS=1"]));
await start();

/** A request to either API. */
async function ask(method, path, body) {
  const answer = await fetch(server.address + path, {
    method,
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, json: await answer.json().catch(() => null) };
}
const v3 = (method, path, body) => ask(method, `/api/v3${path}`, body);
const v4 = (method, path, body) => ask(method, `/api/v4${path}`, body);
const { issues: big, notes, target, commits: history, deployments } = projects;
const swap = (body) => v3("PUT", `/projects/${history}/mirror/refs`, { changes: [], ...body });
const pending = ({ json }) => json.pending;
const change = (name, old, end) => ({ name: `refs/heads/${name}`, old, new: end });
const tip = sha(commits);

/**
 * `act`: a request, repeated while `more` of its answer is true.
 * @type {Record<string, any>}
 */
const cases = {
  "delete an issue with its comments": { act: () => v3("DELETE", `/projects/${notes}/issues/1`) },
  "move an issue with its comments": { act: () => v3("POST", `/projects/${notes}/issues/2/move`, { to_project_id: target }) },
  "delete a label of all issues": {
    act: () => v3("DELETE", `/projects/${big}/labels?name=bug`),
    more: () => left("issue_labels b join labels l on l.id = b.label_id", big),
  },
  "delete a milestone of all issues": {
    act: () => v4("DELETE", `/projects/${big}/milestones/${big}`),
    more: () => left("milestones l cross join issues i on i.milestone_id = l.id", big),
  },
  "mark all to-do items done": { act: () => v3("DELETE", "/todos"), more: async () => (await v3("GET", "/todos")).json.length > 0 },
  "rename a group of projects": { act: () => v3("PUT", `/groups/${group}`, { path: "throng", name: "throng" }) },
  "delete a group of projects with tokens": {
    act: () => v4("DELETE", `/groups/${group}`),
    more: ({ status }) => status === 409,
  },
  "delete an environment with its deployments": {
    act: () => v4("DELETE", `/projects/${deployments}/environments/1`),
    more: async () => (await v4("GET", `/projects/${deployments}/deployments`)).json.length > 0,
  },
  "first index: their branch": {
    act: () => swap({ default_branch: "master", changes: [change("master", null, tip)] }),
    again: () => swap({ default_branch: "master" }),
    more: pending,
  },
  "another default branch": {
    act: () => swap({ default_branch: "main", changes: [change("main", null, tip), change("master", tip, null)] }),
    again: () => swap({ default_branch: "main" }),
    more: pending,
  },
  "first index: pushes": { act: push },
  "delete a project": { act: () => v3("DELETE", `/projects/${big}`) },
  "the sweep of issues, 20 runs": {
    before: () => age(big),
    act: () => ask("GET", "/cdn-cgi/local/scheduled"),
    more: (_, runs) => runs < 20,
  },
  "delete a project of commits": { act: () => v3("DELETE", `/projects/${history}`) },
  "the sweep of commits, 20 runs": {
    before: () => age(history),
    act: () => ask("GET", "/cdn-cgi/local/scheduled"),
    more: (_, runs) => runs < 20,
  },
};

function rows(query) {
  const db = database(given.state, { readOnly: true });
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

/** A sync of 5,000 commits that no other project has. */
async function push() {
  const repository = join(given.state, "pushed.git");
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=master", repository]);
  const one = (n) =>
    `commit refs/heads/master\ncommitter A <a@example.com> ${1_500_000_000 + n} +0000\ndata 1\nc\nM 100644 inline f${n % 50}\ndata <<E\n${n}\nE\n\n`;
  spawnSync("git", ["-C", repository, "fast-import", "--quiet"], { input: Array.from({ length: 5000 }, (_, n) => one(n)).join("") });
  const hook = spawn(given.hook, ["sync", "--quiet", "--repository", repository, "--server", server.address, "--project", "root/target"], {
    env: { ...process.env, EDGEFORGE_TOKEN: token },
  });
  return { status: await new Promise((done) => hook.once("close", (code) => done(code === 0 ? 200 : 0))) };
}

/**
 * Runs all requests of a change. Returns D1's work of each.
 * @param {{ act: () => Promise<any>, again?: () => Promise<any>, more?: (answer: any, runs: number) => any }} one
 */
async function trial({ act, again = act, more = () => false }) {
  const notes = [];
  for (let runs = 1, next = act; ; runs++, next = again) {
    await ask("GET", "/watched");
    const answer = await next();
    const { json } = await ask("GET", "/watched");
    notes.push(...json.filter(({ name }) => next === push || !name.startsWith("GET")));
    if (!answer.status || answer.status >= 500 || runs > 200)
      throw new Error(`the change failed or did not end: ${answer.status} ${JSON.stringify(answer.json)}`);
    if (!(await more(answer, runs))) return notes;
  }
}

const cell = (value, width) => String(value).padStart(width);
console.log(`\n${"".padEnd(44)}requests   ms, most  in all  statements    read  written  of one statement`);
for (const [title, one] of Object.entries(cases)) {
  if (!title.includes(given.only)) continue;
  await one.before?.();
  const notes = await trial(one);
  const most = (what) => Math.max(...notes.map((note) => note[what]));
  const figures = [
    notes.length,
    most("millis"),
    notes.reduce((sum, { millis }) => sum + millis, 0),
    most("statements"),
    most("read"),
    most("written"),
    most("most"),
  ];
  console.log(title.padEnd(44) + figures.map((figure, at) => cell(figure, [8, 11, 8, 12, 8, 9, 18][at])).join(""));
  for (const [what, limit] of Object.entries(LIMITS)) {
    const worst = notes.find((note) => note[what] === most(what));
    if (worst[what] > limit)
      findings.check(
        false,
        `${worst[what]} ${what} of ${limit}${what === "most" ? `: ${worst.text.slice(0, 90).replaceAll("\n", " ")}` : ""}`,
      );
  }
}
await server.stop();
// further runs delete the rest of these
const db = database(given.state);
db.exec(`insert or ignore into project_remains (project_id) values (${big}), (${history})`);
db.close();
const recount = readFileSync("tests/api/storage/recount.sql", "utf8").replace(/^--.*$/gm, "");
const disagree = recount
  .split(";")
  .filter((query) => query.trim())
  .flatMap((query) => rows(query));
findings.check(
  disagree.length === 0,
  `all counters are right${disagree
    .slice(0, 5)
    .map(({ v }) => ` ${v}`)
    .join("")}`,
);
findings.end();
