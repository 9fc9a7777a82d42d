// Who is signed in, in all tabs of this browser. The secret of the session is in a cookie that no script can read. A second cookie
// has the id of the session, and localStorage who that is.
import { useEffect, useState } from "preact/hooks";

const KEY = "edgeforge-session";
const COOKIE = location.protocol === "https:" ? "__Host-signed-in" : "signed-in";

function idInCookie() {
  const found = document.cookie.split("; ").find((cookie) => cookie.startsWith(`${COOKIE}=`));
  return Number(found?.slice(COOKIE.length + 1));
}

/** What localStorage has: a session, also one that has ended. */
function kept() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null");
    return kept?.user?.username ? kept : null;
  } catch {
    // an unreadable entry counts as signed out
    return null;
  }
}

/** @returns {{ id: number | null, user: any, expired?: boolean } | null} */
function read() {
  const found = kept();
  return found && !found.expired && found.id === idInCookie() ? found : null;
}

let current = read();
const listeners = new Set();

/** `{ id, user, expired }` or null. `expired`: the API refuses it, and the id is null. `user.reads`: it can only read. `user.token_id`: the token that started it, if that is known. */
export const session = () => current;
/** The user of a session, null for a visitor and after the session has ended. */
export const userOf = (session) => (session?.id ? session.user : null);

/** Deletes drafts when a session ends, because another person may use this browser next. Text in an open form stays with its user. */
function dropDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("draft ")) sessionStorage.removeItem(key);
}

function change(next) {
  if (next?.expired || next?.user.id !== current?.user.id) dropDrafts();
  current = next;
  listeners.forEach((listener) => listener(next));
}

const ended = () => change({ ...current, id: null, expired: true });

// the other tabs
addEventListener("storage", ({ key }) => {
  if (key !== KEY && key !== null) return;
  const next = kept();
  if (!next?.expired) change(next);
  else if (next.id === current?.id) ended();
});

/** The server has set the cookies. `more`: what else of the user is worth keeping. */
export function signIn({ id, username, name, is_admin }, more = {}) {
  const next = { id: idInCookie(), user: { id, username, name, is_admin: is_admin === true, ...more } };
  localStorage.setItem(KEY, JSON.stringify(next));
  change(next);
}

/** The server has cleared the cookies. */
export function forget() {
  localStorage.removeItem(KEY);
  change(null);
}

/** The API refuses the session `id`, in all tabs. */
export function expire(id) {
  if (current?.id !== id) return;
  localStorage.setItem(KEY, JSON.stringify({ ...current, expired: true }));
  ended();
}

/** Resolves when it is known who is signed in. Undefined if it is known already. */
export function arrive() {
  if (current || !idInCookie()) return undefined;
  // the server has made the session without a page
  return fetch("/api/v4/user")
    .then((answer) => answer.ok && answer.json())
    .then((user) => user && signIn(user))
    .catch(() => {});
}

export function useSession() {
  const [value, set] = useState(current);
  useEffect(() => {
    listeners.add(set);
    set(current);
    return () => listeners.delete(set);
  }, []);
  return value;
}
