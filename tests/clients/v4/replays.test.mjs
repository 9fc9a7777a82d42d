// The requests of two clients to /api/v4, as in their sources: Jenkins' GitLab plugin 1.9 (jenkinsci/gitlab-plugin,
// V4GitLabApiProxy and CommitStatusUpdater), and Renovate 44 at its start, posting statuses and editing its dashboard
// issue (renovatebot/renovate, lib/modules/platform/gitlab).
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { project, projectPath, projectToken, server, sha, token } from "../server.mjs";

const encoded = projectPath.replace("/", "%2F");
const unique = (name) => `${name}-${randomUUID().slice(0, 8)}`;

/**
 * @param {any} context
 * @param {string} method
 * @param {string} path
 * @param {{ form?: any, json?: any, as?: any, bearer?: any }} [options]
 */
async function ask(context, method, path, { form, json, as, bearer } = {}) {
  const body = form
    ? new URLSearchParams(Object.entries(form).filter(([, value]) => value !== null)).toString()
    : json && JSON.stringify(json);
  const answer = await fetch(path.startsWith("http") ? path : server + path, {
    method,
    headers: {
      Accept: "application/json",
      ...(bearer ? { Authorization: `Bearer ${bearer}` } : { "PRIVATE-TOKEN": as }),
      ...(form && { "Content-Type": "application/x-www-form-urlencoded" }),
      ...(json && { "Content-Type": "application/json" }),
    },
    body,
    redirect: "error",
  });
  const text = await answer.text();
  context.diagnostic(`${method} ${path}${body ? ` ${body}` : ""} -> ${answer.status} ${text.slice(0, 160)}`);
  return { status: answer.status, json: text ? JSON.parse(text) : null, headers: answer.headers };
}

// Jenkins: a form, the project's token in a header
const jenkins = (context, method, path, form, as = projectToken) => ask(context, method, `/api/v4${path}`, { form, as });
const build = (state, name, ref = "master") => ({
  state,
  ref,
  context: name,
  target_url: "https://jenkins.example.com/job/team%2Fapp/42/display/redirect",
  description: state,
});
/** @type {(context: any, state: string, name: string, options?: { ref?: string, id?: string | number }) => Promise<any>} */
const post = (context, state, name, { ref, id = encoded } = {}) =>
  jenkins(context, "POST", `/projects/${id}/statuses/${sha}`, build(state, name, ref));

test("Jenkins finds v4 and tests its connection", async (context) => {
  const user = await jenkins(context, "GET", "/user");
  assert.deepEqual([user.status, typeof user.json.id, typeof user.json.username], [200, "number", "string"]);
  assert.equal((await jenkins(context, "HEAD", "/user")).status, 200);
  assert.equal((await jenkins(context, "GET", "/user", null, "nobody's")).status, 401);
});

test("Jenkins looks for the commit before it posts", async (context) => {
  for (const id of [encoded, project])
    assert.equal((await jenkins(context, "GET", `/projects/${id}/repository/commits/${sha}`)).status, 200);
  assert.equal((await jenkins(context, "GET", `/projects/${encoded}/repository/commits/${"0".repeat(40)}`)).status, 404);
});

test("a build of Jenkins is pending, runs and ends", async (context) => {
  const name = unique("jenkins");
  let id;
  for (const state of ["pending", "running", "success"]) {
    const { status, json } = await post(context, state, name);
    id ??= json.id;
    assert.deepEqual([status, json.id, json.status, json.ref, json.name, json.description], [201, id, state, "master", name, state]);
  }
  for (const state of ["canceled", "failed", "skipped"]) {
    const { status, json } = await post(context, state, unique("jenkins"));
    assert.deepEqual([status, json.status], [201, state]);
  }
});

test("a stage of Jenkins repeats its state: it prints the 400 and goes on", async (context) => {
  const name = unique("stages");
  assert.equal((await post(context, "running", name)).status, 201);
  const again = await post(context, "running", name);
  assert.equal(again.status, 400);
  assert.match(again.json.message, /^Cannot transition status via :run from :running/);
  assert.equal((await post(context, "success", name)).status, 201);
});

test("a job of Jenkins without a branch leaves the ref out, and by number all is the same", async (context) => {
  const { status, json } = await post(context, "success", unique("no-ref"), { ref: null, id: project });
  assert.deepEqual([status, json.ref], [201, "master"]);
});

test("Jenkins reads what a job is configured with", async (context) => {
  const branches = await jenkins(context, "GET", `/projects/${encoded}/repository/branches`);
  assert.deepEqual([branches.status, branches.json[0].name, branches.json[0].commit.id], [200, "master", sha]);
  assert.equal((await jenkins(context, "GET", `/projects/${encoded}/repository/branches/master`)).status, 200);
  assert.equal((await jenkins(context, "GET", `/projects/${encoded}/labels`)).status, 200);
  assert.equal((await jenkins(context, "GET", `/projects/${encoded}`)).json.id, project);
  const pipelines = await jenkins(context, "GET", `/projects/${encoded}/pipelines`);
  assert.deepEqual([pipelines.status, pipelines.json.every((pipeline) => pipeline.id > 0 && pipeline.sha)], [200, true]);
  assert.deepEqual((await jenkins(context, "GET", `/projects/${encoded}/merge_requests?state=opened&page=1&per_page=100`)).json, []);
  const groups = await jenkins(context, "GET", "/groups?all_available=false&top_level_only=false&order_by=name&sort=asc", null, token);
  assert.equal(groups.status, 200);
  const theirs = await jenkins(
    context,
    "GET",
    `/groups/${projectPath.split("/")[0]}/projects?include_subgroups=true&order_by=name&sort=asc`,
    null,
    token,
  );
  assert.ok(theirs.json.some(({ id }) => id === project));
});

// Renovate: JSON, the token as Bearer, lists by `Link: rel="next"`
const renovate = (context, method, path, json) =>
  ask(context, method, path.startsWith("http") ? path : `/api/v4/${path}`, { json, bearer: token });

async function whole(context, path) {
  const found = [];
  for (let next = path; next; ) {
    const answer = await renovate(context, "GET", next);
    assert.equal(answer.status, 200);
    found.push(...answer.json);
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1];
    if (next) assert.equal(new URL(next).origin, new URL(server).origin, "it does not follow to another origin");
  }
  return found;
}

test("Renovate starts, and discovers its projects", async (context) => {
  const { json: user } = await renovate(context, "GET", "user");
  assert.equal(typeof user.name, "string");
  assert.match(user.commit_email ?? user.email, /@/);
  const { json } = await renovate(context, "GET", "version");
  assert.match(json.version.split("-")[0], /^\d+\.\d+\.\d+$/);
  assert.ok(Number(json.version.split(".")[0]) >= 14, "it takes the ways of an old server otherwise");
  const found = await whole(
    context,
    "projects?membership=true&per_page=100&with_merge_requests_enabled=true&min_access_level=30&archived=false",
  );
  assert.ok(found.some(({ path_with_namespace, mirror }) => path_with_namespace === projectPath && !mirror));
});

test("Renovate reads a project, and stops there, for it lives by merge requests", async (context) => {
  const { json } = await renovate(context, "GET", `projects/${encoded}`);
  assert.deepEqual(
    [json.archived, json.mirror, json.repository_access_level, json.default_branch, json.empty_repo],
    [false, false, "enabled", "master", false],
  );
  assert.equal(json.merge_requests_access_level, "disabled");
});

test("Renovate waits for a pipeline, goes on without, and posts its status", async (context) => {
  const name = unique("renovate/stability-days");
  const set = async (state) => {
    const { json: commit } = await renovate(context, "GET", `projects/${encoded}/repository/commits/${sha}`);
    assert.ok(commit.last_pipeline === null || commit.last_pipeline.id > 0, "an object without an id would end it");
    return renovate(context, "POST", `projects/${encoded}/statuses/${sha}`, {
      state,
      description: "Updates have met the stability requirement",
      context: name,
    });
  };
  const shown = async () =>
    (await whole(context, `projects/${encoded}/repository/commits/${sha}/statuses`)).find((status) => status.name === name)?.status;
  assert.equal((await set("pending")).status, 201);
  assert.equal(await shown(), "pending");
  const again = await set("pending");
  assert.ok(again.status === 400 && again.json.message.startsWith("Cannot transition status via :enqueue from :pending"));
  assert.equal((await set("success")).status, 201);
  assert.equal(await shown(), "success");
});

test("Renovate keeps its dashboard in an issue", async (context) => {
  const title = unique("Dependency Dashboard");
  const opened = () => whole(context, `projects/${encoded}/issues?per_page=100&state=opened&scope=created_by_me`);
  const made = await renovate(context, "POST", `projects/${encoded}/issues`, {
    title,
    description: "- [ ] one",
    labels: "",
    confidential: false,
  });
  assert.equal(made.status, 201);
  const { iid } = (await opened()).find((issue) => issue.title === title);
  const issue = `projects/${encoded}/issues/${iid}`;
  assert.equal((await renovate(context, "GET", issue)).json.description, "- [ ] one");
  const changed = await renovate(context, "PUT", issue, { title, description: "- [x] one", labels: "a,b", confidential: false });
  assert.deepEqual([changed.status, changed.json.description, changed.json.labels], [200, "- [x] one", ["a", "b"]]);
  assert.equal((await renovate(context, "PUT", issue, { state_event: "close" })).json.state, "closed");
  assert.ok(!(await opened()).some((issue) => issue.title === title));
});
