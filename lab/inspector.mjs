// The runtime's inspector: https://chromedevtools.github.io/devtools-protocol/

/** Connects to an isolate by its name: "core:user:edgeforge" is the Worker, "d1:db" the database. */
export async function connect(port, name) {
  const isolates = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
  const { webSocketDebuggerUrl } = isolates.find(({ id }) => id === name);
  const socket = new WebSocket(webSocketDebuggerUrl);
  const waiting = new Map();
  const listeners = new Map();
  let last = 0;
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(data);
    listeners.get(method)?.(params);
    if (!id) return;
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    error ? reject(new Error(error.message)) : resolve(result);
  };
  await new Promise((opened) => (socket.onopen = opened));
  return {
    call: (method, params = {}) =>
      new Promise((resolve, reject) => {
        waiting.set(++last, { resolve, reject });
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    on: (method, listener) => listeners.set(method, listener),
    close: () => socket.close(),
  };
}
