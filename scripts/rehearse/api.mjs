// The format of Cloudflare's REST API: paths, the envelope around every answer, errors with a code.
import { createServer } from "node:http";

/** An error answer: https://developers.cloudflare.com/fundamentals/api/reference/errors/ */
export class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A result with `result_info`, for a paged list. */
export class Page {
  constructor(result, info) {
    this.result = result;
    this.info = info;
  }
}

/** An answer without an envelope. */
export class Plain {
  constructor(status, headers, body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** Parses `"GET /accounts/:account/d1/database"` to a matcher. `:key+` may have slashes. */
function matcher(pattern) {
  const [method, path] = pattern.split(" ");
  const text = path.replace(/:(\w+)\+/g, "(?<$1>.+)").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return { method, expression: new RegExp(`^${text}/?$`) };
}

export class Router {
  #routes = [];

  /** Adds handlers by pattern: `{"GET /user": (call) => result}`. */
  add(handlers) {
    for (const [pattern, handle] of Object.entries(handlers)) this.#routes.push({ ...matcher(pattern), handle });
  }

  find(method, path) {
    for (const route of this.#routes) {
      const found = route.method === method && route.expression.exec(path);
      if (found)
        return {
          handle: route.handle,
          path: Object.fromEntries(Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])),
        };
    }
    throw new Refusal(404, 7000, `No route for that URI: ${method} ${path}`);
  }
}

async function bytesOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

async function callOf(request, path, url) {
  const bytes = await bytesOf(request);
  return {
    path,
    query: url.searchParams,
    headers: request.headers,
    origin: url.origin,
    bytes,
    json: () => {
      try {
        return JSON.parse(bytes.toString("utf8") || "{}");
      } catch {
        throw new Refusal(400, 7400, "The request is malformed: no JSON");
      }
    },
    form: () => new Response(bytes, { headers: { "Content-Type": request.headers["content-type"] ?? "" } }).formData(),
  };
}

function send(response, status, body) {
  const text = JSON.stringify(body);
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  response.end(text);
}

/**
 * Serves a router on a port. `admit(request, path)` throws for refused callers. `interfere(request, path)` may return
 * "cut", which breaks the connection before anything is done, or "lose", which handles the request and then breaks the
 * connection.
 */
export function serveApi(router, { port, base, admit, interfere, print }) {
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const path = url.pathname.startsWith(base) ? url.pathname.slice(base.length) : url.pathname;
    const disturbance = interfere(request, path);
    if (disturbance === "cut") return request.socket.destroy();
    try {
      const found = router.find(request.method, path);
      admit(request, path);
      const answer = await found.handle(await callOf(request, found.path, url));
      if (disturbance === "lose") return request.socket.destroy();
      if (answer instanceof Plain) return response.writeHead(answer.status, answer.headers).end(answer.body);
      const { result, info } = answer instanceof Page ? answer : { result: answer };
      send(response, 200, { success: true, errors: [], messages: [], result: result ?? null, ...(info && { result_info: info }) });
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(500, 10013, `the rehearsal failed: ${error.stack}`);
      print(`${request.method} ${path}: ${refusal.status} ${refusal.code} ${refusal.message}`);
      send(response, refusal.status, {
        success: false,
        errors: [{ code: refusal.code, message: refusal.message }],
        messages: [],
        result: null,
      });
    }
  });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}
