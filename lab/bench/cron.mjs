// The built Worker, which also answers /cron: it runs the Cron trigger of each minute, and returns what that cost D1.
import worker from "../../build/index.js";

const sums = {};
const reset = () => Object.assign(sums, { trips: 0, read: 0, written: 0, millis: 0 });
let metered;

/** The environment with a database whose batches are counted. The Worker keeps the first database that it gets. */
function counting(env) {
  metered ??= {
    prepare: (text) => env.DB.prepare(text),
    async batch(statements) {
      const outcomes = await env.DB.batch(statements);
      sums.trips += 1;
      for (const { meta } of outcomes) {
        sums.read += meta.rows_read ?? 0;
        sums.written += meta.rows_written ?? 0;
        sums.millis += meta.duration ?? 0;
      }
      return outcomes;
    },
  };
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
