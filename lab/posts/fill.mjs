// Fills an empty edgeforge for posts of statuses: a project of 100 commits and four developers.
//
//   ADMIN_TOKEN=.. node lab/posts/fill.mjs --server URL --out DIR
//
// Writes DIR/world.json for the other steps in this folder.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chain } from "../../scripts/objects.mjs";

const { values: given } = parseArgs({ options: { server: { type: "string" }, out: { type: "string" } } });
const project = "/projects/load%2Fload";

async function call(token, method, path, body) {
  const headers = { "PRIVATE-TOKEN": token, ...(body && { "Content-Type": "application/json" }) };
  const answer = await fetch(given.server + path, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
const root = (method, path, body) => call(process.env.ADMIN_TOKEN, method, `/api/v3${path}`, body);

const group = await root("POST", "/groups", { name: "load", path: "load", visibility_level: 0 });
await root("POST", "/projects", { name: "load", path: "load", namespace_id: group.id, visibility_level: 0 });
const users = [];
for (let n = 1; n <= 4; n++) {
  const user = await root("POST", "/users", { username: `ci-${n}`, name: `CI ${n}`, email: `ci-${n}@example.com` });
  const { token } = await root("POST", `/users/${user.id}/personal_access_tokens`, { name: "load" });
  await root("POST", `${project}/members`, { user_id: user.id, access_level: 30 });
  users.push({ id: user.id, token });
}

const commits = chain(100);
const shas = commits.map(({ id }) => id);
await root("POST", `${project}/mirror/commits`, { commits });
const changes = [{ name: "refs/heads/master", old: null, new: shas.at(-1) }];
await root("PUT", `${project}/mirror/refs`, { default_branch: "master", changes });

writeFileSync(join(given.out, "world.json"), JSON.stringify({ project, users, shas }));
