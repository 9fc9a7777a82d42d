// Makes the worlds of an ordinary user who wants the server to be slow, in a prepared local state: by the API what it
// takes in reasonable time, then by SQL what is only volume. Prints what the server refused. The placeholders of all
// routes and their values are written to STATE/world.json.
//
//   node lab/hostile/world.mjs --state DIR --hook PROGRAM
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { serve, token as root } from "../../scripts/workerd.mjs";
import { makeAround } from "./around.mjs";
import { must } from "./client.mjs";
import { makeArchives, makeContents } from "./contents.mjs";
import { makeIssues } from "./issues.mjs";
import { makeRepositories } from "./repositories.mjs";
import { texts } from "./texts.mjs";
import { addVolume } from "./volume.mjs";

const { values: given } = parseArgs({ options: { state: { type: "string" }, hook: { type: "string" } } });
const server = await serve(given.state);
const { address } = server;

const started = performance.now();
export const say = (text) => console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(5)} s  ${text}`);

/** @type {Record<string, any>[]} */
const [ids, tokens] = [{}, {}];
for (const name of ["mallory", "gus", "otto"]) {
  ids[name] = (await must(address, root, "POST", "/api/v3/users", { username: name, name, email: `${name}@example.com` })).id;
  const made = await must(address, root, "POST", `/api/v3/users/${ids[name]}/personal_access_tokens`, { name });
  [tokens[name], ids[`token of ${name}`]] = [made.token, made.id];
}
const owner = (method, path, body) => must(address, tokens.mallory, method, path, body);
const group = (await owner("POST", "/api/v3/groups", { name: "hostile", path: "hostile", visibility_level: 20 })).id;
await owner("POST", `/api/v3/groups/${group}/members`, { user_id: ids.gus, access_level: 10 });
const projects = {};
for (const name of ["dense", "files", "line", "labels", "words", "contents", "comparisons", "archives", ...Object.keys(texts)]) {
  const { id } = await owner("POST", "/api/v3/projects", { name, path: name, namespace_id: group, visibility_level: 20 });
  await owner("POST", `/api/v3/projects/${id}/members`, { user_id: ids.gus, access_level: 10 });
  const made = await owner("POST", `/api/v4/projects/${id}/access_tokens`, { name: "ci", scopes: ["statuses"] });
  projects[name] = {
    "projects/{id}": [id],
    "access_tokens/{token_id}": [made.id],
    "members/{user_id}": [ids.gus],
    "all/{user_id}": [ids.gus],
  };
}
const makes = { address, root, hook: given.hook, token: tokens.mallory, owner, ids, group, projects, say };
await makeRepositories(makes);
await makeIssues(makes);
const ofSystem = await makeAround(makes);
await makeContents(makes);
await makeArchives(makes);
await server.stop();
const volume = addVolume(given.state, makes);
say(`by SQL: ${volume}`);

/** Values of placeholders outside of projects. */
const places = {
  ...ofSystem,
  "groups/{id}": [group],
  "users/{id}": [ids.mallory, ids.gus],
  "audit_events/{id}": [1],
  "issues/{id}": projects.long["issues/{issue_id}"],
  "members/{user_id}": [ids.gus],
  "all/{user_id}": [ids.gus],
  "personal_access_tokens/{id}": [ids["token of gus"], "self"],
  "licenses/{key}": ["gpl-3.0"],
  "Licenses/{key}": ["gpl-3.0"],
  "namespaces/{id}": [group],
  "namespaces/{path}": ["hostile", "absent"],
};
writeFileSync(
  join(given.state, "world.json"),
  JSON.stringify({
    tokens: { nobody: null, outsider: tokens.otto, guest: tokens.gus, owner: tokens.mallory, root },
    ids,
    places,
    projects,
  }),
);
