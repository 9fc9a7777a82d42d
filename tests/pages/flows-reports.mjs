// What people see of the reports of CI: on the page of a pipeline, and at the lines of a commit.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { reportOf } from "../../scripts/demo-reports.mjs";
import { accessibility } from "./looks.mjs";

const PROJECT = "/demo-group/edgeforge";
const api = "/projects/demo-group%2Fedgeforge";
const unique = (name) => `${name}-${Date.now().toString(36)}`;
const summary = (page, words) => page.locator("summary", { hasText: words });
const rows = (page) => page.locator(".reports .row");

/** The pipeline of the demo world whose tests failed: others have made later ones. */
async function failed(call) {
  const { data } = await call("GET", `${api}/pipelines?status=failed&per_page=100`);
  return data.findLast(({ ref }) => ref === "main");
}

/** Posts a status of a commit on a branch of its own, and a report of it. Returns the address of its pipeline. */
async function reported({ browser, people, call }, sha, kind, items) {
  const name = unique(`ci/${kind}`);
  const { data: status } = await call("POST", `${api}/statuses/${sha}`, { state: "failed", name, ref: name });
  const answer = await fetch(`${browser.server}/api/v4${api}/jobs/${status.id}/reports/${kind}`, {
    method: "PUT",
    headers: { "PRIVATE-TOKEN": people.ann.token },
    body: reportOf(kind, items),
  });
  assert.equal(answer.status, 201, await answer.text());
  const { data: job } = await call("GET", `${api}/jobs/${status.id}`);
  return `${PROJECT}/-/pipelines/${job.pipeline.id}`;
}

const failing = (count, name = "breaks") => Array.from({ length: count }, (_, at) => ({ status: "failed", name: `${name} ${at}` }));

export const REPORTS = {
  async "reads which test broke, its output, and what a linter found"({ browser, call }, page) {
    const pipeline = await failed(call);
    await browser.open(page, `${PROJECT}/-/pipelines/${pipeline.id}`);
    await page.getByRole("heading", { name: "ci/test: 1 of 579 tests failed, 1 of them new" }).waitFor();
    assert.equal(await page.locator("pre").count(), 0, "an output is shown when it is wanted");
    await summary(page, "follows the next link").click();
    await page.locator("pre", { hasText: "left == right" }).waitFor();
    await summary(page, "Findings").click();
    await page.locator(".reports .row", { hasText: "hard to read" }).first().waitFor();
    assert.deepEqual(await accessibility(page), []);
    const { data: list } = await call("GET", `${api}/pipelines?per_page=100`);
    const after = list[list.findIndex(({ id }) => id === pipeline.id) + 1];
    await browser.open(page, `${PROJECT}/-/pipelines/${after.id}`);
    await page.getByRole("heading", { name: "ci/test: 579 tests passed" }).waitFor();
    await summary(page, "1 test fixed").click();
    await page.getByRole("listitem").filter({ hasText: "follows the next link" }).waitFor();
  },

  async "sees at a line of a commit that a test fails there, without a token"({ browser, call }, page) {
    const { sha, id } = await failed(call);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await browser.open(page, `${PROJECT}/-/commit/${sha}`);
      const line = page.locator(".said", { hasText: "follows the next link" });
      await line.waitFor();
      await line.locator("summary").click();
      await line.locator("pre", { hasText: "left == right" }).waitFor();
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `not wider than ${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByRole("link", { name: /tests failed, 1 of them new/ }).click();
    await page.waitForURL(new RegExp(`/pipelines/${id}$`));
  },

  async "opens a pipeline of which nothing, 200 or 5,000 tests failed"({ browser, people, call }, page) {
    const world = { browser, people, call };
    // a commit whose state no other flow reads
    const { data: commits } = await call("GET", `${api}/repository/commits?per_page=1&page=30`);
    const sha = commits[0].id;
    const pass = { status: "success", name: "</script><img src=x onerror=alert(1)>" };
    await browser.open(page, await reported(world, sha, "tests", [pass]));
    await page.getByRole("heading", { name: /1 test passed/ }).waitFor();
    await browser.open(page, await reported(world, sha, "tests", failing(200)));
    await page.getByRole("heading", { name: /200 of 200 tests failed/ }).waitFor();
    assert.equal(await rows(page).count(), 200);
    await browser.open(page, await reported(world, sha, "tests", failing(5000, "a <b>bold</b> name")));
    await page.getByRole("heading", { name: /5,000 of 5,000 tests failed/ }).waitFor();
    assert.equal(await rows(page).count(), 200);
    await page.getByText("There is more than a page shows.").waitFor();
    await summary(page, "a <b>bold</b> name 0").click();
    await page.getByText("CI reported no output.").waitFor();
    assert.deepEqual(await accessibility(page), []);
  },

  async "sees a test at its line right after `edgeforge-mirror run` ended"({ browser, people, call, hook }, page) {
    const { sha } = await failed(call);
    const { data: files } = await call("GET", `${api}/repository/commits/${sha}/diff`);
    const { new_path } = files.find(({ diff }) => /^@@ -\S+ \+[1-9]/.test(diff));
    const line = Number(/^@@ -\S+ \+(\d+)/.exec(files.find((file) => file.new_path === new_path).diff)?.[1]);
    const folder = mkdtempSync(join(tmpdir(), "run-"));
    const name = unique("ci/run");
    const made = join(folder, "made.xml");
    const report = join(folder, "out.xml");
    writeFileSync(
      made,
      `<testsuite name="s"><testcase name="${name}" file="${new_path}" line="${line}"><failure>boom</failure></testcase></testsuite>`,
    );
    const args = ["run", "--server", browser.server, "--project", "demo-group/edgeforge", "--name", name, "--sha", sha];
    const command = ["--ref", "main", "--junit", report, "--", "sh", "-c", `cp ${made} ${report}; exit 3`];
    const env = { ...process.env, EDGEFORGE_TOKEN: people.ann.token };
    const ran = await promisify(execFile)(resolve(hook), [...args, ...command], { env, cwd: folder }).catch((error) => error);
    assert.equal(ran.code, 3, ran.stderr);
    const began = Date.now();
    await browser.open(page, `${PROJECT}/-/commit/${sha}`);
    await page.locator(".said", { hasText: name }).waitFor();
    console.log(`        a test that failed is at its line ${Date.now() - began} ms after the step`);
    rmSync(folder, { recursive: true });
  },
};
export const REPORTED_BY = { "sees at a line of a commit that a test fails there, without a token": null };
