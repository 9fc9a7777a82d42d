// Wraps the uploaded Worker and refuses what production's D1 refuses but workerd alone accepts. The Worker gets its
// real bindings, each D1 inside a proxy.
// @ts-expect-error: host.mjs writes the name
import Uploaded from "./UPLOADED";
// @ts-expect-error: the same
export * from "./UPLOADED";

// @ts-expect-error: host.mjs writes them
const limits = LIMITS;
const refuse = (text) => {
  throw new Error(`D1_ERROR: ${text}`, { cause: new Error(text) });
};
const bytes = (text) => new TextEncoder().encode(text).length;
const known = new Set();

/** A real object with some methods replaced. */
function replaced(object, methods) {
  return new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return methods[name];
      const value = target[name];
      return typeof value === "function" && name !== "constructor" ? value.bind(target) : value;
    },
  });
}

/** Checks each statement, and counts the statements of the current requests. */
const real = new WeakMap();
let underWay = 0;
let allowed = 0;
let spent = 0;

/**
 * Gives a request its allowance of statements. A Worker may keep a binding between requests, so a statement does not
 * identify its request: requests at the same time share their allowances.
 */
async function within(run) {
  if (underWay++ === 0) allowed = spent = 0;
  allowed += limits.statements;
  try {
    return await run();
  } finally {
    underWay--;
  }
}

async function spend(count, run) {
  spent += count;
  if (spent > allowed) refuse(`Too many API requests by single Worker invocation: ${spent} statements.`);
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(
      () => fail(new Error("D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.")),
      limits.querySeconds * 1000,
    );
  });
  return await Promise.race([run(), late]).finally(() => clearTimeout(timer));
}

function statement(bare) {
  const methods = {
    bind: (...values) => {
      if (values.length > limits.binds) refuse(`too many SQL variables: ${values.length}`);
      if (values.some((value) => typeof value === "string" && bytes(value) > limits.valueBytes))
        refuse("string or blob too big: SQLITE_TOOBIG");
      return statement(bare.bind(...values));
    },
  };
  for (const name of ["run", "all", "raw", "first"]) methods[name] = (...given) => spend(1, () => bare[name](...given));
  const proxy = replaced(bare, methods);
  real.set(proxy, bare);
  return proxy;
}

function database(bare) {
  return replaced(bare, {
    prepare: (sql) => {
      if (!known.has(sql) && bytes(sql) > limits.sqlBytes) refuse("statement too long: SQLITE_TOOBIG");
      known.add(sql);
      return statement(bare.prepare(sql));
    },
    batch: (proxies) => spend(proxies.length, () => bare.batch(proxies.map((proxy) => real.get(proxy)))),
    exec: (sql) => spend(sql.split("\n").length, () => bare.exec(sql)),
    withSession: (...given) => database(bare.withSession(...given)),
  });
}

/** An environment with checked databases. */
function limited(env) {
  const databases = new Map();
  return new Proxy(env, {
    get(target, name) {
      const value = target[name];
      if (!["D1Database", "D1DatabaseSession"].includes(value?.constructor?.name)) return value;
      if (!databases.has(name)) databases.set(name, database(value));
      return databases.get(name);
    },
  });
}

/** For a Worker written as a class. */
const limitedClass = () =>
  class extends Uploaded {
    constructor(context, env) {
      super(context, limited(env));
    }

    fetch(request) {
      return within(() => super.fetch(request));
    }
  };

const limitedObject = () => ({
  ...Uploaded,
  fetch: (request, env, context) => within(() => Uploaded.fetch(request, limited(env), context)),
});

export default typeof Uploaded === "function" ? limitedClass() : limitedObject();
