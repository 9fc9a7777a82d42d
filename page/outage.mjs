// Repeats requests that the server could not answer for the moment (503), all at once, and shows that in one place.
import { useEffect, useState } from "preact/hooks";

/** How often requests are repeated automatically. */
const MOST = 6;
const waiting = new Map();
const listeners = new Set();
/** @type {any} */
let timer = 0;
let rounds = 0;

const tell = () => listeners.forEach((listener) => listener({}));

/** Whether the error is an outage. It is not if the mirror has not sent the data yet: the page has a text for that. */
export const isOutage = ({ status, wait, message }) => status === 503 && Boolean(wait) && !message.includes("not mirrored yet");

/** `of`: identifies the request over all of its tries. `again()` sends it. */
export function askLater(of, error, again) {
  waiting.set(of, { error, again });
  if (!timer && rounds < MOST) timer = setTimeout(askNow, (Number(error.wait) || 5) * 1000);
  tell();
}

export function askNow() {
  clearTimeout(timer);
  timer = 0;
  rounds++;
  for (const { again } of [...waiting.values()]) again();
}

/** The request has its answer, or is no longer needed. */
export function answered(of) {
  if (!waiting.delete(of)) return;
  if (!waiting.size) {
    clearTimeout(timer);
    timer = 0;
    rounds = 0;
  }
  tell();
}

/** `{ error, isOver }` while a request waits: the last refusal, and whether automatic tries have ended. */
export function useOutage() {
  const [, set] = useState({});
  useEffect(() => {
    listeners.add(set);
    return () => void listeners.delete(set);
  }, []);
  const last = [...waiting.values()].at(-1);
  return last ? { error: last.error, isOver: !timer && rounds >= MOST } : null;
}
