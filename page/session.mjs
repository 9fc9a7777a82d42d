// Who is signed in: a token and whom it belongs to. It lives as long as the tab, or with "remember me" until signing out.
import { useEffect, useState } from "preact/hooks";

const KEY = "edgeforge-session";
const stores = () => [sessionStorage, localStorage];

function read() {
  for (const store of stores()) {
    try {
      const kept = JSON.parse(store.getItem(KEY));
      if (kept?.token && kept.user?.username) return kept;
    } catch {
      // what cannot be read is no session
    }
  }
  return null;
}

let current = read();
const listeners = new Set();

/** `{ token, user, expired }` or null. `expired`: the API takes the token no longer; `user.reads`: it may only read. */
export const session = () => current;

function change(next) {
  current = next;
  listeners.forEach((tell) => tell(next));
}

export function signIn(token, user, { remember, reads }) {
  forget();
  const kept = { token, user: { id: user.id, username: user.username, name: user.name, is_admin: user.is_admin === true, ...(reads && { reads }) } };
  (remember ? localStorage : sessionStorage).setItem(KEY, JSON.stringify(kept));
  change(kept);
}

const forget = () => stores().forEach((store) => store.removeItem(KEY));

/** Half-written texts are forgotten, too: the next person at this machine is another. */
export function signOut() {
  forget();
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("draft ")) sessionStorage.removeItem(key);
  change(null);
}

/** The token is forgotten, what was being written is not. */
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
