// Fills a served edgeforge with a small world through the API, and prints how to look at it. Existing records stay as
// they are, so it may run at every start.
//
//   ADMIN_TOKEN=.. node scripts/demo.mjs --server http://127.0.0.1:8787 --state DIR [--hook target/release/edgeforge-mirror]
//
// DIR/demo.json keeps the tokens: the API shows each only once.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { release, tagged } from "./demo-releases.mjs";
import { reports } from "./demo-reports.mjs";
import { build, talk } from "./demo-talk.mjs";

/** @type {any} */
const { values: given } = parseArgs({
  options: { server: { type: "string" }, state: { type: "string" }, hook: { type: "string" } },
});
const base = `${given.server}/api/v3`;
const root = process.env.ADMIN_TOKEN;
const edgeforge = `/projects/${encodeURIComponent("demo-group/edgeforge")}`;

/** One request to v3, or to a path from `/api` on. `expect`: the statuses that are not an error. */
async function call(token, method, path, body, expect = [200, 201]) {
  const answer = await fetch((path.startsWith("/api/") ? given.server : base) + path, {
    method,
    headers: { "PRIVATE-TOKEN": token, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (!expect.includes(answer.status)) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return { status: answer.status, data: text && text[0] !== "<" ? JSON.parse(text) : null };
}

/** What the GET returns, or what the POST then creates. */
async function ensure(token, path, make) {
  const found = await call(token, "GET", path, null, [200, 404]);
  return found.status === 200 ? found.data : make();
}

const post = async (token, path, body) => (await call(token, "POST", path, body)).data;

const people = {
  ann: { name: "Ann Owner", access: null },
  bob: { name: "Bob Developer", access: 30 },
  rae: { name: "Rae Reporter", access: 20 },
  gus: { name: "Gus Guest", access: 10 },
  eve: { name: "Eve Outsider", access: null },
};

const file = join(given.state, "demo.json");
const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};

async function makePeople() {
  for (const [username, person] of Object.entries(people)) {
    const mine = kept[username] && (await call(kept[username], "GET", "/user", null, [200, 401]));
    if (mine?.status === 200 && mine.data.username === username) {
      Object.assign(person, { id: mine.data.id, token: kept[username] });
      continue;
    }
    const profile = { username, name: person.name, email: `${username}@example.com` };
    let user = await call(root, "POST", "/users", profile, [201, 400, 409]);
    if (user.status === 201) user = user.data;
    else user = (await call(root, "GET", `/users?username=${username}`)).data.find((one) => one.username === username);
    if (!user) throw new Error(`the user ${username} could not be made`);
    const { token } = await post(root, `/users/${user.id}/personal_access_tokens`, { name: "demo" });
    Object.assign(person, { id: user.id, token });
    kept[username] = token;
    writeFileSync(file, JSON.stringify(kept, null, 2), { mode: 0o600 });
  }
}

async function makeProjects() {
  const { ann, bob, rae, gus } = people;
  const group = await ensure(ann.token, "/groups/demo-group", () =>
    post(ann.token, "/groups", { name: "Demo group", path: "demo-group", visibility_level: 20 }),
  );
  const project = (path, description, visibility_level) =>
    ensure(ann.token, `/projects/${encodeURIComponent(`demo-group/${path}`)}`, () =>
      post(ann.token, "/projects", { name: path, path, namespace_id: group.id, description, visibility_level }),
    );
  const open = await project("edgeforge", "The source of this server, indexed by its own push hook", 20);
  const closed = await project("secret", "Members only", 0);
  for (const { id } of [open, closed]) {
    for (const person of [bob, rae, gus]) {
      const member = { user_id: person.id, access_level: person.access };
      await ensure(ann.token, `/projects/${id}/members/${person.id}`, () => post(ann.token, `/projects/${id}/members`, member));
    }
  }
  return { open, closed };
}

async function makeIssues({ open, closed }) {
  const { ann, bob, rae, gus } = people;
  /** @type {[any, string, string, boolean][]} */
  const issues = [
    // [author, title, labels, closed]
    [ann, "Answer every list in one round trip", "performance", true],
    [bob, "A status posted twice should be one status", "bug,ci", true],
    [rae, "Say in the log what a request cost", "observability", true],
    [gus, "What does X-Total count?", "question", true],
    [ann, "Keep the order of commits that git log has", "mirror", true],
    [bob, "Link headers lose the label filter", "bug,paging", false],
    [bob, "Index a repository of a million commits", "mirror,performance", false],
    [rae, "List the deployments of an environment", "feature", false],
    [rae, "Show who closed an issue", "feature", false],
    [gus, "Which tokens can post a status?", "question,ci", false],
    [ann, "Move an issue to another project", "feature", false],
    [ann, "Two administrators editing settings at once", "settings", false],
    [bob, "Retry a push of refs that lost the race", "mirror,bug", false],
    [rae, "Licenses with the name of the current user", "licenses", false],
    [gus, "Emoji in titles 🎉", "question", false],
    [ann, "Deploy to a second region", "feature,performance", false],
  ];
  const none = async ({ id }) => (await call(ann.token, "GET", `/projects/${id}/issues?per_page=1`)).data.length === 0;
  if (await none(open)) {
    for (const [author, title, labels, done] of issues) {
      const description = `Part of the demo world: *${title}*.`;
      const issue = await post(author.token, `/projects/${open.id}/issues`, { title, description, labels });
      if (done) await call(ann.token, "PUT", `/projects/${open.id}/issues/${issue.id}`, { state_event: "close" }, [200, 404, 405]);
    }
  }
  const { data: made } = await call(ann.token, "GET", `/projects/${open.id}/issues?per_page=100`);
  await talk({ call, people, open, titled: new Map(made.map((issue) => [issue.title, issue])) });
  if (await none(closed)) await post(ann.token, `/projects/${closed.id}/issues`, { title: "Nobody outside can see this" });
}

async function index() {
  if (!given.hook || !existsSync(given.hook)) return;
  try {
    execFileSync("git", ["rev-parse", "--verify", "HEAD"], { stdio: "ignore" });
    console.log("==> indexing this repository with the mirror hook");
    const hook = spawn(
      given.hook,
      ["sync", "--repository", tagged(join(given.state, "demo.git")), "--server", given.server, "--project", "demo-group/edgeforge"],
      { env: { ...process.env, EDGEFORGE_TOKEN: people.ann.token }, stdio: ["ignore", "inherit", "inherit"] },
    );
    // waiting without blocking, or `fetch` would not notice the connections that the server closes meanwhile
    const [code] = await once(hook, "close");
    if (code !== 0) throw new Error(`it exited with ${code}`);
  } catch (error) {
    console.log(`==> the mirror hook failed, so the demo has no commits: ${error.message}`);
  }
}

/** Builds of the newest commits of the default branch. Returns the newest commit; undefined if nothing was indexed. */
async function makeStatuses() {
  const { bob } = people;
  const { data: commits } = await call(bob.token, "GET", `${edgeforge}/repository/commits?per_page=5`, undefined, [200, 404]);
  const tip = commits[0]?.id;
  if (!tip) return undefined;
  const { data: statuses } = await call(bob.token, "GET", `${edgeforge}/repository/commits/${tip}/statuses`);
  if (statuses.length === 0) {
    const shas = commits.map((commit) => commit.id);
    const jobs = await build({ call, people, project: edgeforge, shas });
    const put = async (job, kind, body) => {
      const path = `/api/v4${edgeforge}/jobs/${job}/reports/${kind}`;
      const answer = await fetch(given.server + path, { method: "PUT", headers: { "PRIVATE-TOKEN": bob.token }, body });
      // 501: a server without an object store keeps no reports
      if (!answer.ok && answer.status !== 501) throw new Error(`PUT ${path} answered ${answer.status}: ${await answer.text()}`);
    };
    const diff = async (sha) => (await call(bob.token, "GET", `/api/v4${edgeforge}/repository/commits/${sha}/diff`)).data;
    await reports({ put, diff, shas, jobs });
  }
  return tip;
}

try {
  await makePeople();
  const projects = await makeProjects();
  await makeIssues(projects);
  await index();
  const tip = await makeStatuses();
  if (tip) await release({ call, people, project: edgeforge });

  const line = (...parts) => console.log(parts.join(""));
  line("\nserver         ", given.server, "   (BASE in the documents; the API is at BASE/api/v4)");
  line("pages          ", given.server, "/   (a link below signs you in)");
  line("documentation  ", given.server, "/docs");
  line("root           ", root, "   administrator");
  for (const [username, { token, name }] of Object.entries(people)) line(username.padEnd(15), token, "   ", name);
  line("\nSign in as\n");
  for (const [username, token] of [["root", root], ...Object.entries(people).map(([name, { token }]) => [name, token])])
    line(username.padEnd(15), given.server, "/#sign-in=", token);
  line("\nTry:\n");
  line(`curl -H 'PRIVATE-TOKEN: ${people.gus.token}' '${given.server}/api/v4${edgeforge}/repository/commits?per_page=3'\n`);
  line(
    `curl -H 'PRIVATE-TOKEN: ${people.bob.token}' -d state=success -d name=ci/curl '${given.server}/api/v4${edgeforge}/statuses/${tip ?? "SHA"}'\n`,
  );
  line(`curl -H 'PRIVATE-TOKEN: ${people.rae.token}' -d 'title=Hello from curl' '${given.server}/api/v4${edgeforge}/issues'`);
} catch (error) {
  console.error(`the demo world is incomplete: ${error.message}`);
  process.exitCode = 1;
}
