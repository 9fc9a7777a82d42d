// Brings a folder of local state up to date: the tables of its D1, the license templates of its KV.
//
//   node scripts/prepare.mjs [STATE]                        (default: .wrangler/state)
//   node scripts/prepare.mjs --for-wrangler [STATE [FILE]]  in the build command of `wrangler dev`
//
// --for-wrangler leaves a state alone that is in use: `wrangler dev` builds again after each change. It also writes a token
// of root to FILE (.dev.vars), if that has none, and prints it.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { bound } from "./database/d1.mjs";
import { keep, newToken, variablesOf } from "./given.mjs";
import { hold, release } from "./lock.mjs";
import { filesIn, importOf } from "./migrations.mjs";
import { look } from "./state.mjs";
import { database, databaseFile } from "./workerd.mjs";

const folder = "migrations";
const FULL = /ENOSPC|no space left|database or disk is full|SQLITE_FULL/i;

const say = (text) => console.log(`==> ${text}`);
const hashOf = (files) =>
  files.reduce((hash, file) => hash.update(readFileSync(file)), createHash("sha256").update(files.length.toString())).digest("hex");

/** A name in wrangler.toml. wrangler itself, which reads all of the file, takes a second to load. */
function configured(key) {
  const [, name] = new RegExp(`^${key} = "(.+)"$`, "m").exec(readFileSync("wrangler.toml", "utf8")) ?? [];
  if (!name) throw new Error(`wrangler.toml has no ${key}`);
  return name;
}

/** Stores entries in the KV of a state, and creates the file of its D1. */
async function fill(state, entries) {
  const isNew = !databaseFile(state);
  const runtime = await bound(state, {
    d1Databases: { DATABASE: configured("preview_database_id") },
    kvNamespaces: { TEMPLATES: configured("preview_id") },
  });
  try {
    const templates = await runtime.getKVNamespace("TEMPLATES");
    await Promise.all(entries.map(({ key, value }) => templates.put(key, value)));
    await (await runtime.getD1Database("DATABASE")).exec("select 1");
  } finally {
    await runtime.dispose();
  }
  // the table of alarms, which nothing here uses: an older wrangler cannot read that of a newer one, but makes its own
  const files = isNew ? readdirSync(join(state, "v3"), { recursive: true, encoding: "utf8" }) : [];
  for (const name of files) if (/\bmetadata\.sqlite/.test(name)) rmSync(join(state, "v3", name));
}

/** Applies files in one transaction. */
function migrate(state, files) {
  const opened = database(state);
  opened.exec("pragma busy_timeout = 5000; begin immediate");
  for (const name of files) {
    try {
      opened.exec(importOf(folder, name));
    } catch (error) {
      throw new Error(`${name}: ${error.message}`);
    }
  }
  opened.exec("commit");
  opened.close();
}

/** Whether a `wrangler dev` serves a state: while it runs it has a folder there. */
function isServed(state) {
  const folder = join(dirname(state), "tmp");
  return Boolean(databaseFile(state)) && existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("dev-"));
}

/** Does what a state lacks. Returns an error message if that is refused. */
async function complete(state, { wanted, isDone, entries, npm }) {
  const done = (part) => writeFileSync(join(state, `${part}.done`), wanted[part]);
  const { error, warning, pending = [] } = look(state, { npm, isChecked: isDone("d1") });
  if (error) return error;
  if (warning) console.error(`warning: ${warning}`);
  try {
    if (!isDone("kv") || !databaseFile(state)) {
      say("loading license templates into the local KV");
      await fill(state, entries());
      done("kv");
    }
    if (pending.length) {
      say("applying migrations to the local D1");
      migrate(state, pending);
    }
    done("d1");
  } catch ({ message }) {
    return FULL.test(message)
      ? `the disk of ${state} is full: make space, or choose another folder (STATE=..)`
      : `${state} could not be prepared: ${message}`;
  }
}

/**
 * Prepares a state. The templates are `entries()`, made of the files `sources`. `npm`: messages have the commands of a
 * release. `isShy`: leaves a state alone that is in use. Returns an error message if that is refused.
 */
export async function prepare(state, { sources, entries, npm = false, isShy = false }) {
  const wanted = { d1: hashOf(filesIn(folder).map((name) => join(folder, name))), kv: hashOf(sources) };
  const isDone = (part) =>
    existsSync(join(state, "v3", part)) &&
    existsSync(join(state, `${part}.done`)) &&
    readFileSync(join(state, `${part}.done`), "utf8") === wanted[part];
  if (isDone("d1") && isDone("kv")) {
    const { error, pending = [] } = look(state, { isChecked: true });
    if (!error && !pending.length) return;
  }
  if (isShy && isServed(state)) return say(`the migrations or the templates are others now: scripts/prepare brings ${state} up to date`);
  const refusal = hold(state, process.pid);
  if (refusal && isShy) return say(`${refusal.split(";")[0]}: it is left as it is`);
  if (refusal) return refusal;
  try {
    return await complete(state, { wanted, isDone, entries, npm });
  } finally {
    release(state, process.pid);
  }
}

async function run() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { "for-wrangler": { type: "boolean", default: false } } });
  const [state = ".wrangler/state", file = ".dev.vars"] = positionals;
  const isShy = values["for-wrangler"];
  const { entries, sources } = await import("./licenses.mjs");
  const refusal = await prepare(state, { sources, entries: () => entries, isShy });
  if (refusal) {
    console.error(`error: ${refusal}`);
    process.exitCode = 1;
  }
  if (isShy && ![file, ".env"].some((name) => variablesOf(name).ADMIN_TOKEN)) {
    const token = newToken();
    keep(token, file);
    say(`root's token, in ${file} from now on: ${token}`);
  }
}

if (process.argv[1] === import.meta.filename) await run();
