// Runs the snippets of docs/ci.md as they stand, in a clone whose branch is main, and in one whose branch is master. Only
// the addresses are filled in. Not run: what needs Jenkins (its plugins: jenkins.test.mjs and v4/replays.test.mjs) or
// Buildbot (v4/buildbot_test.py).
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { adminToken, server } from "./server.mjs";
import { snippets } from "./snippets.mjs";

const snippet = snippets("docs/ci.md");
const unindented = (text) => text.replaceAll(new RegExp(`^ {${/^ */.exec(text)[0].length}}`, "gm"), "");

async function api(token, method, path, body) {
  const headers = { "PRIVATE-TOKEN": token, "Content-Type": "application/json" };
  const answer = await fetch(`${server}/api/v4${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return text && JSON.parse(text);
}

for (const branch of ["main", "master"]) {
  describe(`a repository whose branch is ${branch}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "edgeforge-ci-"));
    const [bare, clone] = ["project.git", "clone"].map((name) => join(folder, name));
    const environment = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
    for (const who of ["AUTHOR", "COMMITTER"])
      Object.assign(environment, { [`GIT_${who}_NAME`]: "Dev", [`GIT_${who}_EMAIL`]: "dev@example.com" });
    const path = `ci-${branch}-${process.pid}-${Date.now()}`;
    let project,
      tokens,
      number = 0;
    after(() => rmSync(folder, { recursive: true, force: true }));

    const fill = (text) =>
      text
        .replaceAll("https://forge.example.com", server)
        .replaceAll("group%2Fproject", `${path}%2Fproject`)
        .replaceAll("group/project", `${path}/project`)
        .replaceAll("sleep 10", "sleep 1");
    /** Runs the text with a shell in the clone. */
    const shell = (text, variables = {}) =>
      spawnSync("sh", ["-c", fill(text)], { cwd: clone, env: { ...environment, ...variables }, encoding: "utf8" });
    /**
     * A step that reports a commit that is not here prints the server's hint, and succeeds when the mirror has sent it. A wrong
     * token ends it at once, with the answer. `given(sha)`: its variables.
     */
    async function waits(text, given, token) {
      writeFileSync(join(clone, "Makefile"), `${WORKS}# ${++number}\n`);
      passes(`git add . && git commit --quiet -m "Change ${number}"`);
      const sha = passes("git rev-parse HEAD").trim();
      const step = spawn("sh", ["-c", fill(text)], { cwd: clone, env: { ...environment, ...given(sha) } });
      let said = "";
      const ended = new Promise((done) => step.once("close", done));
      await new Promise((seen) => {
        for (const stream of [step.stdout, step.stderr])
          stream.on("data", (data) => {
            said += data;
            if (/the mirror has to push it first/.test(said)) seen(null);
          });
        step.once("close", seen);
      });
      passes(`git push --quiet "${bare}" ${branch}`);
      assert.equal(await ended, 0, said);
      assert.match(said, /the mirror has to push it first.*Commit Not Found.* 404/);
      const refused = shell(text, { ...given(sha), [token]: "wrong" });
      assert.deepEqual([refused.status, /401 Unauthorized/.test(refused.stdout + refused.stderr)], [1, true]);
      return sha;
    }
    function passes(text, variables) {
      const { status, stdout, stderr } = shell(text, variables);
      assert.equal(status, 0, `${stdout}${stderr}`);
      return stdout;
    }
    /** A new commit, pushed to the repository with the hook. Returns its hash. */
    function commit(makefile) {
      writeFileSync(join(clone, "Makefile"), `${makefile}# ${++number}\n`);
      passes(`git add . && git commit --quiet -m "Change ${number}" && git push --quiet "${bare}" ${branch}`);
      return passes("git rev-parse HEAD").trim();
    }
    const WORKS = "test deploy:\n\t@true\n";
    const BREAKS = "test deploy:\n\t@false\n";
    const statuses = async (sha) =>
      (await api(adminToken, "GET", `/projects/${project}/repository/commits/${sha}/statuses`)).map(({ name, status, ref }) => [
        name,
        status,
        ref,
      ]);

    before(async () => {
      const group = await api(adminToken, "POST", "/groups", { name: path, path, visibility: "public" });
      project = (await api(adminToken, "POST", "/projects", { name: "project", namespace_id: group.id, visibility: "public" })).id;
      const hook = await api(adminToken, "POST", `/projects/${project}/hook_tokens`, { name: "push" });
      writeFileSync(join(folder, "token"), hook.token, { mode: 0o600 });
      mkdirSync(clone);
      passes(`git init --quiet --bare --initial-branch=${branch} "${bare}" && git init --quiet --initial-branch=${branch} . &&
        "$HOOK" install --repository "${bare}" --server "${server}" --project "${path}/project" --token-file "${join(folder, "token")}"`);
      commit(WORKS);
      const made = await api(adminToken, "POST", `/projects/${project}/access_tokens`, {
        name: "both",
        scopes: ["statuses", "deployments"],
      });
      tokens = { EDGEFORGE_TOKEN: made.token, EDGEFORGE_URL: server, EDGEFORGE_PROJECT: `${path}%2Fproject` };
    });

    test("the commands make, list, rotate and end a token", async () => {
      const [at, make, list, rotate, end] = snippet("## A token for it", "sh").split("\n");
      const given = { BASE: server, TOKEN: adminToken };
      const made = JSON.parse(passes(`${at}\n${make}`, given));
      assert.deepEqual([made.name, made.scopes, made.expires_at], ["ci", ["statuses"], "2027-12-31"]);
      assert.ok(JSON.parse(passes(`${at}\n${list}`, given)).some(({ id }) => id === made.id));
      const rotated = JSON.parse(passes(`${at}\n${rotate}`, { ...given, ID: made.id }));
      assert.notEqual(rotated.token, made.token);
      assert.equal(passes(`${at}\n${end}`, { ...given, ID: rotated.id }), "");
      assert.deepEqual(
        JSON.parse(passes(`${at}\n${list}`, given)).filter(({ active, name }) => active && name === "ci"),
        [],
      );
    });

    test("the shell script reports a success and a failure", async () => {
      const script = snippet("## Shell, with curl", "sh");
      const good = commit(WORKS);
      passes(script, tokens);
      assert.deepEqual(await statuses(good), [["unit-tests", "success", branch]]);
      const bad = commit(BREAKS);
      assert.equal(shell(script, tokens).status, 1);
      assert.deepEqual(await statuses(bad), [["unit-tests", "failed", branch]]);
      const late = await waits(script.replace("make test", "true"), () => tokens, "EDGEFORGE_TOKEN");
      assert.deepEqual(await statuses(late), [["unit-tests", "success", branch]]);
    });

    test("the badge shows the state of the branch", async () => {
      const [, address] = /\((.*)\)/.exec(
        snippet(
          "The status of a commit combines the newest run of every job: `GET .../repository/commits/:sha`. As a picture:",
          "markdown",
        ),
      );
      const url = address
        .replace("https://forge.example.com", server)
        .replace("group/project", `${path}/project`)
        .replace("/main/", `/${branch}/`);
      const sha = commit(WORKS);
      await api(adminToken, "POST", `/projects/${project}/statuses/${sha}`, { state: "success", ref: branch });
      const answer = await fetch(url);
      assert.deepEqual([answer.status, answer.headers.get("content-type")], [200, "image/svg+xml"]);
      assert.match(await answer.text(), /passed/);
    });

    test("Jenkins' step reports the build", async () => {
      const [, step] = /sh '''\n([\s\S]*?)\n *'''/.exec(snippet("## Jenkins", "groovy"));
      const sha = commit(WORKS);
      const of = (sha) => ({
        ...tokens,
        STATE: "success",
        JOB_NAME: "app",
        BUILD_TAG: `jenkins-${sha}`,
        BUILD_URL: "https://ci.example.com/1/",
        GIT_BRANCH: `origin/${branch}`,
        GIT_COMMIT: sha,
      });
      const given = of(sha);
      for (const STATE of ["running", "success"]) passes(step, { ...given, STATE });
      assert.deepEqual(await statuses(sha), [["jenkins/app", "success", branch]]);
      // a repeat of the whole step changes nothing
      passes(step, given);
      assert.equal((await api(adminToken, "GET", `/projects/${project}/repository/commits/${sha}/statuses?all=true`)).length, 1);
      const late = await waits(step, of, "EDGEFORGE_TOKEN");
      assert.deepEqual(await statuses(late), [["jenkins/app", "success", branch]]);
    });

    test("the step of GitHub Actions reports the job", async () => {
      const [, step] = /run: \|\n([\s\S]*)/.exec(snippet("## GitHub Actions", "yaml"));
      const given = (SHA, JOB, RESULT) => ({
        TOKEN: tokens.EDGEFORGE_TOKEN,
        RESULT,
        RUN: "https://github.com/a/b/actions/runs/1",
        GITHUB_RUN_ID: SHA,
        GITHUB_RUN_ATTEMPT: "1",
        JOB,
        REF: branch,
        SHA,
      });
      const report = (...args) => passes(unindented(step), given(...args));
      for (const [result, state] of [
        ["success", "success"],
        ["cancelled", "canceled"],
        ["failure", "failed"],
      ]) {
        const sha = commit(WORKS);
        report(sha, "test", result);
        assert.deepEqual(await statuses(sha), [["actions/test", state, branch]]);
      }
      // a matrix
      const sha = commit(WORKS);
      report(sha, "test (ubuntu, 22)", "success");
      report(sha, "test (ubuntu, 24)", "failure");
      const found = (await statuses(sha)).map(([name, state]) => `${name} ${state}`);
      assert.deepEqual(found.sort(), ["actions/test (ubuntu, 22) success", "actions/test (ubuntu, 24) failed"]);
      const late = await waits(unindented(step), (sha) => given(sha, "test", "success"), "TOKEN");
      assert.deepEqual(await statuses(late), [["actions/test", "success", branch]]);
    });

    test("Woodpecker's last steps report the workflow", async () => {
      const [, command] = /commands:\n *- \|\n([\s\S]*?)\n *when:/.exec(snippet("## Woodpecker", "yaml"));
      passes(`git tag v1 && git push --quiet "${bare}" v1`);
      // Woodpecker reads `$${` as `${`
      const step = unindented(command.replaceAll("$${", "${"));
      const of = (STATE, where) => (sha) => ({
        TOKEN: tokens.EDGEFORGE_TOKEN,
        STATE,
        CI_REPO: "a/b",
        CI_PIPELINE_NUMBER: String(number),
        CI_WORKFLOW_NAME: "test",
        ...where,
        CI_PIPELINE_URL: "https://ci.example.com/1",
        CI_COMMIT_SHA: sha,
      });
      for (const { STATE, ref, ...where } of [
        { STATE: "success", ref: branch, CI_COMMIT_BRANCH: branch },
        { STATE: "failed", ref: "v1", CI_COMMIT_BRANCH: "", CI_COMMIT_TAG: "v1" },
        { STATE: "failed", ref: "topic", CI_COMMIT_BRANCH: branch, CI_COMMIT_SOURCE_BRANCH: "topic" },
      ]) {
        const sha = commit(WORKS);
        passes(step, of(STATE, where)(sha));
        assert.deepEqual(await statuses(sha), [["woodpecker/test", STATE, ref]]);
      }
      const late = await waits(step, of("success", { CI_COMMIT_BRANCH: branch }), "TOKEN");
      assert.deepEqual(await statuses(late), [["woodpecker/test", "success", branch]]);
    });

    test("a deployment is recorded and ends as the command does", async () => {
      const script = snippet("## Deployments", "sh");
      const last = async () => (await api(adminToken, "GET", `/projects/${project}/deployments?sort=desc&per_page=1`))[0];
      const sha = commit(WORKS);
      passes(script, tokens);
      let shown = await last();
      assert.deepEqual([shown.sha, shown.ref, shown.status, shown.environment.name], [sha, branch, "success", "production"]);
      commit(BREAKS);
      assert.equal(shell(script, tokens).status, 1);
      shown = await last();
      assert.equal(shown.status, "failed");
      // what is refused is said, and nothing is deployed
      writeFileSync(join(clone, "Makefile"), "test deploy:\n\ttouch deployed\n");
      passes("git checkout --quiet -b unknown-here");
      const refused = shell(script, tokens);
      assert.deepEqual([refused.status, /The branch or tag does not exist/.test(refused.stderr)], [1, true]);
      assert.equal(shell("test -e deployed").status, 1);
    });
  });
}
