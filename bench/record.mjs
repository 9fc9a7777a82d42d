// Our own built Worker, with a note of every batch it sends to D1 and of the rows that come back: GET /recorded answers
// with those since the last time it was asked. This is how the yardstick comes by exactly the same SQL.
import Worker from "../build/index.js";

let batches = [];

function noting(database) {
  return new Proxy(database, {
    get(target, name) {
      const member = Reflect.get(target, name, target);
      if (typeof member !== "function" || name === "constructor") return member;
      if (name !== "batch") return member.bind(target);
      return async (statements) => {
        const batch = { statements: statements.map(({ statement, params }) => ({ sql: statement, binds: params })) };
        batches.push(batch);
        const answers = await target.batch(statements);
        batch.rows = answers.map(({ results }) => results.map((row) => Object.values(row)[0]));
        return answers;
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
