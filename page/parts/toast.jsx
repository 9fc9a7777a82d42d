// A line at the bottom of the screen with the last change, and a button to undo it.
import { useEffect, useState } from "preact/hooks";

const SECONDS = 8;
let show = (_made) => {};

/**
 * Replaces the line before it. `undo`: takes the change back.
 * @param {string} words
 * @param {(() => unknown) | null} [undo]
 */
export const toast = (words, undo) => show({ words, undo, path: location.pathname });

/** The line disappears after some seconds, by Escape, and with its page, where the change is no longer visible. */
export function Toast({ path }) {
  const [made, setMade] = useState(/** @type {any} */ (null));
  const [held, setHeld] = useState(false);
  show = setMade;
  const shown = made?.path === path ? made : null;
  useEffect(() => {
    if (!shown) return;
    const press = (event) => event.key === "Escape" && !event.defaultPrevented && setMade(null);
    const timer = held ? undefined : setTimeout(() => setMade(null), SECONDS * 1000);
    document.addEventListener("keydown", press);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("keydown", press);
    };
  }, [shown, held]);
  const hold = { onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false), onFocusIn: () => setHeld(true) };
  const undo = () => {
    setMade(null);
    setHeld(false);
    shown.undo();
  };
  return (
    <div class="toast" role="status" aria-live="polite" {...hold} onFocusOut={() => setHeld(false)}>
      {shown && (
        <p>
          {shown.words}{" "}
          {shown.undo && (
            <button class="small" onClick={undo}>
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  );
}
