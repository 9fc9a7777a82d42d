// The unmodified node-gitlab: the token is the parameter `private_token`, in the query of GET and in the form of
// others.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { contents, otherProject, project, projectPath, refused, server, sha, token } from "./server.mjs";

const gitlab = createRequire(import.meta.url)("node-gitlab");
const as = (privateToken) => gitlab.createPromise({ api: `${server}/api/v3`, privateToken, requestTimeout: 20_000 });
const api = as(token);

test("projects and people", async () => {
  assert.equal((await api.projects.get({ id: project })).path_with_namespace, projectPath);
  assert.deepEqual((await api.projects.list({})).map(({ id }) => id).sort(), [project, otherProject, contents.id].sort());
  const members = await api.projectMembers.list({ id: project });
  assert.ok(members.some(({ username }) => username === "client-dev"));
  await refused(401, () => as("nobody's").projects.list({}));
  await refused(404, () => api.projects.get({ id: 99_999_999 }));
});

test("an issue, its notes and its milestone", async () => {
  const opened = await api.issues.create({ id: project, title: "By node-gitlab", description: "a & b = ü", labels: "bug, feature one" });
  assert.equal(opened.description, "a & b = ü");
  assert.deepEqual([...opened.labels].sort(), ["bug", "feature one"]);
  const one = { id: project, issue_id: opened.id };
  assert.equal((await api.issues.get({ ...one })).iid, opened.iid);

  const note = await api.issues.createNote({ ...one, body: "Seen" });
  assert.equal((await api.issues.updateNote({ ...one, note_id: note.id, body: "Seen twice" })).body, "Seen twice");
  assert.deepEqual(
    (await api.issues.listNotes({ ...one })).map(({ body }) => body),
    ["Seen twice"],
  );

  const milestone = await api.milestones.create({ id: project, title: "By node-gitlab" });
  const edited = await api.issues.update({ ...one, milestone_id: milestone.id, state_event: "close" });
  assert.equal(edited.milestone.id, milestone.id);
  assert.equal(edited.state, "closed");
  const closed = await api.issues.list({ id: project, state: "closed", per_page: 100 });
  assert.ok(closed.some(({ id }) => id === opened.id));
});

test("the repository", async () => {
  assert.equal((await api.repository.getCommits({ id: project, ref_name: "master" }))[0].id, sha);
  assert.deepEqual(
    (await api.repository.getBranches({ id: project })).map(({ name }) => name),
    ["master"],
  );
  assert.equal((await api.repository.getBranch({ id: project, branch: "master" })).commit.id, sha);
  assert.deepEqual(await api.repository.getTags({ id: project }), []);
});
