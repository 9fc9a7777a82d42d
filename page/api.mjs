// The client of /api/v4. Everything that pages know comes through here.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { expire, session } from "./session.mjs";

/** What the API refused, or that it was not reached (status 0). `message` is for people. */
export class Refusal extends Error {
  constructor(status, message, wait) {
    super(message);
    this.status = status;
    this.wait = wait;
  }
}

/** The words of a refusal: a text, or texts by field. */
function words(answer) {
  const said = answer?.message ?? answer?.error ?? "";
  if (typeof said === "string") return said.replace(/^\d{3} /, "");
  if (Array.isArray(said)) return said.join("; ");
  return Object.entries(said).map(([field, texts]) => `${field.replaceAll("_", " ")}: ${[texts].flat().join(", ")}`).join("; ");
}

const WHAT_TO_DO = {
  0: "The server was not reached. Is the network there? What you wrote is kept; try again.",
  401: "The token is not taken any more: it has ended, or was taken back. Sign in again; what you wrote is kept.",
  403: "You may look at this, but not change it. Whoever owns the project can give you a higher role.",
  404: "It does not exist, or you may not see it.",
  409: "Somebody changed the same at this moment. Load the page again.",
  413: "That is too long.",
};

const HIDDEN = "This takes a higher role than yours. Whoever owns the project can give you one.";

function explain(method, status, answer, wait) {
  if (status === 429) return `Too many requests. Try again in ${wait ?? 60} seconds; what you wrote is kept.`;
  if (status >= 500) return "The server failed. What you wrote is kept; try again in a moment.";
  const said = words(answer);
  if (status === 403 && said && said !== "Forbidden") return said;
  if (status === 403 && method === "GET") return HIDDEN;
  return WHAT_TO_DO[status] ?? (said || `The server answered ${status}.`);
}

/** The newest state of the database that a write was answered with: what is read after it is at least as new. */
let bookmark = null;

function learn(method, response) {
  if (method === "GET") return;
  // nobody knows what became of a write that failed: a read without a bookmark goes to the primary database
  if (!response || response.status >= 500) bookmark = null;
  const told = response?.headers.get("X-D1-Bookmark");
  if (told && (!bookmark || told > bookmark)) bookmark = told;
}

/** One request. `as`: a token other than the session's; `once`: a key under which a repeat is not done twice. */
export async function ask(method, path, { query = {}, body, as, once, signal } = {}) {
  const token = as ?? session()?.token;
  const address = new URL(`/api/v4${path}`, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") [value].flat().forEach((one) => address.searchParams.append(name, one));
  }
  const headers = {
    Accept: "application/json",
    ...(token && { "PRIVATE-TOKEN": token }),
    ...(body && { "Content-Type": "application/json" }),
    ...(once && { "Idempotency-Key": once }),
    ...(method === "GET" && bookmark && { "X-D1-Bookmark": bookmark }),
  };
  let response, text;
  try {
    response = await fetch(address, { method, headers, body: body && JSON.stringify(body), signal, credentials: "omit" });
    learn(method, response);
    text = await response.text();
  } catch (error) {
    if (!response) learn(method);
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, WHAT_TO_DO[0]);
  }
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    throw new Refusal(response.status, "What answered is not the API.");
  }
  if (response.ok || response.status === 304) return { data, ...pageOf(response) };
  if (response.status === 401 && token && !as) expire();
  const wait = response.headers.get("Retry-After");
  throw new Refusal(response.status, explain(method, response.status, data, wait), wait);
}

/** `next`: the parameters that the next page is asked for with, if there is one. */
function pageOf(response) {
  const link = /<([^>]*)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
  const total = response.headers.get("X-Total");
  const given = link && new URL(link, location.origin).searchParams;
  const next = given && Object.fromEntries(["cursor", "id_after", "id_before", "page"].filter((name) => given.has(name)).map((name) => [name, given.get(name)]));
  return { next: next ?? null, total: total === null ? null : Number(total) };
}

export const get = (path, query, options) => ask("GET", path, { query, ...options });
/** How a project is named in a path of the API. */
export const inProject = (project, rest = "") => `/projects/${encodeURIComponent(project)}${rest}`;

/**
 * What a GET answers, asked again when path, query or user change: `{ data, next, total, error, loading, reload, set }`.
 * Without a path nothing is asked.
 */
export function useApi(path, query = {}) {
  const [state, setState] = useState({ loading: Boolean(path) });
  const asked = useRef(null);
  const key = path && JSON.stringify([path, query, session()?.user.id ?? null]);
  const load = useCallback(
    (quiet) => {
      asked.current?.abort();
      if (!path) return setState({ loading: false });
      const aborter = new AbortController();
      asked.current = aborter;
      setState((before) => (quiet ? { ...before, loading: true } : { loading: true }));
      return get(path, query, { signal: aborter.signal }).then(
        (answer) => setState({ loading: false, ...answer }),
        (error) => error.name === "AbortError" || setState({ loading: false, error }),
      );
    },
    [key],
  );
  useEffect(() => {
    load(false);
    return () => asked.current?.abort();
  }, [load]);
  const token = session()?.token;
  useEffect(() => {
    if (token && state.error?.status === 401) load(false);
  }, [token]);
  const set = (data, next) =>
    setState((before) => ({ ...before, data: typeof data === "function" ? data(before.data) : data, ...(next !== undefined && { next }) }));
  return { ...state, set, reload: () => load(true) };
}
