// The parts of D1's REST API that wrangler uses: databases, the query, import and export APIs, bookmarks.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { splitNarrowly, splitWholly } from "../database/split.mjs";
import { paged } from "./account.mjs";
import { Plain, Refusal } from "./api.mjs";
import { put } from "./host.mjs";
import { limits } from "./limits.mjs";

/** Checks D1's own limits, before SQLite gets a statement. */
function check({ sql, params = [] }) {
  if (Buffer.byteLength(sql) > limits.sqlBytes) throw new Error("statement too long: SQLITE_TOOBIG");
  if (params.length > limits.binds) throw new Error("too many SQL variables at offset 0: SQLITE_ERROR");
  if (params.some((value) => Buffer.byteLength(String(value)) > limits.valueBytes))
    throw new Error("string or blob too big: SQLITE_TOOBIG");
}

export function d1Routes(account, host) {
  const base = "/accounts/:account/d1/database";

  function find(nameOrId) {
    const found = account.databases.find(({ uuid, name }) => uuid === nameOrId || name === nameOrId);
    if (!found) throw new Refusal(404, 7404, `The database ${nameOrId} could not be found`);
    return found;
  }

  /** Runs statements as one transaction, within the limits of one request. */
  async function run(database, statements, most = limits.statements) {
    try {
      if (statements.length > most) throw new Error(`Too many statements in one request: ${statements.length}`);
      statements.forEach(check);
      return await host.ask("batch", { database, statements });
    } catch (error) {
      throw new Refusal(400, 7500, error.message);
    }
  }

  async function query({ path, json }) {
    const { uuid } = find(path.id);
    const { sql, params, batch } = json();
    const asked = batch ?? [{ sql, params }];
    const statements = asked.flatMap((one) => splitNarrowly(one.sql).map((piece) => ({ sql: piece, params: one.params })));
    if (!statements.length) throw new Refusal(400, 7500, "The request is malformed: no SQL");
    return await run(uuid, statements);
  }

  const uploadOf = (id, etag) => join(account.folder, "imports", id, `${etag}.sql`);

  /** Applies an uploaded file as a whole, or nothing of it. */
  async function ingest(uuid, etag) {
    const statements = [...splitWholly(readFileSync(uploadOf(uuid, etag), "utf8"))].map((sql) => ({ sql }));
    try {
      const started = performance.now();
      const results = await run(uuid, statements, Infinity);
      const sum = (name) => results.reduce((total, { meta }) => total + (meta[name] ?? 0), 0);
      const meta = {
        duration: performance.now() - started,
        rows_read: sum("rows_read"),
        rows_written: sum("rows_written"),
        size_after: results.at(-1)?.meta.size_after ?? 0,
      };
      return {
        success: true,
        type: "import",
        status: "complete",
        at_bookmark: account.nextBookmark(),
        messages: [`Processed ${results.length} queries.`],
        result: { num_queries: results.length, final_bookmark: account.nextBookmark(), meta },
      };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { success: false, type: "import", status: "error", error: error.message, errors: [error.message], messages: [] };
    }
  }

  const running = new Map();

  /** The steps of an import: init, upload, ingest, and poll until it is done. */
  async function importFile({ path, json, origin }) {
    const { uuid } = find(path.id);
    const { action, etag, filename, current_bookmark } = json();
    const begin = (file) => {
      const bookmark = account.nextBookmark();
      running.set(bookmark, ingest(uuid, file));
      return { success: true, type: "import", status: "active", at_bookmark: bookmark, messages: [] };
    };
    if (action === "init") {
      if (!/^[0-9a-f]{32}$/.test(etag ?? "")) throw new Refusal(400, 7400, "etag is no MD5");
      if (existsSync(uploadOf(uuid, etag))) return begin(etag);
      return { upload_url: `${origin}/rehearsal/imports/${uuid}/${etag}`, filename: `${etag}.sql` };
    }
    if (action === "ingest") {
      if (filename !== `${etag}.sql` || !existsSync(uploadOf(uuid, etag))) throw new Refusal(400, 7400, "no such upload");
      return begin(etag);
    }
    if (action === "poll" && running.has(current_bookmark)) return await running.get(current_bookmark);
    throw new Refusal(400, 7400, "nothing is being imported");
  }

  function upload({ path, bytes }) {
    const etag = createHash("md5").update(bytes).digest("hex");
    if (etag !== path.etag) return new Plain(400, {}, "the file is not what its MD5 says");
    put(uploadOf(path.id, etag), bytes);
    return new Plain(200, { ETag: `"${etag}"` }, "");
  }

  async function exportFile({ path, json, origin }) {
    const { uuid } = find(path.id);
    const { current_bookmark, dump_options = {} } = json();
    if (!current_bookmark)
      return { success: true, type: "export", status: "active", at_bookmark: account.nextBookmark(), messages: ["Generating export"] };
    const lines = await host.ask("dump", {
      database: uuid,
      noSchema: !!dump_options.no_schema,
      noData: !!dump_options.no_data,
      tables: dump_options.tables ?? [],
    });
    const filename = `${current_bookmark}.sql`;
    put(join(account.folder, "exports", filename), lines.join("\n"));
    return {
      success: true,
      type: "export",
      status: "complete",
      at_bookmark: account.nextBookmark(),
      messages: [],
      result: { filename, signed_url: `${origin}/rehearsal/exports/${filename}` },
    };
  }

  async function create({ json }) {
    const { name, primary_location_hint, jurisdiction } = json();
    if (account.databases.some((database) => database.name === name))
      throw new Refusal(400, 7502, `A database with the name ${name} already exists`);
    const database = {
      uuid: randomUUID(),
      name,
      version: "production",
      created_at: new Date().toISOString(),
      created_in_region: (primary_location_hint ?? "weur").toUpperCase(),
      jurisdiction: jurisdiction ?? null,
    };
    account.databases.push(database);
    await account.changed();
    return database;
  }

  async function info({ path }) {
    const database = find(path.id);
    const [tables] = await run(database.uuid, [{ sql: "select count(*) as n from sqlite_master where type = 'table'" }]);
    return {
      ...database,
      num_tables: tables.results[0].n,
      file_size: tables.meta.size_after,
      running_in_region: database.created_in_region,
      read_replication: { mode: "disabled" },
    };
  }

  return {
    [`GET ${base}`]: ({ query: asked }) =>
      paged(
        account.databases.filter(({ name }) => !asked.get("name") || name === asked.get("name")),
        asked,
      ),
    [`POST ${base}`]: create,
    [`GET ${base}/:id`]: info,
    [`DELETE ${base}/:id`]: async ({ path }) => {
      const { uuid } = find(path.id);
      account.databases = account.databases.filter((database) => database.uuid !== uuid);
      await account.changed();
    },
    [`POST ${base}/:id/query`]: query,
    [`POST ${base}/:id/raw`]: async (call) =>
      (await query(call)).map(({ results, ...rest }) => ({
        ...rest,
        results: { columns: Object.keys(results[0] ?? {}), rows: results.map(Object.values) },
      })),
    [`POST ${base}/:id/import`]: importFile,
    [`POST ${base}/:id/export`]: exportFile,
    [`GET ${base}/:id/time_travel/bookmark`]: ({ path }) => find(path.id) && { bookmark: account.nextBookmark() },
    "PUT /rehearsal/imports/:id/:etag": upload,
    "GET /rehearsal/exports/:name": ({ path }) =>
      new Plain(200, { "Content-Type": "application/sql" }, readFileSync(join(account.folder, "exports", path.name.replaceAll("/", "")))),
  };
}
