// Runs the commands of docs/first-status.md as they stand, for a group of another name.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { adminToken, server } from "./server.mjs";
import { snippets } from "./snippets.mjs";

test("the page from nothing to the first status runs as written", async () => {
  const home = mkdtempSync(join(tmpdir(), "edgeforge-first-"));
  const group = `shop-${process.pid}-${Date.now()}`;
  const environment = { ...process.env, HOME: home, GIT_CONFIG_GLOBAL: "/dev/null", BASE: server, TOKEN: adminToken };
  for (const who of ["AUTHOR", "COMMITTER"])
    Object.assign(environment, { [`GIT_${who}_NAME`]: "Dev", [`GIT_${who}_EMAIL`]: "dev@example.com" });
  const script = snippets("docs/first-status.md")("than its group.", "sh")
    .replaceAll("shop", group)
    .replace('hook="$PWD/target/release/edgeforge-mirror"', 'hook="$HOOK"');
  try {
    const { status, stdout, stderr } = spawnSync("sh", ["-ec", script], { env: environment, encoding: "utf8" });
    assert.equal(status, 0, `${stdout}${stderr}`);
    assert.match(stdout, /"status":"success"[\s\S]*\npassed\n$/);
    const answer = await fetch(`${server}/api/v4/projects/${group}%2Fsite/repository/commits/main`);
    const { title, status: state } = await answer.json();
    assert.deepEqual([title, state], ["Say hello", "success"]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
