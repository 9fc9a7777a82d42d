// Requests to a served Worker, with the figures of Server-Timing.

/** The answer's status, headers, JSON or bytes, and what it cost: milliseconds and rows of the database, the Worker's work, bytes. */
export async function ask(server, token, method, path, body, headers = {}) {
  const isRaw = body instanceof Uint8Array;
  const answer = await fetch(server + path, {
    method,
    headers: { ...(token && { "PRIVATE-TOKEN": token }), ...(body && { "Content-Type": "application/json" }), ...headers },
    body: body && !isRaw ? JSON.stringify(body) : body,
    // the links of releases lead to servers that do not exist
    redirect: "manual",
  });
  const content = Buffer.from(await answer.arrayBuffer());
  const timing = answer.headers.get("Server-Timing") ?? "";
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: content.length,
    ms: Number(/d1;dur=([\d.]+)/.exec(timing)?.[1] ?? 0),
    work: Number(/work;dur=([\d.]+)/.exec(timing)?.[1] ?? 0),
    rows: Number(/rows_read;desc="(\d+)"/.exec(timing)?.[1] ?? 0),
    next: /<([^>]*)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1],
    text: () => content.toString(),
    json: () => JSON.parse(content.toString()),
  };
}

/** The JSON of an answer that must not be a refusal. */
export async function must(...request) {
  const answer = await ask(...request);
  if (answer.status >= 400) throw new Error(`${request[2]} ${request[3]} answered ${answer.status}: ${answer.text().slice(0, 300)}`);
  return answer.bytes ? answer.json() : null;
}
