// The unmodified @gitbeaker/rest 43.8.0 against /api/v4: JSON bodies, next pages from the Link header.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { Gitlab } from "@gitbeaker/rest";
import { adminToken, group, otherProject, project, projectPath, server, sha, token } from "../server.mjs";

/** @returns {any} its types are those of GitLab, which has more */
const as = (token) => new Gitlab({ host: server, token });
const api = as(token);
const admin = as(adminToken);
const unique = (name) => `${name}-${randomUUID().slice(0, 8)}`;

async function refused(status, call) {
  await assert.rejects(call, (/** @type {any} */ error) => {
    assert.equal(error.cause?.response?.status, status, String(error));
    return true;
  });
}
const open = (more) => api.Issues.create(project, unique("By gitbeaker"), more);

test("who it is and what it sees", async () => {
  const me = await api.Users.showCurrentUser();
  assert.equal(me.username, "client-dev");
  assert.match((await api.Metadata.show()).version, /^\d+\.\d+\.\d+/);
  assert.equal((await api.Projects.show(projectPath)).id, project);
  assert.deepEqual(
    (await api.Projects.all({ membership: true }))
      .map(({ id }) => id)
      .filter((id) => [project, otherProject].includes(id))
      .sort(),
    [project, otherProject].sort(),
  );
  assert.equal((await api.Groups.show(group)).id, group);
  assert.ok((await api.Groups.allProjects(group)).some(({ id }) => id === project));
  assert.ok(
    (await api.ProjectMembers.all(project, { includeInherited: true })).some(({ id, access_level }) => id === me.id && access_level === 30),
  );
  assert.equal(new Gitlab({ host: server, oauthToken: token }).Users !== undefined, true);
  assert.equal((await new Gitlab({ host: server, oauthToken: token }).Users.showCurrentUser()).id, me.id);
  await refused(401, () => as("nobody's").Users.showCurrentUser());
});

test("an issue from its opening to its end", async () => {
  const opened = await open({ labels: "bug,feature one", dueDate: "2026-12-31" });
  assert.equal(opened.state, "opened");
  assert.deepEqual([...opened.labels].sort(), ["bug", "feature one"]);

  const note = await api.IssueNotes.create(project, opened.iid, "Seen 🎉");
  assert.deepEqual(
    (await api.IssueNotes.all(project, opened.iid)).map(({ id, body }) => [id, body]),
    [[note.id, "Seen 🎉"]],
  );
  assert.equal((await api.Issues.show(opened.iid, { projectId: project })).user_notes_count, 1);
  const discussion = await api.IssueDiscussions.create(project, opened.iid, "A thread");
  assert.equal((await api.IssueDiscussions.show(project, opened.iid, discussion.id)).notes[0].body, "A thread");

  const todo = await api.Issues.createTodo(project, opened.iid);
  assert.equal(todo.target.id, opened.id);
  assert.ok((await api.TodoLists.all()).some(({ id }) => id === todo.id));
  await api.TodoLists.done({ todoId: todo.id });
  assert.ok(!(await api.TodoLists.all()).some(({ id }) => id === todo.id));

  const closed = await api.Issues.edit(project, opened.iid, { stateEvent: "close" });
  assert.equal(closed.state, "closed");
  assert.equal(closed.closed_by.username, "client-dev");
  const again = await api.Issues.edit(project, opened.iid, { stateEvent: "reopen", labels: "" });
  assert.deepEqual([again.closed_at, again.labels], [null, []]);
  assert.ok((await api.Issues.allParticipants(project, opened.iid)).length === 1);

  await refused(403, () => api.Issues.remove(project, opened.iid));
  await admin.Issues.remove(project, opened.iid);
  await refused(404, () => api.Issues.show(opened.iid, { projectId: project }));
});

test("issues are found", async () => {
  const label = unique("only");
  const [first, second] = [await open({ labels: `${label},bug` }), await open({ labels: label })];
  const numbers = async (filters) => (await api.Issues.all({ projectId: project, ...filters })).map(({ iid }) => iid);
  assert.deepEqual(await numbers({ labels: label }), [second.iid, first.iid]);
  assert.deepEqual(await numbers({ labels: `${label},bug` }), [first.iid]);
  assert.deepEqual(await numbers({ labels: label, not: { labels: "bug" } }), [second.iid]);
  assert.deepEqual(await numbers({ iids: [first.iid, second.iid] }), [second.iid, first.iid]);
  assert.deepEqual(await numbers({ search: second.title }), [second.iid]);
  assert.deepEqual(await numbers({ labels: label, authorUsername: "client-dev", sort: "asc" }), [first.iid, second.iid]);
  const detailed = await api.Issues.all({ projectId: project, labels: label, withLabelsDetails: true });
  assert.equal(typeof detailed[0].labels[0].color, "string");
  const { statistics } = await api.IssuesStatistics.all({ projectId: project, labels: label });
  assert.deepEqual(statistics.counts, { all: 2, closed: 0, opened: 2 });
});

test("every page once, by numbers and by keyset", async () => {
  const first = await api.Issues.all({ projectId: project, perPage: 5, maxPages: 1, showExpanded: true });
  assert.equal(first.data.length, 5);
  assert.equal(first.paginationInfo.next, 2);
  const all = await api.Issues.all({ projectId: project, perPage: 5 });
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  assert.ok(all.length > 5);
  const projects = await api.Projects.all({ pagination: "keyset", orderBy: "id", perPage: 1, sort: "asc", membership: true });
  const ids = projects.map(({ id }) => id);
  assert.deepEqual(
    ids,
    [...new Set(ids)].sort((a, b) => a - b),
  );
  assert.ok(ids.includes(project));
});

test("labels and milestones", async () => {
  const name = unique("by gitbeaker");
  const label = await admin.ProjectLabels.create(project, name, "#FF8800");
  assert.equal(label.color, "#FF8800");
  assert.equal((await admin.ProjectLabels.edit(project, name, { color: "#FF8800", description: "told" })).description, "told");
  assert.ok((await api.ProjectLabels.all(project)).some((known) => known.name === name));
  await admin.ProjectLabels.remove(project, name);
  await refused(404, () => api.ProjectLabels.show(project, name));
  const milestone = await admin.ProjectMilestones.create(project, unique("By gitbeaker"), {
    startDate: "2026-01-01",
    dueDate: "2026-02-01",
  });
  assert.deepEqual([milestone.start_date, milestone.expired], ["2026-01-01", true]);
  assert.equal((await admin.ProjectMilestones.edit(project, milestone.id, { stateEvent: "close" })).state, "closed");
  await admin.ProjectMilestones.remove(project, milestone.id);
});

test("commits, their statuses and comments", async () => {
  const commits = await api.Commits.all(project, { perPage: 3 });
  assert.equal(commits.length, 8);
  assert.equal(commits[0].id, sha);
  assert.equal((await api.Commits.show(project, "master")).id, sha);
  assert.match((await api.Commits.showDiff(project, sha))[0].diff, /^@@/);
  assert.deepEqual(await api.Commits.allReferences(project, sha), [{ type: "branch", name: "master" }]);
  const name = unique("gitbeaker");
  for (const state of ["pending", "running", "success"]) await api.Commits.editStatus(project, sha, state, { name, ref: "master" });
  const listed = (await api.Commits.allStatuses(project, sha)).filter((status) => status.name === name);
  assert.deepEqual(
    listed.map(({ status }) => status),
    ["success"],
  );
  const pipeline = (await api.Commits.show(project, sha)).last_pipeline;
  assert.deepEqual([pipeline.sha, pipeline.ref], [sha, "master"]);
  assert.ok((await api.Pipelines.all(project)).some(({ id }) => id === pipeline.id));
  assert.ok((await api.Jobs.all(project, { pipelineId: pipeline.id })).some((job) => job.name === name && job.status === "success"));
  await api.Commits.createComment(project, sha, "Fine");
  assert.ok((await api.Commits.allComments(project, sha)).some(({ note }) => note === "Fine"));
  assert.deepEqual(
    (await api.Branches.all(project)).map((branch) => [branch.name, branch.default]),
    [["master", true]],
  );
  assert.deepEqual(await api.Tags.all(project), []);
});

test("deployments and environments", async () => {
  const made = await api.Deployments.create(project, unique("review"), sha, "master", false, { status: "running" });
  assert.equal((await api.Deployments.edit(project, made.id, "success")).status, "success");
  assert.ok((await api.Deployments.all(project)).some(({ id }) => id === made.id));
  const environment = await api.Environments.create(project, unique("staging"));
  assert.deepEqual([environment.state, environment.tier], ["available", "staging"]);
  assert.equal((await api.Environments.stop(project, environment.id)).state, "stopped");
  await api.Environments.remove(project, environment.id);
});

test("uploads and packages", { skip: process.env.PROFILE === "gitlab" && "this server has no store for files" }, async () => {
  const made = await api.ProjectMarkdownUploads.create(project, { content: new Blob(["text"]), filename: "a b.txt" });
  assert.equal(made.markdown, `[a_b.txt](${made.url})`);
  // with two slashes, as programs join them
  const address = `${server}/${made.full_path}`;
  assert.equal(await (await fetch(address, { headers: { "PRIVATE-TOKEN": token } })).text(), "text");
  const [name, version] = [unique("tool"), "1.0.0"];
  // the client sends a form, which is the file, as with the original
  assert.equal(
    (await api.PackageRegistry.publish(project, name, version, { content: new Blob(["one"]), filename: "a.txt" })).message,
    "201 Created",
  );
  const content = await api.PackageRegistry.download(project, name, version, "a.txt");
  assert.match(await content.text(), /name="file"; filename="a.txt"[\s\S]*\r\none\r\n/);
  const [found] = await api.Packages.all({ projectId: project, packageName: name });
  assert.deepEqual([found.name, found.version, found.package_type], [name, version, "generic"]);
  const [file] = await api.Packages.allFiles(project, found.id);
  assert.equal(file.file_name, "a.txt");
  await refused(403, () => api.Packages.remove(project, found.id));
  await admin.Packages.removeFile(project, found.id, file.id);
  await admin.Packages.remove(project, found.id);
  await refused(404, () => api.Packages.show(project, found.id));
});

test("licenses, settings, tokens", async () => {
  assert.ok((await api.LicenseTemplates.all({ popular: true })).some(({ key }) => key === "mit"));
  assert.match((await api.LicenseTemplates.show("mit")).content, /MIT/);
  assert.equal(typeof (await admin.ApplicationSettings.show()).default_project_visibility, "string");
  await refused(403, () => api.ApplicationSettings.show());
  assert.equal((await api.PersonalAccessTokens.show()).active, true);
  const { id } = await admin.Users.showCurrentUser();
  assert.ok(id);
  assert.equal((await admin.Users.showCurrentUser({ sudo: "client-dev" })).username, "client-dev");
});

test("what is public needs no token", async () => {
  const made = await admin.Projects.create({ name: unique("public"), visibility: "public" });
  const nobody = new Gitlab({ host: server, token: "" });
  assert.equal((await nobody.Projects.show(made.id)).visibility, "public");
  await refused(404, () => nobody.Projects.show(project));
  await admin.Projects.remove(made.id);
});
