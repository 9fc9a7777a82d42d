// Each limit of production: the largest allowed value passes, one more is refused.
import { randomBytes } from "node:crypto";
import { limits as known } from "../limits.mjs";

/** A Worker that runs the SQL of its request. */
const asker = `export default {
  async fetch(request, env) {
    const { sql, binds = [], times = 1, size = 0 } = await request.json();
    const values = size ? ["x".repeat(size)] : binds;
    try {
      const prepared = env.DB.prepare(sql).bind(...values);
      const results = await env.DB.batch(Array.from({ length: times }, () => prepared));
      return Response.json({ rows: results.length });
    } catch (error) {
      return Response.json({ refused: error.message });
    }
  },
};`;

/** An upload form of a Worker with one module, and one more of random bytes to add size. */
function form(main, bindings, weight = 0) {
  const upload = new FormData();
  upload.set("metadata", JSON.stringify({ main_module: "main.js", compatibility_date: "2026-05-01", bindings }));
  upload.set("main.js", new File([main], "main.js", { type: "application/javascript+module" }));
  if (weight) upload.set("weight.bin", new File([randomBytes(weight)], "weight.bin", { type: "application/octet-stream" }));
  return upload;
}

const questions = (binds) => `select ${Array.from({ length: binds }, (_, at) => `?${at + 1}`).join(" + ")} as v`;
const union = (terms) => Array.from({ length: terms }, (_, at) => `select ${at}`).join(" union ");

/**
 * Statements at both sides of a limit: the allowed one, the refused one, and the error message.
 * @typedef {{ sql: string, binds?: any[], size?: number }} Question
 * @type {[string, Question, Question, RegExp][]}
 */
const statements = [
  ["100 binds", { sql: questions(100), binds: Array(100).fill(1) }, { sql: questions(101), binds: Array(101).fill(1) }, /variable/i],
  [
    "100,000 bytes of SQL",
    { sql: `select 1 as v --${"x".repeat(99_980)}` },
    { sql: `select 1 as v --${"x".repeat(100_000)}` },
    /too long|TOOBIG/,
  ],
  [
    "2,000,000 bytes a value",
    { sql: "select length(?1) as v", size: 2_000_000 },
    { sql: "select length(?1) as v", size: 2_000_001 },
    /too big/,
  ],
  ["5 terms of a compound select", { sql: union(5) }, { sql: union(6) }, /too many terms/],
  ["an expression of depth 100", { sql: `select ${"1+".repeat(90)}1 as v` }, { sql: `select ${"1+".repeat(110)}1 as v` }, /depth/],
  [
    "a pattern of 50 bytes",
    { sql: `select 'a' like '${"a".repeat(50)}' as v` },
    { sql: `select 'a' like '${"a".repeat(51)}' as v` },
    /pattern too complex/,
  ],
];

const forbidden = [
  "select sqlite_version() as v",
  "pragma journal_mode = delete",
  "attach 'x' as y",
  "begin",
  "savepoint a",
  "vacuum",
  "select load_extension('x') as v",
];

async function ofStatements(world, ask, whose) {
  for (const [text, allowed, over, pattern] of statements) {
    const [passes, refused] = [await ask(allowed), await ask(over)];
    world.check(passes === true && pattern.test(refused), `${whose}: ${text}, and no more`, `${passes} | ${refused}`);
  }
  for (const sql of forbidden) {
    const answer = await ask({ sql });
    world.check(answer !== true, `${whose}: no ${sql}`, answer);
  }
}

export async function limits(world) {
  const { check } = world;
  const { uuid } = (await world.api("POST", "/d1/database", { name: "limits" })).result;
  const { id } = (await world.api("POST", "/storage/kv/namespaces", { title: "limits" })).result;

  /** @param {Question} question */
  const query = async ({ sql, binds, size }) => {
    const { success, errors } = await world.api("POST", `/d1/database/${uuid}/query`, { sql, params: size ? ["x".repeat(size)] : binds });
    return success || errors[0].message;
  };
  await ofStatements(world, query, "the query API");
  const many = await query({ sql: "select 1;".repeat(1_001) });
  check(
    /Too many statements/.test(many) && (await query({ sql: "select 1;".repeat(1_000) })) === true,
    "the query API: 1,000 statements a request, and no more",
    many,
  );

  const bindings = [{ type: "d1", name: "DB", id: uuid }];
  const put = (weight) => world.api("PUT", "/workers/scripts/limits", form(asker, bindings, weight));
  const uploaded = await put();
  check(uploaded.success, "a Worker is taken", JSON.stringify(uploaded.errors));
  const ask = async (question) => (await fetch(world.rehearsal.workerUrl, { method: "POST", body: JSON.stringify(question) })).json();
  const worker = async (question) => {
    const { refused } = await ask(question);
    return refused ?? true;
  };
  await ofStatements(world, worker, "a Worker");
  check(
    (await worker({ sql: "select 1", times: 1_000 })) === true && /Too many/.test(await worker({ sql: "select 1", times: 1_001 })),
    "a Worker: 1,000 statements a request, and no more",
  );

  const lines = [];
  world.rehearsal.onLine = (line) => lines.push(line);
  check(
    (await put(known.workerBytesFree + 1_000)).success && lines.some((line) => /free plan allows 3.00 MiB/.test(line)),
    "a Worker of more than 3 MiB compressed gets a warning about the free plan",
    lines.join("\n"),
  );
  const large = await put(known.workerBytes + 1_000);
  check(
    !large.success && /exceeded the size limit of 10 MiB/.test(large.errors[0].message),
    "and one of more than 10 MiB is refused",
    JSON.stringify(large),
  );
  check((await worker({ sql: "select 1" })) === true, "the Worker before it serves on");
  const unbound = await world.api("PUT", "/workers/scripts/limits", form(asker, [{ type: "d1", name: "DB", id: "nosuch" }]));
  check(/must have a valid `id`/.test(unbound.errors[0]?.message), "a binding to a database that is not there is refused");
  const broken = await world.api("PUT", "/workers/scripts/limits", form("throw new Error('does not start')", bindings));
  check(
    !broken.success && (await worker({ sql: "select 1" })) === true,
    "a Worker that does not start is refused, and the one before it serves on",
    JSON.stringify(broken),
  );

  const value = (bytes) => world.api("PUT", `/storage/kv/namespaces/${id}/bulk`, [{ key: "large", value: "x".repeat(bytes) }]);
  check((await value(known.kvValueBytes)).success, "KV: a value of 25 MiB");
  check(!(await value(known.kvValueBytes + 1)).success, "and no more");
  check(
    !(await world.api("PUT", `/storage/kv/namespaces/${id}/bulk`, [{ key: "k".repeat(513), value: "" }])).success,
    "KV: no key of 513 bytes",
  );

  const session = (size) =>
    world.api("POST", "/workers/scripts/limits/assets-upload-session", { manifest: { "/a": { hash: "0".repeat(32), size } } });
  check(
    (await session(known.assetBytes)).success && !(await session(known.assetBytes + 1)).success,
    "a static file of 25 MiB, and no more",
  );
}
