// Fills an empty edgeforge with the measured world: a private project with 1,000 issues, 2,000 commits, one of them
// with a long diff, and 200 statuses; and an empty project for new issues.
//
//   ADMIN_TOKEN=.. node lab/bench/fill.mjs --server URL --hook target/release/edgeforge-mirror --out DIR
//
// Writes DIR/world.json.
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inbox, project } from "./requests.mjs";

const { values: given } = parseArgs({
  options: { server: { type: "string" }, hook: { type: "string" }, out: { type: "string" } },
});

async function call(token, method, path, body) {
  const answer = await fetch(given.server + path, {
    method,
    headers: { "PRIVATE-TOKEN": token, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return text && JSON.parse(text);
}
const root = (path, body) => call(process.env.ADMIN_TOKEN, "POST", `/api/v3${path}`, body);

/** Runs many at once, in any order. */
async function each(count, act) {
  let next = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < count) await act(next++);
    }),
  );
}

/** A bare repository of `count` commits on master. Commit `long` adds 100 KB. */
function makeRepository(folder, count, long) {
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=master", folder]);
  let stream = "";
  for (let n = 1; n <= count; n++) {
    const message = `Change number ${n}\n\nThe body says a little about what was changed, and why.\n`;
    const content = n === long ? `${"This line is one of many.\n".repeat(3900)}` : `${n}\n`;
    stream += `commit refs/heads/master\nmark :${n}\ncommitter Ann <ann@example.com> ${1700000000 + n * 600} +0100\n`;
    stream += `data ${message.length}\n${message}${n > 1 ? `from :${n - 1}\n` : ""}M 100644 inline file-${n % 50}.txt\ndata ${content.length}\n${content}\n`;
  }
  const done = spawnSync("git", ["-C", folder, "fast-import", "--quiet"], { input: stream });
  if (done.status !== 0) throw new Error(String(done.stderr));
  return execFileSync("git", ["-C", folder, "rev-list", "master"], { encoding: "utf8" }).trim().split("\n");
}

const group = await root("/groups", { name: "bench", path: "bench", visibility_level: 0 });
for (const path of ["bench", "inbox"]) await root("/projects", { name: path, path, namespace_id: group.id, visibility_level: 0 });

/** @type {Record<string, any>} */
const ids = {};
for (const [name, level] of [
  ["dev", 40],
  ["guest", 10],
]) {
  ids[name] = (await root("/users", { username: name, name: `${name} Eloper`, email: `${name}@example.com` })).id;
  const member = { user_id: ids[name], access_level: level };
  for (const place of [project, inbox]) await call(process.env.ADMIN_TOKEN, "POST", `${place}/members`, member);
}
const { token } = await root(`/users/${ids.dev}/personal_access_tokens`, { name: "bench", scopes: ["api"] });

const { id: milestone_id } = await call(token, "POST", `${project}/milestones`, { title: "One", description: "What is to be done first" });
const issues = [];
await each(1000, async (n) => {
  const labels = [`area-${n % 7}`, n % 3 ? "bug" : "feature"].join(",");
  const description = `What happens, what should happen, and how to see it.\n`.repeat(4);
  const fields = { title: `Something is wrong, number ${n}`, description, labels, ...(n % 10 === 0 && { milestone_id }) };
  issues.push((await call(token, "POST", `${project}/issues`, fields)).id);
});
const repository = join(given.out, "repository.git");
const shas = makeRepository(repository, 2000, 1000);
execFileSync(given.hook, ["sync", "--repository", repository, "--server", given.server, "--project", "bench/bench"], {
  env: { ...process.env, EDGEFORGE_TOKEN: process.env.ADMIN_TOKEN },
  stdio: ["ignore", "ignore", "inherit"],
});
await each(200, async (n) => {
  await call(token, "POST", `${project}/statuses/${shas[n % 50]}`, { state: "success", name: `earlier/${n}` });
});

const world = { token, ids, issues, shas: shas.slice(0, 50), long: shas[1000] };
writeFileSync(join(given.out, "world.json"), JSON.stringify(world));
