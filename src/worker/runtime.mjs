// The calls of the runtime for src/worker/mod.rs: answers, requests to web hooks, the clock and the log.

/** Milliseconds for a body after its status. */
const PATIENCE_FOR_BODY = 2000;

/** `init`: JSON of status and headers. */
export const respond = (init, body) => new Response(body, JSON.parse(init));

/** The bytes of a body, about `most` of them. If the body breaks off, the bytes that arrived. */
async function beginningOf(body, most) {
  const chunks = [];
  let length = 0;
  const reader = body?.getReader();
  try {
    while (reader && length < most) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      length += value.length;
    }
  } catch {}
  reader?.cancel().catch(() => {});
  return new TextDecoder().decode(await new Blob(chunks).arrayBuffer());
}

/**
 * Posts to a web hook. Returns JSON: `status`, `headers` and `body`, or a `fault`. `headers`: JSON of pairs. `patience`: milliseconds
 * until there must be a status. `most`: bytes of the body that are read.
 */
export const send = async (url, headers, body, patience, most) => {
  const ended = new AbortController();
  let timer = setTimeout(() => ended.abort(), patience);
  try {
    const answer = await fetch(url, { method: "POST", redirect: "manual", headers: JSON.parse(headers), body, signal: ended.signal });
    clearTimeout(timer);
    timer = setTimeout(() => ended.abort(), PATIENCE_FOR_BODY);
    const text = await beginningOf(answer.body, most);
    return JSON.stringify({ status: answer.status, headers: [...answer.headers], body: text });
  } catch (error) {
    return JSON.stringify({ fault: ended.signal.aborted ? `no answer within ${patience / 1000} seconds` : `${error?.message ?? error}` });
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Gets a document of another server. Returns JSON as `send` does. `patience`: milliseconds until the end of the body. `is_fresh`: no
 * cache may answer; else Cloudflare keeps a document for an hour, and no failure.
 */
export const get = async (url, patience, most, is_fresh) => {
  const signal = AbortSignal.timeout(patience);
  const cf = { cacheTtlByStatus: { "200-299": 3600, "300-599": -1 } };
  try {
    const answer = await fetch(url, { redirect: "manual", signal, ...(is_fresh ? { cache: "no-store" } : { cf }) });
    const body = await beginningOf(answer.body, most);
    return JSON.stringify(signal.aborted ? { fault: "it did not end in time" } : { status: answer.status, headers: [], body });
  } catch (error) {
    return JSON.stringify({ fault: signal.aborted ? `no answer within ${patience / 1000} seconds` : `${error?.message ?? error}` });
  }
};

const RS256 = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/** Whether `text` was signed by the RSA key with this modulus and the exponent 65,537. `signature`: bytes of the memory of wasm. */
export const verify = async (modulus, text, signature) => {
  const own = signature.slice();
  const key = await crypto.subtle.importKey("jwk", { kty: "RSA", n: modulus, e: "AQAB" }, RS256, false, ["verify"]);
  return crypto.subtle.verify(RS256, key, own, new TextEncoder().encode(text));
};

export const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

/** An object instead of text, because Cloudflare indexes its fields. `fields`: its JSON. */
export const log = (fields, is_error) => console[is_error ? "error" : "log"](JSON.parse(fields));
