// Serves build/ on 127.0.0.1 with a local state, with Node alone: `npm run dev` of a release. Variables: PORT (8787; 0
// for any free one), STATE (.wrangler/state). Root's token is in .dev.vars, which is created if missing.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { main, say, Stop } from "./cloudflare.mjs";
import { keep, newToken } from "./given.mjs";
import { prepare } from "./prepare.mjs";

/** Serves until a signal. Resolves to the exit code. */
async function serve(state, port) {
  const addressFile = join(state, "address");
  rmSync(addressFile, { force: true });
  const given = ["--no-warnings", "scripts/serve.mjs", "--state", state, "--port", port, "--address", addressFile];
  const env = { ...process.env, WRANGLER_LOG: "error", WRANGLER_SEND_METRICS: "false" };
  const server = spawn(process.execPath, given, { stdio: "inherit", env });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill("SIGTERM"));
  // npm sends a signal to its shell, which ends without passing it on
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && server.kill("SIGTERM"), 200).unref();
  const ended = new Promise((done) => server.once("exit", (code) => done(code ?? 0)));
  while (!existsSync(addressFile) && server.exitCode === null && server.signalCode === null) await pause(50);
  if (existsSync(addressFile)) {
    const address = readFileSync(addressFile, "utf8");
    console.log(`
pages          ${address}/
every call     ${address}/docs
root           the ADMIN_TOKEN in .dev.vars; in a shell:  . ./.dev.vars

curl '${address}/api/v4/templates/licenses/mit'
curl -H "PRIVATE-TOKEN: $ADMIN_TOKEN" '${address}/api/v4/user'

serving; Ctrl-C ends it`);
  }
  return await ended;
}

await main(async () => {
  process.chdir(dirname(import.meta.dirname));
  const port = process.env.PORT || "8787";
  const state = process.env.STATE || ".wrangler/state";
  if (!/^\d+$/.test(port) || Number(port) > 65_535) throw new Stop(`PORT=${port} is not a port`);
  if (!existsSync(".dev.vars")) {
    say("writing root's token to .dev.vars");
    keep(newToken(), ".dev.vars");
  }
  const refusal = await prepare(state, {
    sources: ["build/licenses.json"],
    entries: () => JSON.parse(readFileSync("build/licenses.json", "utf8")),
    npm: true,
  });
  if (refusal) throw new Stop(refusal);
  process.exitCode = await serve(state, port);
});
