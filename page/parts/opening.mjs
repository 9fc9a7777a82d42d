// What opens takes the focus, and gives it back when it closes: keys that are typed next belong to it.
import { useRef, useState } from "preact/hooks";

/** As the `ref` of an element: it takes the focus when it appears. */
export const focus = (element) => element?.focus();

/** As the `ref` of a form: its first field takes the focus, the caret behind the text. */
export function focusFirst(form) {
  const field = form?.querySelector("input:not([type=file]), select, textarea");
  field?.focus();
  if (field?.localName === "textarea") field.setSelectionRange(field.value.length, field.value.length);
}

/** Whether nothing has the focus, because the element that had it is gone. */
const isFree = () => !document.activeElement || document.activeElement === document.body;

const CONTROL = "a[href], button:not(:disabled, [tabindex='-1'])";

/**
 * Keeps the focus on the page: where what had it is gone, the next control gets it, and a button that was disabled for a while
 * gets it back. Otherwise the next key would begin at the top.
 */
export function keepFocus() {
  let last = /** @type {any} */ (null);
  let page = "";
  // where it is, from the inside: elements, and which of their children it is in
  let places = /** @type {[Element, number][]} */ ([]);
  const took = ({ target }) => {
    last = target;
    page = location.pathname;
    places = [];
    for (let one = target; one.parentElement; one = one.parentElement)
      places.push([one.parentElement, [...one.parentElement.children].indexOf(one)]);
  };
  const forget = () => {
    last = null;
  };
  // what is still there was left on purpose, also where the page changes before the next one has the focus
  const left = ({ relatedTarget }) =>
    relatedTarget ? forget() : setTimeout(() => last?.isConnected && !last.disabled && isFree() && forget());
  const look = () => {
    if (!last || !isFree() || location.pathname !== page) return;
    if (last.isConnected) return last.disabled || last.focus();
    for (const [parent, at] of places) {
      if (!parent.isConnected) continue;
      const controls = [...parent.querySelectorAll(CONTROL)];
      const isBehind = (one) => [...parent.children].findIndex((child) => child.contains(one)) >= at;
      const next = controls.find(isBehind) ?? controls.at(-1);
      if (next) return /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
    }
  };
  document.addEventListener("focusin", took);
  document.addEventListener("focusout", left, true);
  document.addEventListener("pointerdown", forget);
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
}

/**
 * Opens and closes an editor: `[open, setOpen, close, ref]`. The button with `ref` gets the focus back, unless the editor was
 * closed because the focus went elsewhere, `close(true)`, or the user went on while it was saved.
 * @returns {[any, (open: any) => void, (left?: boolean) => void, (button: HTMLElement | null) => void]}
 */
export function useEditor(first = /** @type {any} */ (null)) {
  const [open, setOpen] = useState(/** @type {any} */ (first));
  const comes = useRef(false);
  const close = (left) => {
    comes.current = left !== true;
    setOpen(null);
  };
  const ref = (element) => {
    if (!element || !comes.current) return;
    comes.current = false;
    if (isFree()) element.focus();
  };
  return [open, setOpen, close, ref];
}
