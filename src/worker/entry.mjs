// The module that the runtime loads. It hands each request of the API to wasm, and starts wasm anew after it has broken down.
// Addresses of pages get a file.
import { answer, sweep, __wbg_reset_state as restart } from "./index.js";
import { page, wantsPage } from "./pages.mjs";

let broken = false;

/** No panic is meant to be reachable. If one is, or memory runs out, later requests are not to suffer from it. */
function note(error) {
  if (!(error instanceof WebAssembly.RuntimeError)) return;
  console.error({ cause: "the Worker broke down and starts anew", error: `${error}`, stack: error.stack });
  broken = true;
}

// wasm goes on in the callbacks of promises, where nobody catches what it throws
addEventListener("unhandledrejection", ({ reason }) => note(reason));

function mend() {
  if (!broken) return;
  restart();
  broken = false;
}

export default {
  fetch(request, env) {
    if (wantsPage(request, env)) return page(request, env.ASSETS);
    mend();
    return new Promise((resolve, reject) => {
      try {
        answer(request, env, resolve);
      } catch (error) {
        note(error);
        reject(error);
      }
    });
  },

  /** The Cron trigger. */
  scheduled(_, env) {
    mend();
    return new Promise((resolve, reject) => {
      try {
        sweep(env, (error) => (error === undefined ? resolve() : reject(new Error(error))));
      } catch (error) {
        note(error);
        reject(error);
      }
    });
  },
};
