// Stands before the uploaded Worker and refuses what D1 refuses in production but workerd alone does not. It changes nothing else:
// the Worker gets its real bindings, each D1 inside a proxy.
import Uploaded from "./UPLOADED";
export * from "./UPLOADED";

const limits = LIMITS;
const refuse = (text) => {
  throw new Error(`D1_ERROR: ${text}`, { cause: new Error(text) });
};
const bytes = (text) => new TextEncoder().encode(text).length;
const known = new Set();

/** A real object whose methods are replaced by those of the same name. */
function replaced(object, methods) {
  return new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return methods[name];
      const value = target[name];
      return typeof value === "function" && name !== "constructor" ? value.bind(target) : value;
    },
  });
}

/** One request's count of statements, and the checks of each. */
class Budget {
  statements = 0;
  real = new WeakMap();

  async spend(count, run) {
    this.statements += count;
    if (this.statements > limits.statements) refuse(`Too many API requests by single Worker invocation: ${this.statements} statements.`);
    let timer;
    const late = new Promise((_, fail) => {
      timer = setTimeout(() => fail(new Error("D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.")), limits.querySeconds * 1000);
    });
    return await Promise.race([run(), late]).finally(() => clearTimeout(timer));
  }

  statement(real) {
    const methods = {
      bind: (...values) => {
        if (values.length > limits.binds) refuse(`too many SQL variables: ${values.length}`);
        if (values.some((value) => typeof value === "string" && bytes(value) > limits.valueBytes)) refuse("string or blob too big: SQLITE_TOOBIG");
        return this.statement(real.bind(...values));
      },
    };
    for (const name of ["run", "all", "raw", "first"]) methods[name] = (...given) => this.spend(1, () => real[name](...given));
    const proxy = replaced(real, methods);
    this.real.set(proxy, real);
    return proxy;
  }

  database(real) {
    return replaced(real, {
      prepare: (sql) => {
        if (!known.has(sql) && bytes(sql) > limits.sqlBytes) refuse("statement too long: SQLITE_TOOBIG");
        known.add(sql);
        return this.statement(real.prepare(sql));
      },
      batch: (proxies) => this.spend(proxies.length, () => real.batch(proxies.map((proxy) => this.real.get(proxy)))),
      exec: (sql) => this.spend(sql.split("\n").length, () => real.exec(sql)),
      withSession: (...given) => this.database(real.withSession(...given)),
    });
  }

  limited(env) {
    const databases = new Map();
    return new Proxy(env, {
      get: (target, name) => {
        const value = target[name];
        if (!["D1Database", "D1DatabaseSession"].includes(value?.constructor?.name)) return value;
        if (!databases.has(name)) databases.set(name, this.database(value));
        return databases.get(name);
      },
    });
  }
}

/** For a Worker written as a class; its constructor runs once per request. */
const limitedClass = () =>
  class extends Uploaded {
    constructor(context, env) {
      super(context, new Budget().limited(env));
    }
  };

const limitedObject = () => ({ ...Uploaded, fetch: (request, env, context) => Uploaded.fetch(request, new Budget().limited(env), context) });

export default typeof Uploaded === "function" ? limitedClass() : limitedObject();
