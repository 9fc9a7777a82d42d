// The built Worker, which also answers /cron: it runs the Cron trigger of each minute, and returns what that cost D1.
import worker from "../../build/index.js";

/** The database, whose batches are counted. */
function metered(database, sums) {
  return {
    prepare: (text) => database.prepare(text),
    async batch(statements) {
      const outcomes = await database.batch(statements);
      sums.trips += 1;
      for (const { meta } of outcomes) {
        sums.read += meta.rows_read ?? 0;
        sums.written += meta.rows_written ?? 0;
        sums.millis += meta.duration ?? 0;
      }
      return outcomes;
    },
  };
}

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== "/cron") return worker.fetch(request, env, context);
    const sums = { trips: 0, read: 0, written: 0, millis: 0 };
    const began = Date.now();
    await worker.scheduled({ cron: "* * * * *", scheduledTime: 0 }, { ...env, DB: metered(env.DB, sums) });
    return Response.json({ ...sums, passed: Date.now() - began });
  },
};
