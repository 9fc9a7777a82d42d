// Makes the records of the clients' tests on a served edgeforge, through the API and the real mirror hook, and writes
// their ids as shell variables: a group with two projects, a developer, more than seven issues, commits, a deployment,
// and a third project whose repository has files of all kinds, two branches and two tags.
//
//   ADMIN_TOKEN=.. node tests/clients/world.mjs --server URL --hook target/release/edgeforge-mirror --out FILE
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
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

/** Makes a bare repository with the installed hook, and a clone. `fill` gets what runs git in the clone, and its folder. */
function repository(project, token, branch, fill) {
  const folder = mkdtempSync(join(tmpdir(), "edgeforge-clients-"));
  const run = (program, args, author = "Dev Eloper", email = "dev@example.com") => {
    const env = {
      ...process.env,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_AUTHOR_NAME: author,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: "Dev Eloper",
      GIT_COMMITTER_EMAIL: "dev@example.com",
    };
    return execFileSync(program, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  };
  try {
    const [bare, work, secret] = ["project.git", "work", "token"].map((name) => join(folder, name));
    writeFileSync(secret, token, { mode: 0o600 });
    run("git", ["init", "--quiet", "--bare", `--initial-branch=${branch}`, bare]);
    run(resolve(given.hook), ["install", "--repository", bare, "--server", given.server, "--project", project, "--token-file", secret]);
    run("git", ["init", "--quiet", `--initial-branch=${branch}`, work]);
    run("git", ["-C", work, "remote", "add", "origin", bare]);
    return fill((args, ...author) => run("git", ["-C", work, ...args.split("|")], ...author), work);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Pushes eight commits. Clients need some on the second page of five. Returns the hash of the tip. */
function push(project, token) {
  return repository(project, token, "master", (git, work) => {
    for (let n = 1; n <= 8; n++) {
      writeFileSync(join(work, "a.txt"), `line ${n}\n`);
      git("add|.");
      git(`commit|--quiet|-m|Change ${n}`);
    }
    git("push|--quiet|origin|master");
    return git("rev-parse|HEAD");
  });
}

/** Pushes files of all kinds: a binary, an executable, a link, odd names, 25 in one directory. Returns the hash of the tip. */
function pushContents(project, token) {
  return repository(project, token, "main", (git, work) => {
    const write = (name, text) => {
      mkdirSync(dirname(join(work, name)), { recursive: true });
      writeFileSync(join(work, name), text);
    };
    write("README.md", "# Read me\n");
    write("src/main.txt", "one\ntwo\nthree\n");
    write("src/deep/er/file.txt", "deep\n");
    write("a dir/ü.txt", "ümlaut\n");
    write("image.png", Buffer.from("89504e470d0a1a0a00ff", "hex"));
    write("run.sh", "#!/bin/sh\n");
    chmodSync(join(work, "run.sh"), 0o755);
    symlinkSync("README.md", join(work, "link"));
    for (let n = 0; n < 25; n++) write(`many/${String(n).padStart(2, "0")}.txt`, `${n}\n`);
    git("add|.");
    git("commit|--quiet|-m|Begin");
    git("tag|-a|-m|The first|v1.0.0");
    git("checkout|--quiet|-b|topic/one");
    write("topic.txt", "topic\n");
    git("add|.");
    git("commit|--quiet|-m|On a topic", "Ann Other", "ann@example.com");
    git("checkout|--quiet|main");
    write("src/main.txt", "one\n2\nthree\n");
    git("commit|--quiet|-a|-m|Change a line");
    git("mv|src/deep/er/file.txt|src/moved.txt");
    git("commit|--quiet|-m|Move a file");
    git("tag|v1.1.0");
    git("push|--quiet|origin|main|topic/one|v1.0.0|v1.1.0");
    return git("rev-parse|HEAD");
  });
}

const group = await post(root, "/groups", { name: "Client tests", path: group_path, visibility_level: 10 });
const [first, second, contents] = await Promise.all(
  ["first", "second", "contents"].map((path) => post(root, "/projects", { name: path, path, namespace_id: group.id, visibility_level: 0 })),
);
const developer = await post(root, "/users", { username: "client-dev", name: "Dev Eloper", email: "client-dev@example.com" });
const { token } = await post(root, `/users/${developer.id}/personal_access_tokens`, { name: "client tests" });
for (const { id } of [first, second, contents]) {
  await post(root, `/projects/${id}/members`, { user_id: developer.id, access_level: 30 });
}
for (let n = 1; n <= 12; n++) {
  await post(token, `/projects/${first.id}/issues`, { title: `Something is wrong, number ${n}`, labels: n % 2 ? "bug" : "feature one" });
}
const hook_token = await post(root, `/projects/${first.id}/hook_tokens`, { name: "client tests" });
const sha = push(`${group_path}/first`, hook_token.token);
const contents_token = await post(root, `/projects/${contents.id}/hook_tokens`, { name: "client tests" });
const contents_sha = pushContents(`${group_path}/contents`, contents_token.token);
const scopes = ["statuses", "read_api"];
const project_token = await post(root, `/projects/${first.id}/access_tokens`, { name: "jenkins", scopes });
const deployment = await post(token, `/projects/${first.id}/deployments`, {
  environment: "production",
  sha,
  ref: "master",
  status: "success",
});

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
  CONTENTS_ID: contents.id,
  CONTENTS_PATH: `${group_path}/contents`,
  CONTENTS_SHA: contents_sha,
  LICENSE_KEY: "mit",
};
writeFileSync(
  given.out,
  Object.entries(world)
    .map(([name, value]) => `export ${name}='${value}'\n`)
    .join(""),
  { mode: 0o600 },
);
