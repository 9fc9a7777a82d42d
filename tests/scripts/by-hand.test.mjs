// `make rehearse CASES=by-hand`: a shell that no real account can be reached from.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

/** What the commands print in that shell, where this machine has a login and a token of another account. */
function inShell(commands) {
  const home = mkdtempSync(join(tmpdir(), "edgeforge-home-"));
  const config = join(home, ".config", ".wrangler", "config");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "default.toml"), 'oauth_token = "real"\nexpiration_time = "2999-01-01T00:00:00.000Z"\n');
  const real = { CLOUDFLARE_API_TOKEN: "real", CLOUDFLARE_ACCOUNT_ID: "real", CLOUDFLARE_API_KEY: "real", CF_API_TOKEN: "real" };
  const { HOME: _, XDG_CONFIG_HOME: __, ...environment } = process.env;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--no-warnings", "scripts/rehearse/by-hand.mjs"], {
    env: { ...environment, ...real, HOME: home, XDG_CONFIG_HOME: join(home, ".config"), MAKEFLAGS: "CASES=by-hand", CONFIG: "other.toml" },
    input: commands,
    encoding: "utf8",
  });
  rmSync(home, { recursive: true, force: true });
  return { said: stdout + stderr, status };
}

test("its environment has the simulated account alone", () => {
  const { said, status } = inShell("env; exit 7");
  const variables = Object.fromEntries(said.split("\n").map((line) => line.split(/=(.*)/).slice(0, 2)));
  assert.match(variables.CLOUDFLARE_API_BASE_URL, /^http:\/\/127\.0\.0\.1:\d+\//);
  assert.match(variables.WORKER_URL, /^http:\/\/127\.0\.0\.1:\d+$/);
  assert.ok(variables.ADMIN_TOKEN.length >= 20);
  assert.ok(!("CONFIG" in variables) && !("MAKEFLAGS" in variables));
  assert.ok(!said.includes("=real"), said);
  assert.equal(status, 7);
});

test("wrangler is logged in to it, and to nothing where the variables are gone", () => {
  const { said } = inShell("npx wrangler whoami; unset CLOUDFLARE_API_TOKEN; npx wrangler whoami; exit");
  assert.match(said, /operator@rehearsal\.example[\s\S]*You are not authenticated/);
});

test("each shell has a token of its own", () => {
  const [one, other] = [1, 2].map(() => inShell("echo $ADMIN_TOKEN").said);
  assert.notEqual(one, other);
});
