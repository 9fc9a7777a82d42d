// A button, by default with three dots, and what it opens: acts and places that are seldom wanted, such as Delete.
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons.jsx";

/**
 * `of`: what the acts are about, for screen readers; `label`, `title`, `face`: the name of the button, null if
 * `face` has it, and what it shows. What has `data-closes`, and each link, closes the menu. `button`: a ref of the button.
 * @param {{ of?: string, label?: string | null, title?: string, face?: any, button?: (button: HTMLElement | null) => void, children: any }} props
 */
export function Menu({ of, label = `More for ${of}`, title = "More", face = <Icon name="more" />, button, children }) {
  const [open, setOpen] = useState(false);
  const box = useRef(/** @type {any} */ (null));
  const id = useId();
  const first = () => box.current.querySelector("button");
  const close = () => {
    setOpen(false);
    first().focus();
  };
  // before the next key arrives
  useLayoutEffect(() => {
    if (!open) return;
    const acts = () => [...box.current.querySelectorAll(":scope > div :is(button, a, input)")];
    acts()[0]?.focus();
    /** @param {any} event */
    const left = (event) => {
      const { type, key, target } = event;
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (step) {
        event.preventDefault();
        const all = acts();
        all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
      }
      const isIn = box.current.contains(target);
      if (type === "click" && isIn && target.closest("a, [data-closes]")) return close();
      if (type === "keydown" ? key !== "Escape" : isIn || type === "click") return;
      if (type === "keydown") close();
      else setOpen(false);
    };
    const signs = ["pointerdown", "focusin", "keydown", "click"];
    signs.forEach((sign) => document.addEventListener(sign, left));
    return () => signs.forEach((sign) => document.removeEventListener(sign, left));
  }, [open]);
  return (
    <span class="menu" ref={box}>
      <button
        class="small"
        ref={button}
        aria-label={label ?? undefined}
        title={title}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {face}
      </button>
      {open && <div id={id}>{children}</div>}
    </span>
  );
}
