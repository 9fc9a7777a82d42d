// A served Worker that an experiment starts, sends requests, kills, and whose database it opens.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export const token = "token-of-the-administrator";
export const pause = (millis) => new Promise((done) => setTimeout(done, millis));

/** The port on which a server listens. */
export const portOf = (server) => server.address().port;

export async function freePort() {
  const listener = createServer();
  await new Promise((done) => listener.listen(0, "127.0.0.1", () => done(listener)));
  const port = portOf(listener);
  await new Promise((done) => listener.close(done));
  return port;
}

/** The processor time in milliseconds that these processes have used, where there is a /proc. */
export function processorOf(pids) {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /, "").split(" ");
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * 10;
}

/** The file of the local D1 in a folder of state, if it has one. */
export function databaseFile(state) {
  const folder = join(state, "v3/d1/miniflare-D1DatabaseObject");
  const file = existsSync(folder) && readdirSync(folder).find((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  return file ? join(folder, file) : undefined;
}

/**
 * The local D1 of a folder of state, opened as a SQLite file.
 * @returns {any} a DatabaseSync, whose rows have values of any type
 */
export function database(state, options = {}) {
  const file = databaseFile(state);
  if (!file) throw new Error(`${state} has no database: scripts/prepare ${state} makes one`);
  return new DatabaseSync(file, options);
}

/** Serves build/ with that state, on a free port or the given one, with more arguments for serve.mjs. */
export async function serve(state, port = 0, more = []) {
  const file = join(state, "address");
  rmSync(file, { force: true });
  const settings = [
    "--state",
    state,
    "--address",
    file,
    "--port",
    String(port),
    "--quiet",
    "--bare",
    "--var",
    `ADMIN_TOKEN=${token}`,
    ...more,
  ];
  const child = spawn(process.execPath, ["scripts/serve.mjs", ...settings], {
    stdio: "ignore",
    env: { ...process.env, WRANGLER_LOG: "error" },
  });
  const ended = new Promise((done) => child.once("exit", done));
  // also when an exception ends this process
  process.once("exit", () => child.kill());
  for (let waited = 0; !existsSync(file); waited++) {
    if (waited > 600 || child.exitCode !== null) throw new Error("the Worker did not start");
    await pause(100);
  }
  return new Served(child, ended, readFileSync(file, "utf8"));
}

class Served {
  #child;
  #ended;
  #pids;

  constructor(child, ended, address) {
    this.#child = child;
    this.#ended = ended;
    this.address = address;
    this.port = Number(new URL(address).port);
  }

  /** The process that started workerd. */
  get pid() {
    return this.#child.pid;
  }

  get workerds() {
    const children = execFileSync("ps", ["-o", "pid=,comm=", "--ppid", String(this.#child.pid)], { encoding: "utf8" });
    const found = [...children.matchAll(/(\d+) workerd/g)].map(([, pid]) => Number(pid));
    if (!found.length) throw new Error(`no workerd among ${children}`);
    return found;
  }

  /** The processor time in milliseconds that workerd has used, for the database, too; 0 where there is no /proc. */
  get processor() {
    this.#pids ??= this.workerds.filter((pid) => existsSync(`/proc/${pid}/stat`));
    return processorOf(this.#pids);
  }

  async stop() {
    this.#child.kill("SIGTERM");
    await this.#ended;
  }

  /** Kills workerd at once, then its parent. */
  async kill() {
    this.workerds.forEach((pid) => process.kill(pid, "SIGKILL"));
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  /** Status, body and D1's work; status 0 if the connection broke. */
  async ask(who, method, path, body) {
    try {
      const answer = await fetch(`${this.address}/api/v3${path}`, {
        method,
        headers: { "PRIVATE-TOKEN": who, "Content-Type": "application/json" },
        body: body && JSON.stringify(body),
      });
      const text = await answer.text();
      const timing = answer.headers.get("Server-Timing") ?? "";
      const [, trips, rows] = /trips;desc="(\d+)", rows_read;desc="(\d+)"/.exec(timing) ?? [];
      const [, written] = /rows_written;desc="(\d+)"/.exec(timing) ?? [];
      return {
        status: answer.status,
        json: text ? JSON.parse(text) : null,
        trips: Number(trips),
        rows: Number(rows),
        written: Number(written),
      };
    } catch {
      return { status: 0, json: null };
    }
  }

  /** What a POST creates. */
  async make(path, body, who = token) {
    const { status, json } = await this.ask(who, "POST", path, body);
    if (status !== 201 && status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  }
}

/** Prints whether a check holds, and counts failures. */
export class Findings {
  broken = 0;

  check(holds, text) {
    if (!holds) this.broken++;
    console.log(`${holds ? "  ok  " : "BROKEN"} ${text}`);
  }

  /** Prints the last line, and returns the exit code. */
  end() {
    console.log(this.broken ? `${this.broken} broken` : "all held");
    process.exit(this.broken ? 1 : 0);
  }
}
