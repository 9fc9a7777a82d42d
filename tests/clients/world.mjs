// Makes the records of the clients' tests on a served edgeforge, through the API and the real mirror hook, and writes
// their ids as shell variables: a group with two projects, a developer, more than seven issues, commits, a deployment.
//
//   ADMIN_TOKEN=.. node tests/clients/world.mjs --server URL --hook target/release/edgeforge-mirror --out FILE
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values: given } = parseArgs({
  options: { server: { type: "string" }, hook: { type: "string" }, out: { type: "string" } },
});
const root = process.env.ADMIN_TOKEN;
const group_path = "client-tests";

async function post(token, path, body) {
  const answer = await fetch(`${given.server}/api/v3${path}`, {
    method: "POST",
    headers: { "PRIVATE-TOKEN": token, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/**
 * Pushes eight commits to a bare repository whose installed hook sends them. Clients need some on the second page of
 * five. Returns the hash of the tip.
 */
function push(project, token) {
  const folder = mkdtempSync(join(tmpdir(), "edgeforge-clients-"));
  const environment = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_AUTHOR_NAME: "Dev Eloper", GIT_AUTHOR_EMAIL: "dev@example.com",
    GIT_COMMITTER_NAME: "Dev Eloper", GIT_COMMITTER_EMAIL: "dev@example.com",
  };
  const run = (program, ...args) => execFileSync(program, args, { env: environment, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  try {
    const [bare, work, secret] = ["project.git", "work", "token"].map((name) => join(folder, name));
    writeFileSync(secret, token, { mode: 0o600 });
    run("git", "init", "--quiet", "--bare", "--initial-branch=master", bare);
    run(resolve(given.hook), "install", "--repository", bare, "--server", given.server, "--project", project, "--token-file", secret);
    run("git", "init", "--quiet", "--initial-branch=master", work);
    for (let n = 1; n <= 8; n++) {
      writeFileSync(join(work, "a.txt"), `line ${n}\n`);
      run("git", "-C", work, "add", ".");
      run("git", "-C", work, "commit", "--quiet", "-m", `Change ${n}`);
    }
    run("git", "-C", work, "push", "--quiet", bare, "master");
    return run("git", "-C", work, "rev-parse", "HEAD");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const group = await post(root, "/groups", { name: "Client tests", path: group_path, visibility_level: 10 });
const [first, second] = await Promise.all(["first", "second"].map((path) =>
  post(root, "/projects", { name: path, path, namespace_id: group.id, visibility_level: 0 }),
));
const developer = await post(root, "/users", { username: "client-dev", name: "Dev Eloper", email: "client-dev@example.com" });
const { token } = await post(root, `/users/${developer.id}/personal_access_tokens`, { name: "client tests" });
for (const { id } of [first, second]) {
  await post(root, `/projects/${id}/members`, { user_id: developer.id, access_level: 30 });
}
for (let n = 1; n <= 12; n++) {
  await post(token, `/projects/${first.id}/issues`, { title: `Something is wrong, number ${n}`, labels: n % 2 ? "bug" : "feature one" });
}
const hook_token = await post(root, `/projects/${first.id}/hook_tokens`, { name: "client tests" });
const sha = push(`${group_path}/first`, hook_token.token);
const scopes = ["statuses", "read_api"];
const project_token = await post(root, `/projects/${first.id}/access_tokens`, { name: "jenkins", scopes });
const deployment = await post(token, `/projects/${first.id}/deployments`, { environment: "production", sha, ref: "master", status: "success" });

const world = {
  HOOK: resolve(given.hook),
  BASE_URL: given.server,
  TOKEN: token,
  PROJECT_TOKEN: project_token.token,
  ADMIN_TOKEN: root,
  PROJECT_ID: first.id,
  PROJECT_PATH: `${group_path}/first`,
  OTHER_PROJECT_ID: second.id,
  GROUP_ID: group.id,
  DEPLOYMENT_ID: deployment.id,
  COMMIT_SHA: sha,
  REF: "master",
  LICENSE_KEY: "mit",
};
writeFileSync(given.out, Object.entries(world).map(([name, value]) => `export ${name}='${value}'\n`).join(""), { mode: 0o600 });
