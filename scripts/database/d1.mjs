// A D1 database to read from and to import into: the deployed one, over Cloudflare's API, or a local one on workerd.
//
//   const database = await open({ name: "DB", state: undefined })   // with `state`, a folder: local
//   await database.query(["select ..", "select .."])                 // one transaction; an array of rows for each
//   await database.apply("file.sql")                                 // all of the file or nothing
//   await database.close()
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { configured, wrangler } from "./wrangler.mjs";

/** How often a question is asked before its failure is believed. */
const TRIES = 6;

const pause = (millis) => new Promise((done) => setTimeout(done, millis));

export function open({ name = "DB", state }) {
  return state === undefined ? Deployed.open(name) : Local.open(name, resolve(state));
}

class Deployed {
  #name;
  #url;
  #headers;

  static async open(name) {
    const self = new Deployed();
    const { account_id, database_id, database_name } = configured(name);
    const base = process.env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";
    self.#headers = { "Content-Type": "application/json", ...(await credentials()) };
    const account = process.env.CLOUDFLARE_ACCOUNT_ID ?? account_id ?? (await onlyAccount());
    self.#url = `${base}/accounts/${account}/d1/database/${encodeURIComponent(database_id ?? database_name ?? name)}`;
    // the API finds a database by its id or its name; the paths below it want the id
    const { uuid, name: called } = await self.#ask("GET", self.#url);
    self.#url = `${base}/accounts/${account}/d1/database/${uuid}`;
    self.#name = name;
    self.title = `the deployed database ${called}`;
    return self;
  }

  async query(statements) {
    const results = await this.#ask("POST", `${this.#url}/query`, { sql: statements.join(";\n") });
    return results.map(({ results }) => results);
  }

  /** By the import API, which takes what the query API does not (triggers, for one) and lets nobody else in meanwhile. */
  async apply(file) {
    await wrangler("d1", "execute", this.#name, "--remote", "--yes", "--file", resolve(file));
  }

  async close() {}

  /** What the API answers; asked again where the network or the server failed, since nothing asked here writes twice. */
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

/** Headers of the login that wrangler would use: CLOUDFLARE_API_TOKEN, or that of `wrangler login`. */
async function credentials() {
  const { token, key, email } = JSON.parse(await wrangler("auth", "token", "--json"));
  return token ? { Authorization: `Bearer ${token}` } : { "X-Auth-Key": key, "X-Auth-Email": email };
}

async function onlyAccount() {
  const { accounts = [] } = JSON.parse(await wrangler("whoami", "--json"));
  if (accounts.length === 1) return accounts[0].id;
  throw new Error(`which account? Set CLOUDFLARE_ACCOUNT_ID to one of: ${accounts.map(({ id, name }) => `${id} (${name})`).join(", ")}`);
}

class Local {
  #name;
  #state;
  #server;
  #database;

  static async open(name, state) {
    const self = new Local();
    const { preview_database_id, database_id, binding } = configured(name);
    if (!binding) throw new Error(`wrangler.toml has no database ${name}`);
    mkdirSync(state, { recursive: true });
    self.#server = new Miniflare(
      convertV4MiniflareOptions({
        modules: true,
        script: "",
        log: new Log(LogLevel.NONE),
        telemetry: { enabled: false },
        resourcePersistencePath: join(state, "v3"),
        // the id by which wrangler names the local file
        d1Databases: { DATABASE: preview_database_id ?? database_id ?? binding },
      }),
    );
    self.#database = await self.#server.getD1Database("DATABASE");
    self.#name = name;
    self.#state = state;
    self.title = `the database in ${state}`;
    return self;
  }

  async query(statements) {
    const results = await this.#database.batch(statements.map((statement) => this.#database.prepare(statement)));
    return results.map(({ results }) => results);
  }

  async apply(file) {
    await wrangler("d1", "execute", this.#name, "--local", "--persist-to", this.#state, "--yes", "--file", resolve(file));
  }

  async close() {
    await this.#server.dispose();
  }
}
