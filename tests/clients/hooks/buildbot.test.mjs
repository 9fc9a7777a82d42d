// A real Buildbot 4.3 master with its change hook for GitLab and GitLabStatusPush: a push starts a build by a web hook, and the
// build turns the badge of the branch green. BUILDBOT names the program, HOOK the mirror hook.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freePort, pause } from "../../../scripts/workerd.mjs";
import { Served, token } from "./served.mjs";

const SECRET = "swordfish";
const { BUILDBOT, HOOK } = process.env;

/** The builder fails on every branch but main. */
const configuration = (port, server, token) => `
from buildbot.plugins import reporters, schedulers, steps, util, worker

c = BuildmasterConfig = {}
c["workers"] = [worker.LocalWorker("w1")]
c["protocols"] = {"null": {}}
c["collapseRequests"] = False
c["schedulers"] = [schedulers.AnyBranchScheduler(name="all", builderNames=["check"], treeStableTimer=None)]
check = steps.ShellCommand(command=["sh", "-c", util.Interpolate("test '%(src::branch)s' = main")])
c["builders"] = [util.BuilderConfig(name="check", workernames=["w1"], factory=util.BuildFactory([check]))]
c["services"] = [reporters.GitLabStatusPush(token="${token}", baseURL="${server}", verbose=True)]
c["www"] = {"port": "tcp:${port}:interface=127.0.0.1", "change_hook_dialects": {"gitlab": {"secret": "${SECRET}"}}}
c["title"], c["titleURL"], c["buildbotURL"] = "t", "http://127.0.0.1/", "http://127.0.0.1:${port}/"
c["buildbotNetUsageData"] = None
c["db"] = {"db_url": "sqlite:///state.sqlite"}
`;

/** What the function answers once it answers something. */
async function eventually(what, look) {
  for (const until = Date.now() + 60_000; Date.now() < until; await pause(200)) {
    const found = await look();
    if (found) return found;
  }
  assert.fail(`${what}: not within a minute\n${readFileSync(join(server.folder, "master/twistd.log"), "utf8").slice(-3000)}`);
}

let server, master, ann, project, path, hook, repository;
before(async () => {
  const port = await freePort();
  server = await Served.start(`http://127.0.0.1:${port}/change_hook/gitlab`);
  const admin = server.api(token);
  const group = await admin.post("/groups", { name: "Loop", path: "loop", visibility: "public" });
  project = await admin.post("/projects", { name: "app", namespace_id: group.id, visibility: "public" });
  path = `/projects/${project.id}`;
  ann = await server.member(path, "ann", 40);
  hook = await ann.post(`${path}/hooks`, { url: "https://buildbot.example.com/change_hook/gitlab", tag_push_events: true, token: SECRET });
  repository = await server.repository(ann, project, HOOK);
  const reporter = await ann.post(`${path}/access_tokens`, { name: "buildbot", scopes: ["statuses"] });

  const folder = join(server.folder, "master");
  const env = { ...process.env, PYTHONWARNINGS: "ignore" };
  execFileSync(BUILDBOT, ["create-master", "-q", folder], { env, stdio: "ignore" });
  writeFileSync(join(folder, "master.cfg"), configuration(port, server.address, reporter.token));
  master = spawn(BUILDBOT, ["start", "--nodaemon", folder], { env, stdio: "ignore" });
  await eventually("Buildbot starts", () =>
    fetch(`http://127.0.0.1:${port}/api/v2/builders`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
});
after(async () => {
  master?.kill("SIGTERM");
  if (master?.exitCode === null) await new Promise((done) => master.once("exit", done));
  await server?.stop();
});

const badge = async (ref) => {
  const answer = await fetch(`${server.address}/loop/app/badges/${ref}/pipeline.svg`);
  return /<title>pipeline (\w+)<\/title>/.exec(await answer.text())?.[1];
};
const statuses = (sha) => ann.ask("GET", `${path}/repository/commits/${sha}/statuses`);

test("the badge is gray before the first push", async () => {
  assert.equal(await badge("main"), "unknown");
});

test("a push turns the badge green", async (context) => {
  const sha = repository.commit("a.txt", "1\n", "Begin");
  const began = Date.now();
  repository.push("main");
  await eventually("a green badge", async () => (await badge("main")) === "passed");
  context.diagnostic(`${Date.now() - began} ms from the push to the green badge`);
  const [status] = await statuses(sha);
  assert.deepEqual([status.name, status.status, status.ref], ["buildbot/check", "success", "main"]);
  assert.match(status.target_url, /^http:\/\/127\.0\.0\.1:\d+\/#\/?builders\//);
});

test("each commit of a push is built", async () => {
  const shas = [1, 2, 3].map((n) => repository.commit("a.txt", `${n}${n}\n`, `Change ${n}`));
  repository.push("main");
  for (const sha of shas) {
    await eventually(`a status of ${sha}`, async () => (await statuses(sha)).some(({ status }) => status === "success"));
  }
});

test("a branch that breaks has a red badge, and main stays green", async () => {
  repository.git("checkout", "--quiet", "-b", "broken");
  repository.commit("b.txt", "1\n", "Break it");
  repository.push("broken");
  await eventually("a red badge", async () => (await badge("broken")) === "failed");
  assert.equal(await badge("main"), "passed");
});

test("a removed branch starts nothing, and every delivery was accepted", async () => {
  repository.push("--delete", "broken");
  const tries = await eventually("the fourth delivery", async () => {
    const log = await ann.ask("GET", `${path}/hooks/${hook.id}/events`);
    return log.length >= 4 && log;
  });
  assert.deepEqual(
    tries.map((one) => [one.trigger, one.response_status, one.attempt]),
    Array(4).fill(["push_hooks", "200", 1]),
  );
});

test("a wrong token is refused by Buildbot, which the log shows", async () => {
  await ann.put(`${path}/hooks/${hook.id}`, { token: "wrong" });
  repository.git("checkout", "--quiet", "main");
  const sha = repository.commit("a.txt", "last\n", "Not built");
  repository.push("main");
  const log = await eventually("a refused delivery", async () => {
    const found = await ann.ask("GET", `${path}/hooks/${hook.id}/events?status=client_failure`);
    return found.length && found;
  });
  assert.equal(log[0].response_status, "400");
  assert.match(log[0].response_body, /Invalid secret/);
  assert.deepEqual(await statuses(sha), []);
});
