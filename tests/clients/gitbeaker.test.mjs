// The unmodified @gitbeaker/node, used like by a developer of the project: JSON bodies, pages by their headers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Gitlab } from "@gitbeaker/node";
import {
  adminToken,
  contents,
  deployment,
  group,
  otherProject,
  profile,
  project,
  projectPath,
  refused,
  server,
  sha,
  token,
} from "./server.mjs";

/** @returns {any} its types are those of v4 */
const as = (token) => new Gitlab({ host: server, token, version: 3 });
const api = as(token);
const admin = as(adminToken);

test("who it is and what it sees", async () => {
  const me = await api.Users.current();
  assert.equal(me.username, "client-dev");
  assert.equal((await api.Projects.show(project)).path_with_namespace, projectPath);
  assert.equal((await api.Projects.show(projectPath)).id, project);
  assert.deepEqual((await api.Projects.all()).map(({ id }) => id).sort(), [project, otherProject, contents.id].sort());
  assert.equal((await api.Groups.show(group)).id, group);
  assert.ok((await api.ProjectMembers.all(project)).some(({ id, access_level }) => id === me.id && access_level === 30));
  await refused(401, () => as("nobody's").Users.current());
});

test("an issue from its opening to its end", async () => {
  const opened = await api.Issues.create(project, { title: "By gitbeaker", labels: "bug,feature one", dueDate: "2016-12-31" });
  assert.equal(opened.state, "opened");
  assert.deepEqual([...opened.labels].sort(), ["bug", "feature one"]);
  assert.equal(opened.author.username, "client-dev");

  const note = await api.IssueNotes.create(project, opened.id, "Seen 🎉");
  assert.deepEqual(
    (await api.IssueNotes.all(project, opened.id)).map(({ id, body }) => [id, body]),
    [[note.id, "Seen 🎉"]],
  );
  assert.equal((await api.Issues.show(project, opened.id)).user_notes_count, 1);

  const todo = await api.Todos.create(project, opened.id, "issue");
  assert.equal(todo.target.id, opened.id);
  assert.ok((await api.Todos.all()).some(({ id }) => id === todo.id));

  assert.equal((await api.Issues.edit(project, opened.id, { stateEvent: "close" })).state, "closed");
  assert.ok((await api.Issues.all({ projectId: project, state: "closed" })).some(({ id }) => id === opened.id));
  assert.equal((await api.Issues.edit(project, opened.id, { stateEvent: "reopen", labels: "" })).labels.length, 0);

  await refused(404, () => api.Issues.remove(project, opened.id));
  await admin.Issues.remove(project, opened.id);
  await refused(404, () => api.Issues.show(project, opened.id));
});

test("every page once", async () => {
  const first = await api.Issues.all({ projectId: project, perPage: 5, page: 1, showExpanded: true });
  assert.equal(first.data.length, 5);
  assert.equal(first.paginationInfo.next, 2);
  const all = await api.Issues.all({ projectId: project, perPage: 5 });
  assert.equal(all.length, first.paginationInfo.total);
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
});

test("labels and milestones", async () => {
  const label = await api.Labels.create(project, "by gitbeaker", "#FF8800");
  assert.equal(label.color, "#FF8800");
  assert.ok((await api.Labels.all(project)).some(({ name }) => name === "by gitbeaker"));
  const milestone = await api.ProjectMilestones.create(project, "By gitbeaker");
  assert.equal((await api.ProjectMilestones.edit(project, milestone.id, { stateEvent: "close" })).state, "closed");
  assert.ok((await api.ProjectMilestones.all(project)).some(({ id }) => id === milestone.id));
});

test("commits, branches and what is said of a commit", async () => {
  // with commits counted from page zero, page 1 is the second one
  const commits = await api.Commits.all(project, { perPage: 5, page: 1 });
  assert.equal(commits.length, profile === "gitlab" ? 3 : 5);
  const commit = await api.Commits.show(projectPath, "master");
  assert.equal(commit.id, sha);
  assert.deepEqual(commit.stats, { additions: 1, deletions: 1, total: 2 });
  assert.equal((await api.Commits.diff(project, sha))[0].new_path, "a.txt");
  assert.equal((await api.Branches.show(project, "master")).commit.id, sha);
  const said = await api.Commits.createComment(project, sha, "Well", { path: "a.txt", line: 1, lineType: "new" });
  assert.equal(said.note, "Well");
  assert.ok((await api.Commits.comments(project, sha)).some(({ note }) => note === "Well"));
});

test("a build, as a CI system reports it", async () => {
  const report = (state) =>
    api.Commits.editStatus(project, sha, { state, context: "gitbeaker/build", ref: "master", targetUrl: "https://ci.example.com/7" });
  const { id } = await report("pending");
  assert.equal((await report("running")).id, id);
  if (profile === "gitlab") await refused(400, () => report("running"));
  else assert.equal((await report("running")).id, id);
  assert.equal((await report("success")).status, "success");
  const listed = await api.Commits.statuses(project, sha, { name: "gitbeaker/build" });
  assert.deepEqual(
    listed.map(({ id, status }) => [id, status]),
    [[id, "success"]],
  );
  await refused(400, () => report("splendid"));
});

test("deployments, settings, templates", async () => {
  assert.ok((await api.Deployments.all(project)).some(({ id }) => id === deployment));
  assert.equal((await api.Deployments.show(project, deployment)).environment.name, "production");
  assert.equal(typeof (await admin.ApplicationSettings.all()).default_projects_limit, "number");
  await refused(403, () => api.ApplicationSettings.all());
  assert.ok((await api.License.all()).some(({ key }) => key === "mit"));
});
