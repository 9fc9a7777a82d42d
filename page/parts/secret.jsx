// A token, which the server shows only once: it stays until the user has copied it.
import { useState } from "preact/hooks";
import { session } from "../session.mjs";
import { Copy } from "./feedback.jsx";
import { focus } from "./opening.mjs";

/** What was not copied yet, by user and place. Only in memory, so it is lost when the tab closes. */
const waiting = new Map();
const warn = (event) => event.preventDefault();

/** Like `useState`. The value is there again when the user comes back to the page `place`; the browser asks before it closes the tab. */
export function useSecret(place) {
  const key = `${session()?.user?.id} ${place}`;
  const [, changed] = useState({});
  const set = (value) => {
    value ? waiting.set(key, value) : waiting.delete(key);
    (waiting.size ? addEventListener : removeEventListener)("beforeunload", warn);
    changed({});
  };
  return [waiting.get(key) ?? null, set];
}

/** It takes the focus, so that the next key does not leave the page. */
export const Secret = ({ token, onDone }) => (
  <div class="notice" role="status">
    <p>This is the only time that the token is shown. Copy it now.</p>
    <p class="hash">
      <code>{token}</code> <Copy text={token} what="the token" first={focus} />
      <button class="small" onClick={onDone}>
        I have copied it
      </button>
    </p>
  </div>
);
