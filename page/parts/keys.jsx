// Keys that lead somewhere, and the list of them.
import { useEffect, useRef, useState } from "preact/hooks";
import { goTo } from "../navigate.mjs";
import { to } from "../route.mjs";
import { openFinder } from "./finder.jsx";
import { later } from "./later.jsx";
import { toast } from "./toast.jsx";

const KeysList = later("finding", "KeysList", true);
const OFF = "edgeforge-keys-off";

/**
 * Forms in which letters are text and not keys, wherever the focus is: opened ones, and those with a change. A form
 * that is always on its page has `data-idle` until it is changed. While a menu is open, or a form loads, they are neither.
 */
const FILLING = "main form:not(.filters, [data-idle]), .picker, .asks, .menu > div, .waits, dialog[open]";
const isTyping = ({ target }) => Boolean(target.closest?.("input, textarea, select, dialog, [role=listbox], [contenteditable]"));

/** Moves the focus by `step` in the list of the page. */
function move(step) {
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll("main .row-title, main .row-main > a:first-child");
  const links = [...found];
  const at = links.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const next = links[at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step];
  next?.focus();
}

function filter() {
  /** @type {HTMLInputElement | null} */
  const field = document.querySelector("main input[type=search]");
  field?.select();
  field?.focus();
}

/** Presses the button that has the key, if the page has one that may be pressed. */
function press(key) {
  /** @type {HTMLElement | null} */
  const button = document.querySelector(`main [aria-keyshortcuts="${key}"]`);
  button?.click();
}

function choose() {
  /** @type {HTMLElement | null | undefined} */
  const box = document.activeElement?.closest(".row")?.querySelector(".choose");
  box?.click();
}

/** Presses Cancel of the form that has the focus, or else of the first one, if nothing would be lost. */
function leave(event) {
  if (event.target.closest(".menu, .asks, dialog")) return;
  const form = event.target.closest("form") ?? document.querySelector("main form:has([data-cancel])");
  const button = form?.querySelector("[data-cancel]");
  if (!button) return;
  event.preventDefault();
  if (form.dataset.changed) toast("Not closed, because something was changed. Cancel drops it.");
  else button.click();
}

let open = () => {};
export const openKeys = () => open();

/** `project`: the one that the page is about, if any. */
export function Keys({ project }) {
  const dialog = useRef(/** @type {any} */ (null));
  const [isOff, setOff] = useState(() => localStorage.getItem(OFF) !== null);
  const now = useRef({ project, isOff });
  now.current = { project, isOff };
  const [shown, setShown] = useState(false);
  open = () => {
    setShown(true);
    if (!dialog.current.open) dialog.current.showModal();
  };
  useEffect(() => {
    let before = null;
    const inProject = (address) => now.current.project && goTo(address(now.current.project));
    const after = {
      i: () => inProject(to.issues),
      c: () => inProject(to.commits),
      o: () => inProject(to.project),
      h: () => goTo("/"),
      t: () => goTo("/todos"),
      s: () => goTo(to.search()),
    };
    const alone = {
      "/": openFinder,
      f: filter,
      e: () => press("e"),
      l: () => press("l"),
      a: () => press("a"),
      c: () => inProject(to.newIssue),
      j: () => move(1),
      k: () => move(-1),
      x: choose,
      "?": openKeys,
    };
    const pressed = (event) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, isComposing, defaultPrevented } = event;
      if (isComposing || defaultPrevented) return;
      if (key === "Escape") leave(event);
      if (key === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey) {
        event.preventDefault();
        openFinder();
      }
      if (ctrlKey || metaKey || altKey || isTyping(event) || document.querySelector(FILLING) || (now.current.isOff && key !== "?")) return;
      const isSecond = before && event.timeStamp - before < 1500;
      const act = (isSecond ? after : alone)[key];
      before = key === "g" && !isSecond ? event.timeStamp : null;
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
  const turn = (event) => {
    setOff(!event.target.checked);
    if (event.target.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  };
  return (
    <dialog ref={dialog} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      {shown && <KeysList />}
      <label class="check">
        <input type="checkbox" checked={!isOff} onChange={turn} />
        Use these keys in this browser
      </label>
      <p class="actions">
        <button onClick={() => dialog.current.close()}>Close</button>
      </p>
    </dialog>
  );
}
