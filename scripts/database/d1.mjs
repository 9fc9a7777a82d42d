// A D1 database to read and to import into: the deployed one through Cloudflare's API, or a local one on workerd.
//
//   const database = await open({ name: undefined, state: undefined })   // with `state`, a folder: local
//   await database.query(["select ..", "select .."])                 // one transaction; an array of rows for each
//   await database.apply("file.sql")                                 // the whole file or nothing
//   await database.close()
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { configuration, wrangler } from "../cloudflare.mjs";
import { Api } from "./api.mjs";
import { splitWholly } from "./split.mjs";

/** How long a local database may be busy, in milliseconds. */
const PATIENCE = 60_000;

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

/**
 * Opens the configured database, or another deployed one by its name.
 * @param {{ name?: string, state?: string }} where
 */
export async function open({ name, state }) {
  if (state === undefined) return await Deployed.open(name);
  const { binding } = configuration().database;
  if (name && name !== binding)
    throw new Error(`a local state only has the database ${binding}: leave out --database, or name another folder with --state`);
  mkdirSync(state, { recursive: true });
  return new Local(state, await bound(state, { d1Databases: { DATABASE: configuration().database.local } }));
}

/**
 * A runtime with bindings to the databases and namespaces in a folder of state, which it makes.
 * @returns {Promise<any>} a Miniflare, whose types lack what only a bound runtime has
 */
export async function bound(state, bindings) {
  const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = await import("miniflare");
  const resourcePersistencePath = join(resolve(state), "v3");
  return new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "",
      log: new Log(LogLevel.NONE),
      telemetry: { enabled: false },
      // a busy database is tried again, and needs no stack of workerd
      handleStructuredLogs: () => {},
      resourcePersistencePath,
      ...bindings,
    }),
  );
}

/**
 * A local database is a file. SQLite refuses at once if another process is writing, as a server does for some reads, too.
 * workerd then ends the transaction, and says "commit token" or only "internal error".
 */
async function patiently(act) {
  for (const until = Date.now() + PATIENCE; ; ) {
    try {
      return await act();
    } catch (error) {
      if (Date.now() > until || !/SQLITE_BUSY|session commit token|internal error/.test(error.message)) throw error;
      await pause(50 + 200 * Math.random());
    }
  }
}

class Deployed {
  title = "";
  #name;
  #api;
  #path;

  static async open(given) {
    const self = new Deployed();
    const { account, database } = configuration();
    const other = given && given !== database.binding;
    self.#api = await Api.open(account);
    // found by id or name; the paths below need the id
    const wanted = encodeURIComponent(other ? given : (database.id ?? database.name));
    const { uuid, name } = await self.#api.ask("GET", `/d1/database/${wanted}`);
    self.#path = `/d1/database/${uuid}`;
    self.#name = other ? given : database.binding;
    self.title = `the deployed database ${name}`;
    return self;
  }

  async query(statements) {
    const results = await this.#api.ask("POST", `${this.#path}/query`, { sql: statements.join(";\n") });
    return results.map(({ results }) => results);
  }

  /** Uses the import API: it accepts triggers, which the query API refuses, and blocks other queries meanwhile. */
  async apply(file) {
    const { ok, reason } = await wrangler(["d1", "execute", this.#name, "--remote", "--yes", "--file", resolve(file)]);
    if (!ok) throw new Error(reason);
  }

  async close() {}
}

class Local {
  #server;
  #database;

  constructor(state, server) {
    this.#server = server;
    this.title = `the database in ${resolve(state)}`;
  }

  async query(statements) {
    this.#database ??= await this.#server.getD1Database("DATABASE");
    const results = await patiently(() => this.#database.batch(statements.map((statement) => this.#database.prepare(statement))));
    return results.map(({ results }) => results);
  }

  /** One transaction of statements within D1's limits, as `wrangler d1 execute --local --file` sends it. */
  async apply(file) {
    await this.query([...splitWholly(readFileSync(file, "utf8"))]);
  }

  async close() {
    await this.#server.dispose();
  }
}
