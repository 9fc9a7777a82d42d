// The module that the runtime loads. It serves pages, passes requests of the API to wasm, and restarts wasm after a panic.
import { answer, deliver, index, sweep, __wbg_reset_state as restart } from "./index.js";
import { guard } from "./guard.mjs";
import { page, wantsPage } from "./pages.mjs";

const { note, call } = guard(restart);

// wasm also runs in callbacks of promises, whose exceptions no caller catches
addEventListener("unhandledrejection", ({ reason }) => note(reason));

/** Runs a task of wasm, as a promise that fails with the task's error. */
const run = (task) => call((resolve, reject) => task((error) => (error === undefined ? resolve() : reject(new Error(error)))));

/**
 * Sends the events of a request to hooks, after its answer. If a queue is bound, its consumer sends them, because a
 * consumer may run for minutes and a request only for seconds. Messages are empty: the database has the deliveries.
 */
function sendEvents(env) {
  return env.DELIVERIES ? env.DELIVERIES.send("due") : run((resolve) => deliver(env, false, resolve));
}

/** The API's answer. Then sends the events of the request to hooks. */
const reply = (request, env, context) =>
  call((resolve) =>
    answer(request, env, (response, hasEvents) => {
      if (response.copied) context.waitUntil(response.copied.catch(note));
      if (hasEvents) context.waitUntil(sendEvents(env).catch((error) => console.error({ cause: `${error}` })));
      resolve(response);
    }),
  );

export default {
  fetch(request, env, context) {
    if (wantsPage(request, env)) return page(request, env.ASSETS, (asked) => reply(asked, env, context));
    const replied = reply(request, env, context);
    // The runtime ends the work of a request whose client has left, and its cost would not count:
    // https://developers.cloudflare.com/workers/platform/limits/#duration
    context.waitUntil(replied.catch(() => {}));
    return replied;
  },

  queue(_messages, env) {
    return run((resolve) => deliver(env, true, resolve));
  },

  /** Sends deliveries to hooks and indexes words each minute, and runs retention once an hour. */
  async scheduled({ cron, scheduledTime }, env) {
    const sweeps = cron !== "* * * * *" || new Date(scheduledTime).getUTCMinutes() === 17;
    const tasks = [
      run((resolve) => deliver(env, true, resolve)),
      run((resolve) => index(env, resolve)),
      sweeps && run((resolve) => sweep(env, resolve)),
    ];
    for (const ended of await Promise.allSettled(tasks)) if (ended.status === "rejected") throw ended.reason;
  },
};
