// Fills a served edgeforge with a small world to fuzz, and writes what is in it to a file for hooks.py:
//
//   ADMIN_TOKEN=.. node tests/fuzz/world.mjs --server URL --out FILE
//
// `keep` is what lists and reads find something in; what may be renamed, closed down or deleted is `spare`.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { chain } from "../../scripts/objects.mjs";

const { values: given } = parseArgs({ options: { server: { type: "string" }, out: { type: "string" } } });
const token = process.env.ADMIN_TOKEN;

async function call(method, path, body) {
  const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/json" };
  const answer = await fetch(`${given.server}/api/v3${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return text && JSON.parse(text);
}
const post = (path, body) => call("POST", path, body);
const ids = (records) => records.map(({ id }) => id);
const times = async (count, make) => {
  const made = [];
  for (let number = 1; number <= count; number++) made.push(await make(number));
  return made;
};

const person = (prefix) => (number) =>
  post("/users", { username: `${prefix}${number}`, name: `Person ${number}`, email: `${prefix}${number}@example.com` });
const group = (prefix) => (number) => post("/groups", { name: `${prefix} ${number}`, path: `${prefix}${number}`, visibility_level: 20 });
const users = { keep: await times(3, person("kept")), spare: await times(12, person("spare")) };
const groups = { keep: await times(2, group("group")), spare: await times(12, group("sparegroup")) };
const project = (prefix) => (number) =>
  post("/projects", {
    name: `${prefix} ${number}`,
    path: `${prefix}${number}`,
    namespace_id: groups.keep[0].id,
    visibility_level: [0, 10, 20][number % 3],
  });
const projects = { keep: await times(3, project("kept")), spare: await times(12, project("spare")) };

const patch = "--- a/README\n+++ b/README\n@@ -1 +1,2 @@\n one\n+two\n";
const diff = JSON.stringify([
  {
    diff: patch,
    new_path: "README",
    old_path: "README",
    a_mode: "100644",
    b_mode: "100644",
    new_file: false,
    renamed_file: false,
    deleted_file: false,
  },
]);
const commits = chain(3, diff);
const sha = (number) => commits[number - 1].id;

const found = { issue_id: [], note_id: [], milestone_id: [], deployment_id: [], token_id: [], todo: [] };
for (const { id } of projects.keep) {
  const at = `/projects/${id}`;
  for (const [number, user] of users.keep.entries()) await post(`${at}/members`, { user_id: user.id, access_level: [20, 30, 40][number] });
  await post(`${at}/labels`, { name: "bug", color: "#ff0000" });
  const milestones = await times(2, (number) => post(`${at}/milestones`, { title: `v${number}` }));
  const issue = (number) =>
    post(`${at}/issues`, { title: `Issue ${number}`, labels: "bug", milestone_id: milestones[0].id, assignee_id: users.keep[0].id });
  const issues = await times(4, issue);
  const notes = await times(2, (number) => post(`${at}/issues/${issues[0].id}/notes`, { body: `Note ${number}` }));
  await post(`${at}/mirror/commits`, { commits });
  const ref = (name, number) => ({ name, old: null, new: sha(number) });
  await call("PUT", `${at}/mirror/refs`, {
    default_branch: "master",
    changes: [ref("refs/heads/master", 3), ref("refs/heads/feature", 2), ref("refs/tags/v1.0", 1)],
  });
  await post(`${at}/statuses/${sha(3)}`, { state: "running", name: "ci" });
  await post(`${at}/repository/commits/${sha(3)}/comments`, { note: "Fine." });
  const deployments = await times(2, (number) =>
    post(`${at}/deployments`, { environment: `place${number}`, sha: "master", status: "success" }),
  );
  const todos = await times(2, (number) => post(`${at}/issues/${issues[number].id}/todo`));
  const tokens = await times(2, (number) => post(`${at}/hook_tokens`, { name: `hook ${number}` }));
  found.issue_id.push(...ids(issues));
  found.note_id.push(...ids(notes));
  found.milestone_id.push(...ids(milestones));
  found.deployment_id.push(...ids(deployments));
  found.token_id.push(...ids(tokens));
  found.todo.push(...ids(todos));
}

const world = {
  ...found,
  keep: { users: ids(users.keep), groups: ids(groups.keep), projects: [...ids(projects.keep), projects.keep[0].path_with_namespace] },
  spare: { users: ids(users.spare), groups: ids(groups.spare), projects: ids(projects.spare) },
  sha: [sha(3), sha(2).slice(0, 8), "master", "feature"],
  name: ["master", "feature", "v1.0"],
  git_ref: ["master", "v1.0"],
  key: ["mit", "gpl-3.0", "MIT"],
};
writeFileSync(given.out, JSON.stringify(world));
