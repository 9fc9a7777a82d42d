// Reads the memory of the Worker's isolate through the runtime's inspector. Bindings have isolates of their own.

export async function inspect(port) {
  const isolates = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
  const { webSocketDebuggerUrl } = isolates.find(({ id }) => id === "core:user:edgeforge");
  const socket = new WebSocket(webSocketDebuggerUrl);
  const waiting = new Map();
  let context,
    last = 0;
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(data);
    if (method === "Runtime.executionContextCreated") context = params.context.id;
    if (!id) return;
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    error ? reject(new Error(error.message)) : resolve(result);
  };
  await new Promise((opened) => (socket.onopen = opened));
  const call = (method, params = {}) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await call("Runtime.enable");
  return new Inspector(socket, call, context);
}

class Inspector {
  #socket;
  #call;
  #context;
  #memory;

  constructor(socket, call, context) {
    this.#socket = socket;
    this.#call = call;
    this.#context = context;
  }

  /** Finds wasm's memory, after collecting all garbage. */
  async find() {
    const { result } = await this.#call("Runtime.evaluate", { expression: "WebAssembly.Memory.prototype", contextId: this.#context });
    const { objects } = await this.#call("Runtime.queryObjects", { prototypeObjectId: result.objectId });
    this.#memory = objects.objectId;
  }

  /**
   * In bytes: JavaScript's heap including garbage; memory outside of it, which is buffers and the runtime's own
   * objects; and wasm's memory, which only grows.
   */
  async sizes() {
    // the log is kept for open inspectors, and would be counted
    this.#call("Runtime.discardConsoleEntries").catch(() => {});
    const { usedSize: heap, embedderHeapUsedSize, backingStorageSize } = await this.#call("Runtime.getHeapUsage");
    const functionDeclaration = "function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }";
    const wasm = (await this.#call("Runtime.callFunctionOn", { objectId: this.#memory, functionDeclaration, returnByValue: true })).result
      .value;
    return { heap, outside: embedderHeapUsedSize + backingStorageSize, wasm, all: heap + embedderHeapUsedSize + backingStorageSize + wasm };
  }

  close() {
    this.#socket.close();
  }
}
