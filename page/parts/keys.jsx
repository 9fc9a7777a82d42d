// Keys that lead somewhere, and the list of them.
import { useEffect, useRef, useState } from "preact/hooks";
import { goTo } from "../navigate.mjs";
import { to } from "../route.mjs";

const OFF = "edgeforge-keys-off";
const LIST = [
  ["/", "Search, or filter the list"],
  ["c", "Write a new issue in this project"],
  ["j", "Next entry of a list"],
  ["k", "Entry before it"],
  ["Enter", "Open the entry"],
  ["x", "Choose the entry, to change several issues at once"],
  ["g i", "Issues of this project"],
  ["g c", "Commits of this project"],
  ["g o", "Overview of this project"],
  ["g h", "All projects"],
  ["g t", "To do"],
  ["g s", "Search everywhere"],
  ["Ctrl Enter", "Send the text that you write"],
  ["?", "This list"],
];

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

function search() {
  /** @type {HTMLInputElement | null} */
  const field = document.querySelector("main input[type=search]");
  if (field) field.select();
  else goTo(to.search());
  return field?.focus();
}

function choose() {
  /** @type {HTMLElement | null | undefined} */
  const box = document.activeElement?.closest(".row")?.querySelector(".choose");
  box?.click();
}

/** `project`: the one that the page is about, if any. */
export function Keys({ project }) {
  const dialog = useRef(/** @type {any} */ (null));
  const [isOff, setOff] = useState(() => localStorage.getItem(OFF) !== null);
  const now = useRef({ project, isOff });
  now.current = { project, isOff };
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
      "/": search,
      c: () => inProject(to.newIssue),
      j: () => move(1),
      k: () => move(-1),
      x: choose,
      "?": () => dialog.current.open || dialog.current.showModal(),
    };
    const press = (event) => {
      const { key, ctrlKey, metaKey, altKey, isComposing, defaultPrevented } = event;
      if (ctrlKey || metaKey || altKey || isComposing || defaultPrevented || isTyping(event) || (now.current.isOff && key !== "?")) return;
      const isSecond = before && event.timeStamp - before < 1500;
      const act = (isSecond ? after : alone)[key];
      before = key === "g" && !isSecond ? event.timeStamp : null;
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  const turn = (event) => {
    setOff(!event.target.checked);
    if (event.target.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  };
  return (
    <dialog ref={dialog} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {LIST.map(([keys, words]) => [
          <dt key={keys}>
            {keys.split(" ").map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>,
          <dd key={words}>{words}</dd>,
        ])}
      </dl>
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
