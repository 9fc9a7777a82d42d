// Serves a built Worker on workerd, with the bindings of wrangler.toml and a real D1, KV and R2 on disk, in the folder
// layout of `wrangler dev --persist-to`. It has no proxy in front of the Worker, unlike `wrangler dev`, and starts in
// about a second; tests and measurements use it, too.
//
//   node scripts/serve.mjs --state DIR [--port N] [--var NAME[=VALUE]]... [--quiet]
//                          [--outbound ADDRESS] [--documents FILE] [--cron] [--bare] [--without NAME] [--limits] [--limit NAME=N]... [--main FILE] [--config FILE] [--address FILE] [--log FILE] [--inspector PORT]
//
// A --var without "=" takes its value from the environment, since every user of the machine can read command lines. All
// callers get the cost of a request (COST_HEADER=everyone), unless a --var changes it. Rate limits are off; --limits
// turns on those of wrangler.toml, and --limit gives one another number. --inspector opens the runtime's inspector, to
// measure memory or time. --without leaves out the bucket of that name. --bare serves no files beside the Worker.
// --outbound carries what the Worker sends to other servers to one address of this machine, with the header
// x-outbound-url; without it they are refused. --documents answers what the Worker gets from other servers out of a JSON file, by
// their addresses. --cron runs the Cron trigger every ten seconds. --main serves another script, --config reads another configuration. Port 0 (the default) takes a free one. When the
// Worker answers, its address is written to the --address file. The Worker's log goes to stdout, a line per entry with
// its time, or is appended to the --log file; with --quiet only its errors. SIGINT, SIGTERM and SIGHUP stop it and its
// workerd, and so does the removal of its state.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { convertV4MiniflareOptions, fetch as send, Headers, Log, LogLevel, Miniflare, Response } from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from "wrangler";
import { hold, release } from "./lock.mjs";
import { LogFile } from "./log.mjs";

const { values: given } = parseArgs({
  options: {
    state: { type: "string" },
    port: { type: "string", default: "0" },
    main: { type: "string" },
    config: { type: "string", default: "wrangler.toml" },
    var: { type: "string", multiple: true, default: [] },
    address: { type: "string" },
    log: { type: "string" },
    inspector: { type: "string" },
    outbound: { type: "string" },
    documents: { type: "string" },
    cron: { type: "boolean", default: false },
    quiet: { type: "boolean", default: false },
    bare: { type: "boolean", default: false },
    without: { type: "string" },
    limits: { type: "boolean", default: false },
    limit: { type: "string", multiple: true, default: [] },
  },
});
if (!given.state) {
  console.error("serve: --state DIR is needed");
  process.exit(2);
}

/** @type {any} */
const { workerOptions, main } = workerOptionsOf(resolve(given.config));
if (given.bare) delete workerOptions.assets;
if (given.without) delete workerOptions.r2Buckets[given.without];
function setVariable(pair) {
  const [name, ...value] = pair.split("=");
  workerOptions.bindings[name] = value.join("=");
}
workerOptions.bindings.COST_HEADER = "everyone";
if (!given.limits) {
  for (const name of ["WRITES_PER_HOUR", "SPENDING_PER_MINUTE"]) workerOptions.bindings[name] = "0";
  for (const name of Object.keys(workerOptions.ratelimits ?? {})) workerOptions.bindings[`${name}_PER_MINUTE`] = "0";
  delete workerOptions.ratelimits;
}
for (const [name, most] of given.limit.map((pair) => pair.split("="))) {
  workerOptions.ratelimits[name].simple.limit = Number(most);
  workerOptions.bindings[`${name}_PER_MINUTE`] = most;
}
for (const pair of given.var) setVariable(pair.includes("=") ? pair : `${pair}=${process.env[pair] ?? ""}`);

const documents = given.documents ? JSON.parse(readFileSync(given.documents, "utf8")) : {};

/** Nothing leaves this machine: what the Worker sends to other servers goes to one address, or nowhere. */
async function outbound(request) {
  const document = request.method === "GET" ? documents[request.url] : undefined;
  if (document) return Response.json(document);
  if (!given.outbound) return new Response("nothing leaves this machine", { status: 403 });
  const headers = new Headers(request.headers);
  headers.set("x-outbound-url", request.url);
  const { method } = request;
  const body = method === "GET" || method === "HEAD" ? undefined : await request.arrayBuffer();
  return send(given.outbound, { method, headers, body, redirect: "manual" });
}

/** A script and all files that it imports, recursively. */
function modulesOf(path, found = []) {
  if (found.some((module) => module.path === path)) return found;
  if (extname(path) === ".wasm") {
    found.push({ type: "CompiledWasm", path, contents: readFileSync(path) });
    return found;
  }
  const contents = readFileSync(path, "utf8");
  found.push({ type: "ESModule", path, contents });
  for (const [, name] of contents.matchAll(/\b(?:from|import)\s*"(\.[^"]+)"/g)) modulesOf(join(dirname(path), name), found);
  return found;
}

const refusal = hold(given.state, process.pid);
if (refusal) {
  console.error(`serve: ${refusal}`);
  process.exit(1);
}
process.on("exit", () => release(given.state, process.pid));

// a failure to write the log does not stop the server
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
const log = given.log ? new LogFile(given.log) : process.stdout;

/** Objects arrive as coloured text of several lines. */
function print({ level, message }) {
  if (given.quiet && level !== "error") return;
  const line = `${new Date().toISOString()} ${message.replace(/\x1b\[\d+m/g, "").replace(/\n\s*/g, " ")}\n`;
  // errors go to stderr and into the log
  if (level === "error") process.stderr.write(line);
  if (level !== "error" || given.log) log.write(line);
}

const server = new Miniflare(
  convertV4MiniflareOptions({
    host: "127.0.0.1",
    port: Number(given.port),
    cf: false,
    logRequests: false,
    // GET /cdn-cgi/local/scheduled runs the Cron trigger
    unsafeTriggerHandlers: true,
    log: new Log(given.quiet ? LogLevel.ERROR : LogLevel.WARN),
    handleStructuredLogs: print,
    resourcePersistencePath: join(resolve(given.state), "v3"),
    telemetry: { enabled: false },
    ...(given.inspector && { inspectorPort: Number(given.inspector) }),
    outboundService: outbound,
    ...workerOptions,
    name: "edgeforge",
    modulesRoot: resolve("."),
    modules: modulesOf(given.main ? resolve(given.main) : main),
  }),
);

const lock = join(given.state, "in-use");
let stopping;
const stop = (code) => (stopping ??= server.dispose().finally(() => process.exit(code)));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(0));

/** The database would go on in deleted files, and nobody would find what is written to it. */
function endWithState() {
  if (stopping || existsSync(lock)) return;
  console.error(`serve: ${given.state} was removed while its server ran: start the server again`);
  stop(1);
}

try {
  const address = (await server.ready).href.replace(/\/$/, "");
  setInterval(endWithState, 1000).unref();
  // what the Cron trigger of wrangler.toml does each minute
  if (given.cron) setInterval(() => fetch(`${address}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`).catch(() => {}), 10_000).unref();
  if (given.address) {
    writeFileSync(`${given.address}.new`, address);
    renameSync(`${given.address}.new`, given.address);
  }
} catch (error) {
  console.error(`serve: ${error.message}`);
  await server.dispose().catch(() => {});
  process.exit(1);
}
