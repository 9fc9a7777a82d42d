// What a request has for web hooks is sent after its answer, on the built Worker and without the Cron trigger.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { portOf } from "../../scripts/workerd.mjs";
import { pace } from "../../src/worker/objects.mjs";

const ADMIN_TOKEN = "this-is-a-token-of-root";
const PATIENCE = 30_000;

test("a hook is called after the answer to the request that it is about", async () => {
  const state = mkdtempSync(join(tmpdir(), "edgeforge-sending-"));
  const receiver = createServer((request, response) => {
    receiver.emit("called", request.headers["x-gitlab-event"]);
    request.resume().on("end", () => response.end("thanks"));
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const file = join(state, "address");
  execFileSync("scripts/prepare", [state], { stdio: "ignore" });
  const outbound = `http://127.0.0.1:${portOf(receiver)}`;
  const options = ["--state", state, "--address", file, "--quiet", "--var", "ADMIN_TOKEN", "--outbound", outbound];
  const server = spawn("node", ["--no-warnings", "scripts/serve.mjs", ...options], {
    env: { ...process.env, ADMIN_TOKEN },
    stdio: "ignore",
  });
  try {
    while (!existsSync(file)) await pause(50);
    const post = async (path, body) => {
      const headers = { "PRIVATE-TOKEN": ADMIN_TOKEN, "Content-Type": "application/json" };
      const answer = await fetch(`${readFileSync(file, "utf8")}/api/v4${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      assert.equal(answer.status, 201, await answer.clone().text());
      return answer.json();
    };
    const { id } = await post("/projects", { name: "sending" });
    await post(`/projects/${id}/hooks`, { url: "https://hooks.example.com/", issues_events: true, push_events: false });
    const called = once(receiver, "called", { signal: AbortSignal.timeout(PATIENCE) });
    await post(`/projects/${id}/issues`, { title: "Tell the hook" });
    assert.deepEqual(await called, ["Issue Hook"]);
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
    receiver.close();
    rmSync(state, { recursive: true, force: true });
  }
});

test("a client that stops reading, or reads too slowly, loses its stream", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  const bytes = new Uint8Array(64_000);
  const stopped = assert.rejects(pace({ write: () => new Promise(() => {}) })(bytes), /stopped reading/);
  t.mock.timers.tick(60_000);
  await stopped;
  // where others wait, the place ends its stream, between two pieces and in one
  const places = [(/** @type {number} */ read) => read > 0, () => true];
  for (const [at, read] of places.entries()) {
    const ended = assert.rejects(pace({ write: () => (at ? new Promise(() => {}) : null) }, { read })(bytes), /while others wait/);
    t.mock.timers.tick(1000 * at);
    await ended;
  }
  // 64 bytes a millisecond are quick enough, however long it takes
  const steady = pace({ write: async () => {} });
  for (let second = 0; second < 300; second++) {
    await steady(bytes);
    t.mock.timers.tick(1000);
  }
  const slow = pace({ write: () => new Promise((done) => setTimeout(done, 2000)) });
  let written = 0;
  const reads = async () => {
    for (; written < 100; written++) {
      const one = slow(bytes);
      t.mock.timers.tick(2000);
      await one;
    }
  };
  await assert.rejects(reads, /stopped reading/);
  assert.equal(written, 58);
});
