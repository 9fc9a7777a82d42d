// One session for all tabs of a browser. It ends with the last tab, or with "remember me" when the user signs out. The tabs
// hand the token to each other: it is on disk only with "remember me".
import { useEffect, useState } from "preact/hooks";

const KEY = "edgeforge-session";
/** A key in localStorage while a tab has a session, so that new tabs know whether to ask for it. It has nothing secret. */
const ELSEWHERE = "edgeforge-tabs";
/** How long a new tab waits for an answer before it shows the page. */
const PATIENCE = 250;
const stores = () => [sessionStorage, localStorage];
const isSession = (kept) => Boolean(kept?.token && kept.user?.username);

function read() {
  for (const store of stores()) {
    try {
      const kept = JSON.parse(store.getItem(KEY) ?? "null");
      if (isSession(kept)) return kept;
    } catch {
      // an unreadable entry counts as signed out
    }
  }
  return null;
}

let current = read();
const listeners = new Set();
// only pages of this origin get what is sent here
const tabs = new BroadcastChannel(KEY);

/** `{ token, user, expired }` or null. `expired`: the API refuses the token. `user.reads`: the token can only read. */
export const session = () => current;
/** The user of a session, null for a visitor and after the token has ended. */
export const userOf = (session) => (session?.token ? session.user : null);

function change(next) {
  current = next;
  listeners.forEach((listener) => listener(next));
}

const forget = () => [...stores().map((store) => store.removeItem(KEY)), localStorage.removeItem(ELSEWHERE)];

/** Deletes drafts when a session ends, because another person may use this browser next. Text in an open form stays with its user. */
function dropDrafts() {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("draft ")) sessionStorage.removeItem(key);
}

function clear() {
  forget();
  dropDrafts();
  change(null);
}

/** Starts a session in this tab only. */
function adopt(kept, remembered) {
  forget();
  if (kept.user.id !== current?.user.id) dropDrafts();
  (remembered ? localStorage : sessionStorage).setItem(KEY, JSON.stringify(kept));
  if (!remembered) localStorage.setItem(ELSEWHERE, "1");
  change(kept);
}

export const isRemembered = () => localStorage.getItem(KEY) !== null;

function end() {
  if (!current || current.expired) return;
  forget();
  dropDrafts();
  change({ ...current, token: null, expired: true });
}

const counting = new Map();

/** How many tabs of this browser have the session: those that answer in time. */
export function countTabs() {
  const key = crypto.randomUUID();
  let count = 1;
  counting.set(key, () => count++);
  tabs.postMessage({ counts: key });
  return new Promise((done) =>
    setTimeout(() => {
      counting.delete(key);
      done(count);
    }, PATIENCE),
  );
}

tabs.onmessage = ({ data }) => {
  const { asks, offers, starts, remembered, ended, out, counts, counted } = data ?? {};
  if (counts && isSession(current)) tabs.postMessage({ counted: counts });
  if (counted) counting.get(counted)?.();
  if (asks && isSession(current)) tabs.postMessage({ offers: current, remembered: isRemembered() });
  // an answer is for tabs without a session; a new sign-in is for all
  if (isSession(starts) || (isSession(offers) && !isSession(current))) adopt(starts ?? offers, remembered);
  if (ended && current?.token === ended) end();
  if (out && current) clear();
};

/** Asks the other tabs for their session. Resolves when one has answered, or none did in time. */
export function arrive() {
  if (isSession(current)) {
    // a reload, or a copied tab: others may still ask
    if (!isRemembered()) localStorage.setItem(ELSEWHERE, "1");
    return undefined;
  }
  if (!localStorage.getItem(ELSEWHERE)) return undefined;
  tabs.postMessage({ asks: true });
  return new Promise((/** @type {(none?: undefined) => void} */ done) => {
    const stop = (next) => {
      clearTimeout(timer);
      listeners.delete(stop);
      // the other tabs are closed
      if (!next) localStorage.removeItem(ELSEWHERE);
      done();
    };
    const timer = setTimeout(() => stop(current), PATIENCE);
    listeners.add(stop);
  });
}

// a tab that the browser had suspended did not answer
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && isSession(current) && !isRemembered()) localStorage.setItem(ELSEWHERE, "1");
});

export function signIn(token, user, { remember, reads }) {
  const kept = {
    token,
    user: { id: user.id, username: user.username, name: user.name, is_admin: user.is_admin === true, ...(reads && { reads }) },
  };
  adopt(kept, remember);
  tabs.postMessage({ starts: kept, remembered: Boolean(remember) });
}

/** Signs out in all tabs. */
export function signOut() {
  clear();
  tabs.postMessage({ out: true });
}

/** Deletes the token and drafts, in all tabs that have this token. */
export function expire() {
  const { token } = current ?? {};
  end();
  if (token) tabs.postMessage({ ended: token });
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
