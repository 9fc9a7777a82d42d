// The built Worker, which also answers /cron: it runs the Cron trigger of each minute, and returns what that cost D1.
import worker from "../../build/index.js";

const sums = {};
const reset = () => Object.assign(sums, { trips: 0, read: 0, written: 0, millis: 0 });
let metered;

/** A database whose batches are counted. The Worker takes only what has the name of the platform's class. */
class D1Database {
  constructor(database) {
    this.database = database;
  }
  prepare(text) {
    return this.database.prepare(text);
  }
  async batch(statements) {
    const outcomes = await this.database.batch(statements);
    sums.trips += 1;
    for (const { meta } of outcomes) {
      sums.read += meta.rows_read ?? 0;
      sums.written += meta.rows_written ?? 0;
      sums.millis += meta.duration ?? 0;
    }
    return outcomes;
  }
}

/** The environment with such a database. The Worker keeps the first database that it gets. */
function counting(env) {
  metered ??= new D1Database(env.DB);
  return { ...env, DB: metered };
}

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== "/cron") return worker.fetch(request, counting(env), context);
    reset();
    const began = Date.now();
    await worker.scheduled({ cron: "* * * * *", scheduledTime: 0 }, counting(env));
    return Response.json({ ...sums, passed: Date.now() - began });
  },
};
