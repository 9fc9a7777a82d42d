// The session ends with the tab, or with "remember me" when the user signs out.
import { useEffect, useState } from "preact/hooks";

const KEY = "edgeforge-session";
const stores = () => [sessionStorage, localStorage];

function read() {
  for (const store of stores()) {
    try {
      const kept = JSON.parse(store.getItem(KEY));
      if (kept?.token && kept.user?.username) return kept;
    } catch {
      // an unreadable entry counts as signed out
    }
  }
  return null;
}

let current = read();
const listeners = new Set();

/** `{ token, user, expired }` or null. `expired`: the API refuses the token. `user.reads`: the token can only read. */
export const session = () => current;

function change(next) {
  current = next;
  listeners.forEach((listener) => listener(next));
}

export function signIn(token, user, { remember, reads }) {
  forget();
  const kept = { token, user: { id: user.id, username: user.username, name: user.name, is_admin: user.is_admin === true, ...(reads && { reads }) } };
  (remember ? localStorage : sessionStorage).setItem(KEY, JSON.stringify(kept));
  change(kept);
}

const forget = () => stores().forEach((store) => store.removeItem(KEY));

/** Also deletes drafts, because another person may use this browser next. */
export function signOut() {
  forget();
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("draft ")) sessionStorage.removeItem(key);
  change(null);
}

/** Deletes the token and keeps drafts. */
export function expire() {
  if (!current || current.expired) return;
  forget();
  change({ ...current, token: null, expired: true });
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
