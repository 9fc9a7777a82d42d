// Reads the memory of the Worker's isolate through the runtime's inspector. Bindings have isolates of their own.

import { connect } from "../inspector.mjs";

export async function inspect(port) {
  const isolate = await connect(port, "core:user:edgeforge");
  let context;
  isolate.on("Runtime.executionContextCreated", (params) => (context = params.context.id));
  await isolate.call("Runtime.enable");
  return new Inspector(isolate, context);
}

class Inspector {
  #close;
  #call;
  #context;
  #memory;

  constructor({ call, close }, context) {
    this.#close = close;
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
    this.#close();
  }
}
