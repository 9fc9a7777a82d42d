// A D1 database to read and to import into: the deployed one through Cloudflare's API, or a local one on workerd.
//
//   const database = await open({ name: undefined, state: undefined })   // with `state`, a folder: local
//   await database.query(["select ..", "select .."])                 // one transaction; an array of rows for each
//   await database.apply("file.sql")                                 // the whole file or nothing
//   await database.close()
import { mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { configuration, wrangler, wranglerJson } from "../cloudflare.mjs";
import { splitWholly } from "./split.mjs";

const TRIES = 6;

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
      resourcePersistencePath,
      ...bindings,
    }),
  );
}

/** A local database is a file. SQLite refuses at once if another process is writing. */
async function patiently(act) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if (attempt === TRIES || !/SQLITE_BUSY/.test(error.message)) throw error;
      await pause(100 * 2 ** attempt);
    }
  }
}

class Deployed {
  title = "";
  #name;
  #url;
  #headers;

  static async open(given) {
    const self = new Deployed();
    const { account: configured, database } = configuration();
    const other = given && given !== database.binding;
    const base = process.env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";
    self.#headers = { "Content-Type": "application/json", ...(await credentials()) };
    const account = process.env.CLOUDFLARE_ACCOUNT_ID ?? configured ?? (await onlyAccount());
    const databases = `${base}/accounts/${account}/d1/database`;
    // found by id or name; the paths below need the id
    const { uuid, name } = await self.#ask("GET", `${databases}/${encodeURIComponent(other ? given : (database.id ?? database.name))}`);
    self.#url = `${databases}/${uuid}`;
    self.#name = other ? given : database.binding;
    self.title = `the deployed database ${name}`;
    return self;
  }

  async query(statements) {
    const results = await this.#ask("POST", `${this.#url}/query`, { sql: statements.join(";\n") });
    return results.map(({ results }) => results);
  }

  /** Uses the import API: it accepts triggers, which the query API refuses, and blocks other queries meanwhile. */
  async apply(file) {
    const { ok, reason } = await wrangler(["d1", "execute", this.#name, "--remote", "--yes", "--file", resolve(file)]);
    if (!ok) throw new Error(reason);
  }

  async close() {}

  /** Cloudflare's answer. Requests are repeated if the network or the server fails; none of them writes twice. */
  async #ask(method, url, body) {
    for (let attempt = 1; ; attempt++) {
      let failure;
      let wait = 500 * 2 ** attempt;
      try {
        const answer = await fetch(url, {
          method,
          headers: this.#headers,
          body: body && JSON.stringify(body),
          signal: AbortSignal.timeout(120_000),
        });
        const { success, result, errors } = await answer.json();
        if (answer.ok && success) return result;
        failure = new Error(errors?.map(({ message }) => message).join("; ") || `Cloudflare's API answered ${answer.status}`);
        failure.final = answer.status < 500 && answer.status !== 429;
        wait = 1000 * Number(answer.headers.get("Retry-After")) || wait;
      } catch (error) {
        failure = new Error(`Cloudflare's API cannot be reached: ${error.cause?.message ?? error.message}`);
      }
      if (failure.final || attempt === TRIES) throw failure;
      await pause(wait);
    }
  }
}

/** The headers of wrangler's own login: CLOUDFLARE_API_TOKEN, or that of `wrangler login`. */
async function credentials() {
  const { token, key, email } = await wranglerJson(["auth", "token", "--json"]);
  return token ? { Authorization: `Bearer ${token}` } : { "X-Auth-Key": key, "X-Auth-Email": email };
}

async function onlyAccount() {
  const { accounts = [] } = await wranglerJson(["whoami", "--json"]);
  if (accounts.length === 1) return accounts[0].id;
  throw new Error(
    `the login has several accounts: set CLOUDFLARE_ACCOUNT_ID to one of: ${accounts.map(({ id, name }) => `${id} (${name})`).join(", ")}`,
  );
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
