// A panic of wasm, or a lack of memory, must not break later requests: the next call restarts wasm.

/**
 * Calls a module of wasm. `restart` resets its state.
 * @param {() => void} restart
 */
export function guard(restart) {
  let isBroken = false;

  /** Takes every exception, also those that no call catches. */
  function note(error) {
    if (!(error instanceof WebAssembly.RuntimeError)) return;
    console.error({ cause: "the Worker broke down and starts anew", error: `${error}`, stack: error.stack });
    isBroken = true;
  }

  /**
   * `task` calls wasm and settles the promise. An exception of wasm rejects it.
   * @param {(resolve: (value?: any) => void, reject: (error: Error) => void) => void} task
   */
  function call(task) {
    if (isBroken) restart();
    isBroken = false;
    return new Promise((resolve, reject) => {
      try {
        task(resolve, reject);
      } catch (error) {
        note(error);
        reject(error);
      }
    });
  }

  return { note, call };
}
