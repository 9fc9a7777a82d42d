// Miniflare behind the rehearsal: the account's databases, namespaces and buckets, and the deployed Worker with these
// bindings.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from "wrangler";
import { limits } from "./limits.mjs";

const here = import.meta.dirname;
const kinds = {
  "application/javascript+module": "ESModule",
  "application/wasm": "CompiledWasm",
  "text/plain": "Text",
  "application/octet-stream": "Data",
};

/** A lock: many may pass at a time, or one alone; the others wait. */
class Gate {
  #inside = 0;
  #alone = Promise.resolve();
  #emptied = () => {};

  async pass(run) {
    for (let seen; seen !== this.#alone; ) await (seen = this.#alone);
    this.#inside++;
    try {
      return await run();
    } finally {
      if (--this.#inside === 0) this.#emptied();
    }
  }

  async passAlone(run) {
    const before = this.#alone;
    let open;
    this.#alone = new Promise((done) => (open = done));
    try {
      await before;
      if (this.#inside) await new Promise((done) => (this.#emptied = () => done(null)));
      return await run();
    } finally {
      open();
    }
  }
}

export class Host {
  #miniflare;
  #folder;
  #worker;
  #print;
  gate = new Gate();

  constructor(folder, print) {
    this.#folder = folder;
    this.#print = print;
  }

  /** Serves these resources and this version of a Worker (or none), in place of the earlier ones. */
  async serve({ databases, namespaces, buckets }, version) {
    const storage = {
      name: "storage",
      modules: [{ type: "ESModule", path: "storage.js", contents: readFileSync(join(here, "storage.js"), "utf8") }],
      compatibilityDate: "2026-05-01",
      d1Databases: Object.fromEntries(databases.map((id) => [`d1 ${id}`, { id }])),
      kvNamespaces: Object.fromEntries(namespaces.map((id) => [`kv ${id}`, { id }])),
      r2Buckets: Object.fromEntries(buckets.map((name) => [`r2 ${name}`, { id: name }])),
    };
    /** @type {any} the types of miniflare want the path of a script */
    const given = {
      host: "127.0.0.1",
      port: 0,
      cf: false,
      logRequests: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: ({ level, message }) => level === "error" && this.#print(message.split("\n")[0]),
      resourcePersistencePath: join(this.#folder, "v3"),
      telemetry: { enabled: false },
      workers: version ? [workerOf(version), storage] : [storage],
    };
    const options = convertV4MiniflareOptions(given);
    await this.gate.passAlone(async () => {
      if (this.#miniflare) await this.#miniflare.setOptions(options);
      else this.#miniflare = new Miniflare(options);
      this.#worker = version && (await this.#miniflare.ready);
    });
  }

  /** The address of the deployed Worker, behind the gate. */
  get worker() {
    return this.#worker;
  }

  /** The storage Worker's answer to an operation. Throws if it is an error. */
  async ask(operation, given) {
    const { value, error } = await this.gate.pass(async () => {
      const storage = await this.#miniflare.getWorker("storage");
      const answer = await storage.fetch("http://storage/", { method: "POST", body: JSON.stringify({ operation, ...given }) });
      return await answer.json();
    });
    if (error !== undefined) throw new Error(error);
    return value;
  }

  async stop() {
    await this.#miniflare?.dispose();
  }
}

/** Miniflare's options for an uploaded version; wrangler's own reader reads the configuration. */
function workerOf({ name, folder, metadata, modules, bindings, assets }) {
  const of = (type, make) => Object.fromEntries(bindings.filter((binding) => binding.type === type).map(make));
  // the Worker's binding for static files
  const files = bindings.find((binding) => binding.type === "assets");
  const file = join(folder, "wrangler.json");
  writeFileSync(
    file,
    JSON.stringify({
      name,
      main: `modules/${metadata.main_module}`,
      compatibility_date: metadata.compatibility_date,
      compatibility_flags: metadata.compatibility_flags,
      ...(assets && { assets: { directory: "assets", ...(files && { binding: files.name }), ...assets.options } }),
    }),
  );
  const { workerOptions } = workerOptionsOf(file);
  const uploaded = modules.map(({ name: path, type }) => ({
    type: kinds[type] ?? "Data",
    path,
    contents: readFileSync(join(folder, "modules", path)),
  }));
  const entry = readFileSync(join(here, "entry.js"), "utf8")
    .replaceAll("UPLOADED", metadata.main_module)
    .replace("LIMITS", JSON.stringify(limits));
  return {
    ...workerOptions,
    name,
    modulesRoot: "/",
    modules: [
      { type: "ESModule", path: "/rehearsal-entry.js", contents: entry },
      ...uploaded.map((module) => ({ ...module, path: join("/", module.path) })),
    ],
    bindings: {
      ...of("plain_text", ({ name, text }) => [name, text]),
      ...of("secret_text", ({ name, text }) => [name, text]),
      ...of("json", ({ name, json }) => [name, json]),
    },
    d1Databases: of("d1", ({ name, id, database_id }) => [name, { id: id ?? database_id }]),
    kvNamespaces: of("kv_namespace", ({ name, namespace_id }) => [name, { id: namespace_id }]),
    ratelimits: of("ratelimit", ({ name, namespace_id, simple }) => [name, { namespace_id, simple }]),
    r2Buckets: of("r2_bucket", ({ name, bucket_name }) => [name, { id: bucket_name }]),
  };
}

/** Writes a file and the folders it is in. */
export function put(file, contents) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, contents);
}

/** The content of a JSON file, or the default if it is missing. */
export const read = (file, otherwise) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : otherwise);

export const remove = (path) => rmSync(path, { recursive: true, force: true });
