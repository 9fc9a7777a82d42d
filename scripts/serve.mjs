// Serves a built Worker on workerd, with the bindings of its wrangler.toml and a real D1 and KV on disk,
// in the folder layout of `wrangler dev --persist-to`. Unlike `wrangler dev` it puts no proxy in front of the
// Worker and is up in about a second, which is why tests and measurements use it too.
//
//   node scripts/serve.mjs --state DIR [--port N] [--config wrangler.toml] [--var NAME=VALUE]... [--quiet]
//                          [--address FILE]
//
// Port 0 (the default) takes a free one. When the Worker answers, the address is written to FILE and to stdout.
// SIGINT and SIGTERM end it and its workerd.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from "wrangler";

const { values: given } = parseArgs({
  options: {
    state: { type: "string" },
    port: { type: "string", default: "0" },
    config: { type: "string", default: "wrangler.toml" },
    var: { type: "string", multiple: true, default: [] },
    address: { type: "string" },
    quiet: { type: "boolean", default: false },
  },
});
if (!given.state) {
  console.error("serve: --state DIR is needed");
  process.exit(2);
}

const { workerOptions, main } = workerOptionsOf(resolve(given.config));
for (const pair of given.var) {
  const [name, ...value] = pair.split("=");
  workerOptions.bindings[name] = value.join("=");
}

// What worker-build leaves: one script and, for a Rust Worker, the module it imports.
const folder = dirname(main);
const script = readFileSync(main, "utf8");
const modules = [{ type: "ESModule", path: main, contents: script }];
for (const [, wasm] of script.matchAll(/from\s*"\.\/([\w.-]+\.wasm)"/g)) {
  modules.push({ type: "CompiledWasm", path: join(folder, wasm), contents: readFileSync(join(folder, wasm)) });
}

/** Console output of the Worker: its own JSON lines stay whole, anything above "log" goes to stderr. */
function print({ level, message }) {
  (level === "error" || level === "warn" ? process.stderr : process.stdout).write(`${message}\n`);
}

const server = new Miniflare(
  convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: Number(given.port),
    cf: false,
    logRequests: false,
    log: new Log(given.quiet ? LogLevel.ERROR : LogLevel.WARN),
    handleStructuredLogs: given.quiet ? (line) => line.level === "error" && print(line) : print,
    resourcePersistencePath: join(resolve(given.state), "v3"),
    telemetry: { enabled: false },
    ...workerOptions,
    name: basename(folder),
    modulesRoot: folder,
    modules,
  }),
);

let stopping;
const stop = () => (stopping ??= server.dispose().finally(() => process.exit(0)));
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
process.on("SIGHUP", stop);

try {
  const address = (await server.ready).href.replace(/\/$/, "");
  if (given.address) {
    writeFileSync(`${given.address}.new`, address);
    renameSync(`${given.address}.new`, given.address);
  }
  if (!given.quiet) console.log(`serving ${address}`);
} catch (error) {
  console.error(`serve: ${error.message}`);
  await server.dispose().catch(() => {});
  process.exit(1);
}
