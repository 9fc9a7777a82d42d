// Refusals, and the common parts of answers: headers, an entity tag, a line in the log.

export class Refusal extends Error {
  constructor(status, body, headers = {}) {
    super(`refused with ${status}`);
    this.reply = { status, body, headers };
  }
}

export const unauthorized = () => new Refusal(401, { message: "401 Unauthorized" });
export const forbidden = (reason) => new Refusal(403, { message: reason ? `403 Forbidden  - ${reason}` : "403 Forbidden" });
export const notFound = (what) => new Refusal(404, { message: `404 ${what}` });

const STANDARD = {
  "X-Content-Type-Options": "nosniff",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": [
    "Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Request-Id, X-Unread-Parameters, X-Hint, ETag",
    "Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotent-Replayed, X-D1-Bookmark, Server-Timing",
  ].join(", "),
};
const VARY = "PRIVATE-TOKEN, Authorization, JOB-TOKEN, SUDO";

const utf8 = new TextEncoder();
const digest = async (algorithm, data) =>
  new Uint8Array(await crypto.subtle.digest(algorithm, typeof data === "string" ? utf8.encode(data) : data));

export const sha256 = async (text) => (await digest("SHA-256", text)).toHex();

/** A strong tag, the same for all callers: the SHA-256 of the bytes. */
export async function strongTag(text) {
  return `"${(await digest("SHA-256", text)).toBase64({ alphabet: "base64url", omitPadding: true })}"`;
}

/** A weak tag of body, next page and caller. */
async function weakTag(text, headers, caller) {
  return `W/"${(await digest("SHA-1", `${caller?.user_id} ${headers.Link} ${text}`)).toHex()}"`;
}

/** Whether `If-None-Match` contains a tag. */
function isKnown(request, tag) {
  const list = request.headers.get("If-None-Match");
  const opaque = (one) => one.trim().replace(/^W\//, "");
  return list !== null && (list.trim() === "*" || list.split(",").some((one) => opaque(one) === opaque(tag)));
}

/**
 * The response, with its line in the log. `reply`: `body` becomes JSON, `text` and `stream` (of so many `bytes`) are sent as they are.
 * @param {any} call
 * @param {{ status?: number, body?: any, stream?: any, bytes?: number, text?: string, headers?: Record<string, string>, cause?: any }} reply
 */
export async function respond(
  call,
  { status = 200, body, stream, bytes, text = stream ? "" : JSON.stringify(body), headers = {}, cause = null },
) {
  const { request, env, caller, cost } = call;
  const reads = ["GET", "HEAD"].includes(request.method);
  /** @type {Record<string, string>} */
  const all = { "Content-Type": "application/json", ...headers };
  if (status === 200 && reads) all.ETag ??= await weakTag(text, headers, caller);
  if (!all["Cache-Control"]) {
    all["Cache-Control"] = all.ETag ? "private, no-cache" : "private, no-store";
    all.Vary = VARY;
  }
  const unread = status < 400 ? (call.params?.unread ?? []) : [];
  if (unread.length) all["X-Unread-Parameters"] = unread.join(", ");
  if (env.COST_HEADER === "everyone" || caller?.admin) {
    const counts = Object.entries({ trips: cost.trips, rows_read: cost.read, rows_written: cost.written });
    all["Server-Timing"] = [`d1;dur=${cost.millis.toFixed(3)}`, ...counts.map(([name, count]) => `${name};desc="${count}"`)].join(", ");
  }
  const requestId = crypto.randomUUID().replaceAll("-", "");
  Object.assign(all, STANDARD, { "X-Request-Id": requestId });
  const known = all.ETag && isKnown(request, all.ETag);
  if (known) {
    status = 304;
    delete all["Content-Type"];
  }
  const content = known || request.method === "HEAD" ? null : (stream ?? utf8.encode(text));
  console.log({
    request_id: requestId,
    method: request.method,
    route: call.route ?? "-",
    path: call.url.pathname.slice(0, 200),
    unread,
    status,
    caller_id: caller?.user_id ?? null,
    d1_trips: cost.trips,
    d1_rows_read: cost.read,
    d1_rows_written: cost.written,
    d1_ms: cost.millis,
    bytes: bytes ?? content?.length ?? 0,
    cause,
  });
  return new Response(content, { status, headers: all });
}
