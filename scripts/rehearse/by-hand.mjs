// A shell whose `make deploy` and wrangler reach only a simulated Cloudflare on this machine, until the shell ends. What
// this machine knows of a real account is not in its environment. Without a terminal the shell reads its commands from
// stdin.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start } from "./server.mjs";

const folder = mkdtempSync(join(tmpdir(), "edgeforge-rehearsal-"));
const rehearsal = await start({ state: join(folder, "account"), quiet: true });
// those of make would reach the inner make, too
const own = Object.entries(process.env).filter(([name]) => !/^(CLOUDFLARE_|CF_|MAKE|MFLAGS|CASES$|CONFIG$|DRY_RUN$)/.test(name));
const env = {
  ...Object.fromEntries(own),
  ...rehearsal.environment,
  // where wrangler keeps the login
  XDG_CONFIG_HOME: join(folder, "config"),
  WORKER_URL: rehearsal.workerUrl,
  EXTERNAL_URL: rehearsal.workerUrl,
  ADMIN_TOKEN: randomBytes(15).toString("base64url"),
  YES: "1",
  PS1: "rehearsal $ ",
};
if (process.stdin.isTTY) {
  console.log(`In this shell make deploy and wrangler reach a simulated Cloudflare, and no account. The deployed Worker answers at
$WORKER_URL, its root has the token $ADMIN_TOKEN, and YES=1 is set. "exit" ends all of it.`);
}
const shell = spawn("bash", ["--noprofile", "--norc"], { env, stdio: "inherit" });
// the shell gets it from the terminal, too
process.on("SIGINT", () => {});
for (const signal of /** @type {const} */ (["SIGTERM", "SIGHUP"])) process.on(signal, () => shell.kill("SIGHUP"));
process.exitCode = await new Promise((done) => shell.once("close", (code) => done(code ?? 1)));
await rehearsal.stop();
rmSync(folder, { recursive: true, force: true });
