// Our own built Worker, with a note of every batch it sends to D1: GET /recorded answers with those since the last time it was asked. This is how the yardstick comes by exactly the same SQL.
import Worker from "../build/index.js";

let batches = [];

function noting(database) {
  return new Proxy(database, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function" || name === "constructor") return member;
      if (name !== "batch") return member.bind(target);
      return (statements) => {
        const batch = { statements: statements.map(({ statement, params }) => ({ sql: statement, binds: params })) };
        batches.push(batch);
        return target.batch(statements);
      };
    },
  });
}

export default {
  fetch(request, env) {
    if (new URL(request.url).pathname !== "/recorded") return Worker.fetch(request, { ...env, DB: noting(env.DB) });
    const recorded = Response.json(batches);
    batches = [];
    return recorded;
  },
};
