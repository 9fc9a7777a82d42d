// The requests of Jenkins' GitLab plugin to a server of v3: of its V3GitLabApiProxy, its detection of the version and
// its CommitStatusUpdater (jenkinsci/gitlab-plugin, src/main/java/com/dabsquared/gitlabjenkins/gitlab/api/impl).
import assert from "node:assert/strict";
import { test } from "node:test";
import { profile, project, projectPath, projectToken, server, sha, token } from "./server.mjs";

/** Sends a request like its REST client: the token in a header, form parameters without those that are null. */
async function ask(context, method, path, form, as = projectToken) {
  const body = form && new URLSearchParams(Object.entries(form).filter(([, value]) => value !== null)).toString();
  const answer = await fetch(server + path, {
    method,
    headers: {
      Accept: "application/json",
      "PRIVATE-TOKEN": as,
      ...(form && { "Content-Type": "application/x-www-form-urlencoded" }),
    },
    body,
  });
  const text = await answer.text();
  context.diagnostic(`${method} ${path}${body ? ` ${body}` : ""} -> ${answer.status} ${text.slice(0, 160)}`);
  return { status: answer.status, json: text ? JSON.parse(text) : null, unread: answer.headers.get("X-Unread-Parameters") };
}

const encoded = projectPath.replace("/", "%2F");
const statuses = `/api/v3/projects/${encoded}/statuses/${sha}`;

/** Its post for a build; the job sets `ref` and `context`. */
const build = (state, context, ref = "master") => ({
  state,
  ref,
  context,
  target_url: "https://jenkins.example.com/job/team%2Fapp/42/display/redirect",
  description: state,
});

test("it finds the version: v4 first, and v3 where that is not found", async (context) => {
  const v4 = await ask(context, "GET", "/api/v4/user");
  assert.ok([200, 404].includes(v4.status), `${v4.status}: anything else ends its search`);
  const user = await ask(context, "GET", "/api/v3/user");
  assert.equal(user.status, 200);
  assert.equal(typeof user.json.id, "number");
  assert.equal(typeof user.json.username, "string");
});

test("its test of the connection", async (context) => {
  assert.equal((await ask(context, "HEAD", "/api/v3/user")).status, 200);
});

test("it looks for the commit, and passes over one that is not there", async (context) => {
  for (const id of [encoded, project]) {
    assert.equal((await ask(context, "GET", `/api/v3/projects/${id}/repository/commits/${sha}`)).status, 200);
  }
  const none = await ask(context, "GET", `/api/v3/projects/${encoded}/repository/commits/${"0".repeat(40)}`);
  assert.equal(none.status, 404);
});

test("a build is pending, runs and succeeds", async (context) => {
  let id;
  for (const state of ["pending", "running", "success"]) {
    const posted = await ask(context, "POST", statuses, build(state, "jenkins"));
    assert.equal(posted.status, 201);
    id ??= posted.json.id;
    const { json } = posted;
    assert.deepEqual([json.id, json.status, json.ref, json.name, json.description], [id, state, "master", "jenkins", state]);
    assert.equal(json.target_url, build(state).target_url);
    assert.equal(json.author.name, "jenkins (token)");
    assert.equal(posted.unread, null, "everything that it sends is read");
  }
});

test("a build is aborted, fails, or is skipped, which v3 calls canceled", async (context) => {
  for (const [state, shown] of [
    ["canceled", "canceled"],
    ["failed", "failed"],
    ["skipped", "canceled"],
  ]) {
    const { status, json } = await ask(context, "POST", statuses, build(state, `jenkins-${state}`));
    assert.deepEqual([status, json.status], [201, shown]);
  }
});

test("a job without a branch leaves the ref out, and by number all is the same", async (context) => {
  const path = `/api/v3/projects/${project}/statuses/${sha}`;
  const { status, json } = await ask(context, "POST", path, build("success", "jenkins-without-ref", null));
  assert.deepEqual([status, json.ref], [201, "master"]);
});

test("each stage of a pipeline posts its state again", async (context) => {
  const post = (state) => ask(context, "POST", statuses, build(state, "jenkins-stages"));
  assert.equal((await post("running")).status, 201);
  const again = await post("running");
  if (profile === "gitlab") {
    assert.equal(again.status, 400);
    // the plugin prints this and continues
    assert.match(again.json.message, /^Cannot transition status via :run from :running/);
  } else {
    assert.equal(again.status, 201);
  }
  assert.equal((await post("success")).status, 201);
});

test("it reads branches, labels and groups where a job is configured", async (context) => {
  const branches = await ask(context, "GET", `/api/v3/projects/${encoded}/repository/branches`);
  assert.deepEqual([branches.status, branches.json[0].name, branches.json[0].commit.id], [200, "master", sha]);
  assert.equal((await ask(context, "GET", `/api/v3/projects/${encoded}/repository/branches/master`)).status, 200);
  assert.equal((await ask(context, "GET", `/api/v3/projects/${encoded}/labels`)).status, 200);
  assert.equal((await ask(context, "GET", `/api/v3/projects/${encoded}`)).json.id, project);
  // a project's token cannot read groups
  const groups = "/api/v3/groups?order_by=name&sort=asc";
  assert.equal((await ask(context, "GET", groups)).status, 403);
  assert.equal((await ask(context, "GET", groups, null, token)).status, 200);
});
