// The module that the runtime loads. It serves pages, passes requests of the API to wasm, and restarts wasm after a panic.
import { answer, sweep, __wbg_reset_state as restart } from "./index.js";
import { page, wantsPage } from "./pages.mjs";

let broken = false;

/** A panic, or a lack of memory, must not break later requests. */
function noteCrash(error) {
  if (!(error instanceof WebAssembly.RuntimeError)) return;
  console.error({ cause: "the Worker broke down and starts anew", error: `${error}`, stack: error.stack });
  broken = true;
}

// wasm also runs in callbacks of promises, whose exceptions no caller catches
addEventListener("unhandledrejection", ({ reason }) => noteCrash(reason));

function restartIfBroken() {
  if (!broken) return;
  restart();
  broken = false;
}

/** The API's answer. */
function reply(request, env) {
  restartIfBroken();
  return new Promise((resolve, reject) => {
    try {
      answer(request, env, resolve);
    } catch (error) {
      noteCrash(error);
      reject(error);
    }
  });
}

export default {
  fetch: (request, env) => (wantsPage(request, env) ? page(request, env.ASSETS, (asked) => reply(asked, env)) : reply(request, env)),

  scheduled(_, env) {
    restartIfBroken();
    return new Promise((resolve, reject) => {
      try {
        sweep(env, (error) => (error === undefined ? resolve() : reject(new Error(error))));
      } catch (error) {
        noteCrash(error);
        reject(error);
      }
    });
  },
};
