// The field in the head that finds everything. The code of what it finds is loaded when it gets the focus.
import { useRef, useState } from "preact/hooks";
import { goTo } from "../navigate.mjs";
import { to } from "../route.mjs";
import { Icon } from "./icons.jsx";
import { later } from "./later.jsx";

const Found = later("finding", "Found", true);
let open = () => {};
export const openFinder = () => open();

/** `project`: the one that the page is about, if any. */
export function Finder({ project, session }) {
  const field = useRef(/** @type {any} */ (null));
  // what had the focus before a key led here
  const before = useRef(/** @type {any} */ (undefined));
  // what the list makes of a key, and which of its options is active
  const keys = useRef(/** @type {any} */ (null));
  const [text, setText] = useState("");
  const [shown, setShown] = useState(false);
  const [active, setActive] = useState("");
  const words = text.trim();
  open = () => {
    before.current = document.activeElement?.closest("main *") ?? undefined;
    field.current.focus();
    field.current.select();
  };
  // the focus stays on the page, where letters are keys
  const close = (last = document.getElementById("main")) => {
    setShown(false);
    last?.focus({ preventScroll: true });
  };
  const go = (address) => {
    close();
    setText("");
    goTo(address);
  };
  const everything = to.search({ search: words, project });
  const submit = (event) => {
    event.preventDefault();
    if (words) go(everything);
  };
  const press = (event) => {
    if (event.isComposing) return;
    if (event.key !== "Escape") return keys.current?.(event);
    event.preventDefault();
    close(before.current);
  };
  const leave = ({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || setShown(false);
  return (
    <form role="search" aria-label="Everything" class="find" onSubmit={submit} onFocusOut={leave}>
      <Icon name="search" />
      <input
        ref={field}
        role="combobox"
        aria-label="Find anything"
        aria-keyshortcuts="/ Control+K"
        aria-expanded={shown}
        aria-autocomplete="list"
        aria-controls={shown ? "found" : undefined}
        aria-activedescendant={(shown && words && active) || undefined}
        placeholder={project ? "Find, or go to #12, a hash, a file" : "Find issues, projects, people"}
        autocomplete="off"
        enterKeyHint="search"
        spellcheck={false}
        maxLength={255}
        value={text}
        onFocus={() => setShown(true)}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={press}
      />
      <span class="key" aria-hidden="true">
        /
      </span>
      {shown && (
        <Found text={words} project={project} session={session} go={go} everything={everything} keys={keys} setActive={setActive} />
      )}
    </form>
  );
}
