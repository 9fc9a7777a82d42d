// A day of CI as docs/ci.md has it, in a shell and in a Makefile, with a real repository: what the API, the badge and the gate are
// after each step. And what @gitbeaker/rest 43.8.0 reads of it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Gitlab } from "@gitbeaker/rest";
import { adminToken, profile, server } from "../server.mjs";

const hook = process.env.HOOK ?? assert.fail("HOOK is not set");

async function ask(method, path, body) {
  const answer = await fetch(`${server}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": adminToken, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, json: await answer.json() };
}

/** The command of docs/ci.md, in a script, and as a target of make. */
const WAYS = {
  "a shell": (run) => ({ "ci.sh": `#!/bin/sh\n${run}\n`, start: ["sh", "ci.sh"] }),
  "a Makefile": (run) => ({ Makefile: `ci:\n\t@${run}\n`, start: ["make", "--silent", "ci"] }),
};
/** scripts/stages.sh serves this profile without a bucket, where there are no reports. */
const isWithoutStore = profile === "gitlab";
/** By name, whether the test passes. The script writes the report of JUnit, and fails if one fails. */
const suite = (tests) => {
  const cases = Object.entries(tests).map(
    ([name, passes]) => `<testcase classname="t.Sum" name="${name}">${passes ? "" : "<failure>3 is not 4</failure>"}</testcase>`,
  );
  return `printf '%s' '<testsuite name="t">${cases.join("")}</testsuite>' >out.xml\n${Object.values(tests).every(Boolean) ? "true" : "false"}\n`;
};

/** A project with a repository, in which `step` is one run of CI, of a commit of its own unless it is a rerun. */
async function withRuns(way, act) {
  const folder = mkdtempSync(join(tmpdir(), "edgeforge-day-"));
  const git = (...args) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=A", "-c", "user.email=a@example.com", ...args], { encoding: "utf8" }).trim();
  const path = `day-${randomUUID().slice(0, 8)}`;
  const { json: project } = await ask("POST", "/projects", { name: path, visibility: "public" });
  const at = `/projects/${project.id}`;
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: "/dev/null",
    EDGEFORGE_URL: server,
    EDGEFORGE_PROJECT: project.path_with_namespace,
    EDGEFORGE_TOKEN: adminToken,
    // those of the CI that runs this test
    ...Object.fromEntries(["CI", "GITHUB_ACTIONS", "GITLAB_CI", "JENKINS_URL"].map((name) => [name, undefined])),
  };
  const { start, ...files } = WAYS[way](`'${hook}' run --name ci/test --junit out.xml -- sh test.sh`);
  try {
    git("init", "--quiet", "--initial-branch=main");
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

    const step = async (tests, { again = false } = {}) => {
      writeFileSync(join(folder, "test.sh"), suite(tests));
      git("add", ".");
      if (!again) git("commit", "--quiet", "--allow-empty", "--message", "A change");
      if (!again)
        execFileSync(hook, ["sync", "--quiet", "--server", server, "--project", project.path_with_namespace], { cwd: folder, env });
      const { status, stderr } = spawnSync(start[0], start.slice(1), { cwd: folder, env, encoding: "utf8" });
      const sha = git("rev-parse", "HEAD");
      const { json: pipelines } = await ask("GET", `${at}/pipelines?sha=${sha}`);
      const problems = await ask("GET", `${at}/pipelines/${pipelines[0].id}/problems`);
      const gate = await ask("GET", `${at}/repository/commits/${sha}/gate?names[]=ci/test`);
      const badge = await (await fetch(`${server}/${project.path_with_namespace}/badges/main/pipeline.svg`)).text();
      const deploys = spawnSync(hook, ["gate", "--names", "ci/test"], { cwd: folder, env }).status;
      const [{ cases, ...report } = { cases: [] }] = problems.json.reports;
      const broken = cases.map(({ name, is_new, is_flaky }) => [name, is_new, is_flaky]);
      return { passed: status === 0, gate: gate.status, deploys, badge, broken, report, pipeline: pipelines[0], stderr };
    };
    await act(step, project);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const way of Object.keys(WAYS)) {
  test(`a day of CI in ${way}: a test breaks, is fixed, and is flaky`, { skip: isWithoutStore }, () =>
    withRuns(way, async (step, project) => {
      const green = ({ passed, gate, deploys, badge, broken }) => {
        assert.deepEqual([passed, gate, deploys, broken], [true, 200, 0, []]);
        assert.match(badge, /passed/);
      };
      const red = ({ passed, gate, deploys, badge }) => {
        assert.deepEqual([passed, gate, deploys], [false, 409, 1]);
        assert.match(badge, /failed/);
      };

      green(await step({ adds: true, waits: true }));
      const broken = await step({ adds: false, waits: true });
      red(broken);
      assert.deepEqual([broken.broken, broken.report.total], [[["adds", true, false]], 2]);
      const still = await step({ adds: false, waits: true });
      red(still);
      assert.deepEqual(still.broken, [["adds", false, false]]);
      const fixed = await step({ adds: true, waits: true });
      green(fixed);
      assert.deepEqual(fixed.report.fixed, ["adds"]);
      // it fails, and passes when the same commit runs again
      red(await step({ adds: true, waits: false }));
      green(await step({ adds: true, waits: true }, { again: true }));
      const flaky = await step({ adds: true, waits: false }, { again: true });
      red(flaky);
      assert.deepEqual(
        flaky.broken.map(([name, , isFlaky]) => [name, isFlaky]),
        [["waits", true]],
      );

      /** @type {any} */
      const api = new Gitlab({ host: server, token: adminToken });
      const report = await api.Pipelines.showTestReport(project.id, broken.pipeline.id);
      assert.deepEqual([report.total_count, report.failed_count, report.success_count], [2, 1, 1]);
      const [failed] = report.test_suites[0].test_cases;
      assert.deepEqual([failed.status, failed.name, failed.classname], ["failed", "adds", "t.Sum"]);
      assert.match(failed.system_output, /3 is not 4/);
      const summary = await api.Pipelines.showTestReportSummary(project.id, broken.pipeline.id);
      assert.deepEqual([summary.total.count, summary.total.failed], [2, 1]);
    }),
  );
}

test(
  "without an object store the status is posted, the gate opens, and the program prints why there is no report",
  { skip: !isWithoutStore },
  () =>
    withRuns("a shell", async (step) => {
      const { passed, gate, deploys, report, stderr } = await step({ adds: true });
      assert.deepEqual([passed, gate, deploys, report], [true, 200, 0, {}]);
      assert.match(stderr, /the report of tests is not taken: 501/);
      assert.deepEqual((await step({ adds: false })).gate, 409);
    }),
);
