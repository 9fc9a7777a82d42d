// While `make dev` runs, no token is in the list of processes, which every user of the machine can read. A signal ends it
// whatever it does.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

const processes = () => execFileSync("ps", ["-A", "-ww", "-o", "args="], { encoding: "utf8" });

test("no token stands in the list of processes, from the first step of make dev to its end", { timeout: 900_000 }, async () => {
  const state = mkdtempSync(join(tmpdir(), "edgeforge-processes-"));
  const token = "this-is-a-token-of-root";
  const server = spawn("scripts/dev", {
    env: { ...process.env, ADMIN_TOKEN: token, PORT: "0", STATE: state, DEMO: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(server, "exit");
  let output = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (output += text));
  const lists = new Set();
  const look = () => lists.add(processes());
  try {
    while (!output.includes("serving; requests are logged") && server.exitCode === null) {
      look();
      await pause(20);
    }
    assert.equal(server.exitCode, null, output);
    assert.ok(output.includes(token), `make dev must print root's token: ${output}`);
    const address = readFileSync(join(state, "address"), "utf8");
    assert.equal((await fetch(`${address}/api/v3/user`, { headers: { "PRIVATE-TOKEN": token } })).status, 200);
    look();
    const people = Object.values(JSON.parse(readFileSync(join(state, "demo.json"), "utf8")));
    const seen = [...lists].join("");
    assert.ok(
      seen.includes("scripts/serve.mjs") && seen.includes("scripts/demo.mjs"),
      "the list of processes must contain what make dev starts",
    );
    for (const secret of [token, ...people]) {
      assert.ok(typeof secret === "string" && secret.length >= 20, `${secret}`);
      const line = seen.split("\n").find((line) => line.includes(secret));
      assert.equal(line, undefined);
    }
  } finally {
    server.kill("SIGTERM");
    await ended;
    rmSync(state, { recursive: true, force: true });
  }
});

test("make dev ends within a second of a signal while it fills the demo world", { timeout: 900_000 }, async () => {
  const state = mkdtempSync(join(tmpdir(), "edgeforge-processes-"));
  const server = spawn("scripts/dev", { env: { ...process.env, PORT: "0", STATE: state, DEMO: "1" }, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(server, "exit");
  let output = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (text) => (output += text));
  const filling = () => processes().includes(`--state ${state} --hook`);
  try {
    while (!filling() && server.exitCode === null) await pause(50);
    await pause(200);
    assert.ok(filling(), output);
    const began = performance.now();
    server.kill("SIGTERM");
    assert.deepEqual(await ended, [143, null], output);
    const took = performance.now() - began;
    assert.ok(took < 1000, `it took ${took.toFixed()} ms`);
    assert.ok(!output.includes("the API is available") && !processes().includes(state), output);
  } finally {
    server.kill("SIGTERM");
    await ended;
    rmSync(state, { recursive: true, force: true });
  }
});
