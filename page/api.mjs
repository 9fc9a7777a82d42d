import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { answered, askLater, isOutage } from "./outage.mjs";
import { toast } from "./parts/toast.jsx";
import { expire, forget, session } from "./session.mjs";

/** An error answer, or status 0 if the server was not reached. `message` is shown to the user. */
export class Refusal extends Error {
  constructor(status, message, wait, request) {
    super(message);
    this.status = status;
    this.wait = wait;
    // an administrator finds it in the server's log
    this.request = status >= 500 ? request : null;
  }
}

/** The API's message is a text, or texts by field. */
function messageOf(answer) {
  const message = answer?.message ?? answer?.error ?? "";
  if (typeof message === "string") return message.replace(/^\d{3} /, "");
  if (Array.isArray(message)) return message.join("; ");
  return Object.entries(message)
    .map(([field, texts]) => `${field.replaceAll("_", " ")}: ${[texts].flat().join(", ")}`)
    .join("; ");
}

const WHAT_TO_DO = {
  0: "The server cannot be reached. Your text is saved; check your connection and try again.",
  401: "Your session has ended. Your text stays on this page; sign in again.",
  403: "Your role only allows you to read this. Ask an owner of the project for a higher role.",
  404: "It does not exist, or you do not have access to it.",
  409: "Another change was made at the same time. Reload the page and try again.",
  412: "This was changed by somebody else meanwhile. Your text is saved; reload the page and try again.",
  413: "The text is too long. Shorten it and try again.",
};

const HIDDEN = "Your role does not allow you to see this. Ask an owner of the project for a higher role.";

function explain(method, status, answer, wait) {
  const kept = method === "GET" ? "Try again" : "Your text is saved; try again";
  if (status === 429) return `Too many requests. ${kept} in ${wait ?? 60} seconds.`;
  const reason = messageOf(answer).split("Service Unavailable - ")[1];
  if (reason) return `The server cannot answer yet: ${reason}.`;
  if (status === 503 && method === "GET") return "The server cannot answer at the moment.";
  if (status >= 500) return `The server failed. ${kept} in a moment.`;
  const message = messageOf(answer);
  if (status === 403 && message && message !== "Forbidden") return message;
  if (status === 403 && method === "GET") return HIDDEN;
  // what exists already, in the API's words; its words for a concurrent change do not say what to do
  if (status === 409 && message && !message.startsWith("Conflict")) return message.endsWith(".") ? message : `${message}.`;
  return WHAT_TO_DO[status] ?? (message || `The server answered with status ${status}. Try again later.`);
}

/** The bookmark of the newest write. Reads send it, so that they see at least that state. */
/** @type {any} */
let bookmark = null;

function keepBookmark(method, response) {
  if (method === "GET") return;
  // a failed write may still have happened, and 412 is about another one; a read without a bookmark goes to the primary database
  if (!response || response.status >= 500 || response.status === 412) bookmark = null;
  const newest = response?.headers.get("X-D1-Bookmark");
  if (newest && (!bookmark || newest > bookmark)) bookmark = newest;
}

/**
 * `body`: fields, sent as JSON, or a FormData. `as`: a token to use instead of the session. `once`: an idempotency key, with
 * which the server does not repeat the request.
 * `since`: the `updated_at` of the state that a change was made from; the server refuses it if the record was changed later.
 * `tag`: the same for a label, by the `tag` of an answer. `unless`: the tag of a state; while it is that, the answer has no `data`.
 * @param {string} method
 * @param {string} path
 * @param {{ query?: any, body?: any, as?: string, once?: string, since?: string, tag?: string, unless?: string, signal?: AbortSignal }} [options]
 */
export async function ask(method, path, { query = {}, body, as, once, since, tag, unless, signal } = {}) {
  const id = session()?.id;
  const address = new URL(`/api/v4${path}`, location.origin);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") [value].flat().forEach((one) => address.searchParams.append(name, one));
  }
  const isForm = body instanceof FormData;
  const headers = {
    Accept: "application/json",
    // no other site can send it (docs/behaviour.md 2.4)
    "X-Edgeforge-Page": "1",
    ...(as && { "PRIVATE-TOKEN": as }),
    // for a form, the browser sets the type, with the boundary that it chose
    ...(body && !isForm && { "Content-Type": "application/json" }),
    ...(once && { "Idempotency-Key": once }),
    ...(since && { "If-Unmodified-Since": since }),
    ...(tag && { "If-Match": tag }),
    ...(unless && { "If-None-Match": unless }),
    ...(method === "GET" && bookmark && { "X-D1-Bookmark": bookmark }),
  };
  let response, text;
  try {
    response = await fetch(address, {
      method,
      headers,
      body: isForm ? body : body && JSON.stringify(body),
      signal,
      credentials: "same-origin",
    });
    keepBookmark(method, response);
    text = await response.text();
  } catch (error) {
    if (!response) keepBookmark(method);
    if (error.name === "AbortError") throw error;
    throw new Refusal(0, method === "GET" ? "The server cannot be reached. Check your connection and try again." : WHAT_TO_DO[0]);
  }
  /** @type {any} */
  let data = null;
  try {
    data = text ? JSON.parse(text) : null;
  } catch {
    throw new Refusal(response.status, "The answer did not come from the API. Check your network or proxy and try again.");
  }
  if (response.ok || response.status === 304) return { data, tag: response.headers.get("ETag"), ...pageOf(response) };
  if (response.status === 401 && id && !as) expire(id);
  const wait = response.headers.get("Retry-After");
  throw new Refusal(response.status, explain(method, response.status, data, wait), wait, response.headers.get("X-Request-Id"));
}

/** `next`: the query parameters of the next page, or null. `hint`: which part a search looked at, if it was not all. `level`, `archived`: the user's role in the project, and whether that is archived, if the answer has them. */
function pageOf(response) {
  const link = /<([^>]*)>; rel="next"/.exec(response.headers.get("Link") ?? "")?.[1];
  const total = response.headers.get("X-Total");
  const given = link && new URL(link, location.origin).searchParams;
  /** @type {any} */
  const next =
    given &&
    Object.fromEntries(
      ["cursor", "id_after", "id_before", "page"].filter((name) => given.has(name)).map((name) => [name, given.get(name)]),
    );
  const level = response.headers.get("X-Access-Level");
  const archived = response.headers.get("X-Archived") === "true";
  const seen = level !== null && { level: Number(level), archived };
  return { next: next ?? null, total: total === null ? null : Number(total), hint: response.headers.get("X-Hint"), ...seen };
}

/** Signs out in all tabs. */
export async function signOut() {
  try {
    const { data } = session()?.id ? await ask("DELETE", "/session") : { data: null };
    forget();
    if (data && data.redirect_to !== "/") location.assign(data.redirect_to);
  } catch (error) {
    if (error.status === 401) forget();
    else toast(`You are still signed in. ${error.message}`);
  }
}

export const get = (path, query, options) => ask("GET", path, { query, ...options });
export const inProject = (project, rest = "") => `/projects/${encodeURIComponent(project)}${rest}`;

/**
 * What `useApi` returns of an answer.
 * @typedef {{ data?: any, tag?: string, next?: Record<string, string> | null, total?: any, hint?: string | null, level?: number, archived?: boolean, error?: any, loading?: boolean, key?: any,
 *   path?: any, query?: any,   isStale?: boolean, reload?: () => unknown }} Answered
 * @typedef {Answered & { set: (data: any, next?: any) => void, reload: () => unknown }} Asked
 */

/**
 * Fetches `path` again when path, query or user change: `{ data, next, total, error, loading, reload, set }`.
 * Sends no request if `path` is falsy.
 * @param {string | false | null | undefined} path
 * @returns {Asked}
 */
export function useApi(path, query = {}) {
  const [state, setState] = useState(/** @type {Answered} */ ({ loading: Boolean(path) }));
  const asked = useRef(/** @type {any} */ (null));
  const key = path && JSON.stringify([path, query, session()?.user.id ?? null]);
  const load = useCallback(
    (quiet) => {
      asked.current?.abort();
      if (!path) answered(asked);
      if (!path) return setState({ loading: false });
      const aborter = new AbortController();
      asked.current = aborter;
      setState((before) => (quiet ? { ...before, loading: true } : { loading: true }));
      return get(path, query, { signal: aborter.signal }).then(
        (answer) => {
          answered(asked);
          setState({ loading: false, key, ...answer });
        },
        (error) => {
          if (error.name === "AbortError") return;
          // data that is shown stays, and missing data still counts as loading
          if (isOutage(error)) return askLater(asked, error, () => load(true));
          answered(asked);
          setState({ loading: false, key, error });
        },
      );
    },
    [key],
  );
  useEffect(() => {
    load(false);
    return () => {
      asked.current?.abort();
      answered(asked);
    };
  }, [load]);
  const id = session()?.id;
  useEffect(() => {
    if (id && state.error?.status === 401) load(false);
  }, [id]);
  const set = (data, next = undefined) =>
    setState((before) => ({ ...before, data: typeof data === "function" ? data(before.data) : data, ...(next !== undefined && { next }) }));
  // until the effect above has run, the state may be that of the query before
  return { ...state, path, query, isStale: state.key !== key, set, reload: () => load(true) };
}

const MOST_ROUNDS = 8;

/**
 * Like `useApi` for a page of `size`. A search may end a page early: this fetches further pages until it is full, at
 * most MOST_ROUNDS times; `searching` is true meanwhile. Then `goOn` is a function that fetches more.
 */
export function useFilled(path, query, size) {
  const answer = useApi(path, query);
  const [rounds, setRounds] = useState(/** @type {{ key?: string, left: number }} */ ({ left: MOST_ROUNDS }));
  const key = JSON.stringify([path, query]);
  const now = useRef(key);
  now.current = key;
  const isShort = Boolean(!answer.isStale && answer.data && answer.next && answer.data.length < size);
  const left = rounds.key === key ? rounds.left : MOST_ROUNDS;
  const searching = isShort && left > 0;
  useEffect(() => {
    if (!searching) return;
    const step = (found, next, rest) => {
      if (now.current !== key) return;
      if (found.length || next !== undefined) answer.set((before) => [...before, ...found], next);
      setRounds({ key, left: rest });
    };
    get(path, { ...query, ...answer.next }).then(
      ({ data, next }) => step(data, next, left - 1),
      () => step([], undefined, 0),
    );
  }, [searching, left, key]);
  return { ...answer, searching, goOn: isShort && !searching ? () => setRounds({ key, left: MOST_ROUNDS }) : undefined };
}
