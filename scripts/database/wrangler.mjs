// Runs the wrangler of node_modules and reads its configuration, from Node alone.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";

const program = join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");

/** The project's root folder, where `wrangler.toml` is. */
export const root = join(import.meta.dirname, "../..");

/** Runs `wrangler ARGUMENTS` in the root folder; resolves to what it wrote to stdout, rejects with all it wrote. */
export function wrangler(...given) {
  const child = spawn(process.execPath, ["--no-warnings", program, ...given], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", WRANGLER_HIDE_BANNER: "true", NO_COLOR: "1" },
  });
  const written = { stdout: "", all: "" };
  for (const stream of ["stdout", "stderr"]) {
    child[stream].setEncoding("utf8").on("data", (text) => {
      written.all += text;
      if (stream === "stdout") written.stdout += text;
    });
  }
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => {
      if (code === 0) done(written.stdout);
      else failed(new Error(`wrangler ${given.join(" ")} failed:\n${written.all.trim()}`));
    });
  });
}

/** What `wrangler.toml` says of the database behind a binding or name: `{ binding, database_name, database_id, .. }`. */
export function configured(name) {
  const { account_id, d1_databases } = readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true });
  const found = d1_databases.find((one) => one.binding === name || one.database_name === name);
  return { account_id, ...found };
}
