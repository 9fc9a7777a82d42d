// Shared by the scripts that use a Cloudflare account: running wrangler, reading its output, asking the operator.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";

/** The configuration that all these scripts read. */
export const configFile = process.env.CONFIG || "wrangler.toml";

const require = createRequire(import.meta.url);
const bin = join(require.resolve("wrangler/package.json"), "../bin/wrangler.js");

/** An expected failure: printed as one line, without a stack. */
export class Stop extends Error {}

export const say = (text) => console.log(`==> ${text}`);

/** Runs a script; a `Stop` is its error message and exit code 1. */
export async function main(run) {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}

/** The first error in wrangler's output, without its advice and stack. */
export function reasonOf(output) {
  const plain = output.replace(/\x1b\[[\d;]*m/g, "");
  const [, text = plain] = /\[ERROR\] ?([\s\S]*?)(?=\n\s*(?:If you think|📎|🪵|Getting User|at )|$)/.exec(plain) ?? [];
  return text.replace(/\s*\n\s*/g, " ").trim();
}

/** Runs wrangler to its end. `live`: also shows its output while it runs. */
export function wrangler(args, { live = false } = {}) {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", CI: "1", WRANGLER_SEND_METRICS: "false" };
  const config = args.includes("--config") ? [] : ["--config", configFile];
  const child = spawn(process.execPath, ["--no-warnings", bin, ...args, ...config], { env, stdio: ["ignore", "pipe", "pipe"] });
  const texts = { out: "", err: "" };
  for (const [name, stream, shown] of /** @type {const} */ ([
    ["out", child.stdout, process.stdout],
    ["err", child.stderr, process.stderr],
  ])) {
    stream.setEncoding("utf8").on("data", (text) => {
      texts[name] += text;
      if (live) shown.write(text);
    });
  }
  // the same signal stops wrangler; the script then removes its temporary files
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const pass = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", () => signals.forEach((signal) => process.off(signal, pass)));
    child.once("close", (code) => done({ ok: code === 0, ...texts, reason: code === 0 ? "" : reasonOf(texts.err || texts.out) }));
  });
}

/** Words of wrangler and Node.js about a network without a way to Cloudflare. */
const UNREACHED = /fetch failed|unable to resolve|ECONN|ENOTFOUND|EAI_AGAIN|timed? ?out/i;

/** Why `wrangler whoami`, which ended so, means that nothing can be deployed; null if somebody is logged in. */
export function faultOfLogin({ ok, out, reason }) {
  if (ok && !/not authenticated/.test(out)) return null;
  if (UNREACHED.test(reason)) return `Cloudflare's API cannot be reached: check the network, and run this again (${reason})`;
  if (/requires at least Node/.test(reason)) return `${reason} Or run it by make or npm, which bring their own`;
  return `wrangler is not logged in: run npx wrangler login, or set CLOUDFLARE_API_TOKEN${reason && `\n  (${reason})`}`;
}

/** The JSON that a command of wrangler prints. */
export async function wranglerJson(args) {
  const { ok, out, reason } = await wrangler(args);
  if (!ok) throw new Stop(`wrangler ${args.slice(0, 3).join(" ")}: ${reason}`);
  return JSON.parse(out.slice(out.search(/[[{]/)));
}

/** The settings in wrangler's configuration that the scripts use. */
export function configuration() {
  // it takes a second to load
  const config = require("wrangler").unstable_readConfig({ config: configFile });
  const [database] = config.d1_databases;
  const [namespace] = config.kv_namespaces;
  return {
    name: config.name,
    account: config.account_id,
    vars: config.vars ?? {},
    routes: config.routes ?? [],
    limiters: config.ratelimits ?? [],
    flags: config.compatibility_flags ?? [],
    database: {
      binding: database.binding,
      name: database.database_name,
      id: database.database_id,
      folder: database.migrations_dir,
      // wrangler's name for the local file
      local: database.preview_database_id ?? database.database_id ?? database.binding,
    },
    // undefined: diffs are stored in the database
    bucket: config.r2_buckets[0]?.bucket_name,
    localBucket: config.r2_buckets[0]?.preview_bucket_name ?? config.r2_buckets[0]?.bucket_name,
    // wrangler's own default title
    namespace: { binding: namespace.binding, title: `${config.name}-${namespace.binding.toLowerCase()}`, id: namespace.id },
  };
}

/** Whether an operator can answer a question. */
export const attended = () => Boolean(process.stdin.isTTY && process.stdout.isTTY);

/** The operator's answer, or the default if it is empty. */
export async function ask(question, otherwise) {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await lines.question(`${question} [${otherwise}] `).finally(() => lines.close());
  return answer.trim() || otherwise;
}
