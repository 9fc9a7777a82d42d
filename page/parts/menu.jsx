// A button with three dots, and what it opens: acts that are seldom wanted, such as Delete.
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons.jsx";

/** `of`: what the acts are about, for screen readers. */
export function Menu({ of, children }) {
  const [open, setOpen] = useState(false);
  const box = useRef(/** @type {any} */ (null));
  const id = useId();
  // before the next key arrives
  useLayoutEffect(() => {
    if (!open) return;
    box.current.querySelector(":scope > div button")?.focus();
    /** @param {any} event */
    const left = (event) => {
      const { type, key, target } = event;
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (step) {
        event.preventDefault();
        const acts = [...box.current.querySelectorAll(":scope > div button")];
        acts[(acts.indexOf(document.activeElement) + step + acts.length) % acts.length].focus();
      }
      if (type === "keydown" ? key !== "Escape" : box.current.contains(target)) return;
      setOpen(false);
      if (type === "keydown") box.current.querySelector("button").focus();
    };
    const signs = ["pointerdown", "focusin", "keydown"];
    signs.forEach((sign) => document.addEventListener(sign, left));
    return () => signs.forEach((sign) => document.removeEventListener(sign, left));
  }, [open]);
  return (
    <span class="menu" ref={box}>
      <button
        class="small"
        aria-label={`More for ${of}`}
        title="More"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
      </button>
      {open && <div id={id}>{children}</div>}
    </span>
  );
}
