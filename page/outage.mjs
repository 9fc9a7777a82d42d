// What the server could not answer for the moment (503) is asked again, all of it at once, and shown in one place.
import { useEffect, useState } from "preact/hooks";

/** How often it is asked again without being told to. */
const MOST = 6;
const waiting = new Map();
const listeners = new Set();
/** @type {any} */
let timer = 0;
let rounds = 0;

const tell = () => listeners.forEach((listener) => listener({}));

/** What the mirror has not sent yet is no outage: its page has words of its own for it. */
export const isOutage = ({ status, wait, message }) => status === 503 && Boolean(wait) && !message.includes("not mirrored yet");

/** `of`: what waits, the same for each of its tries. `again()` asks. */
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

/** It has its answer, or nobody wants it any more. */
export function answered(of) {
  if (!waiting.delete(of)) return;
  if (!waiting.size) {
    clearTimeout(timer);
    timer = 0;
    rounds = 0;
  }
  tell();
}

/** `{ error, isOver }` while something waits: the last refusal, and whether it is no longer asked again by itself. */
export function useOutage() {
  const [, set] = useState({});
  useEffect(() => {
    listeners.add(set);
    return () => void listeners.delete(set);
  }, []);
  const last = [...waiting.values()].at(-1);
  return last ? { error: last.error, isOver: !timer && rounds >= MOST } : null;
}
