// The search over the page. The field is there at once; the code of what it finds is loaded with the first search.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { goTo } from "../navigate.mjs";
import { to } from "../route.mjs";
import { later } from "./later.jsx";
import { focus } from "./opening.mjs";

const Found = later("finding", "Found", true);
let open = () => {};
export const openFinder = () => open();

/** `project`: the one that the page is about, if any. */
export function Finder({ project, session }) {
  const dialog = useRef(/** @type {any} */ (null));
  const [shown, setShown] = useState(false);
  open = () => setShown(true);
  // before the next key arrives
  useLayoutEffect(() => {
    if (shown && !dialog.current.open) dialog.current.showModal();
  }, [shown]);
  const close = () => dialog.current.close();
  return (
    <dialog
      ref={dialog}
      class="finder"
      aria-label="Go to"
      onClose={() => setShown(false)}
      onClick={(event) => event.target === dialog.current && close()}
    >
      {shown && <Field project={project} session={session} close={close} />}
    </dialog>
  );
}

function Field({ project, session, close }) {
  const [text, setText] = useState("");
  // what the list makes of a key, and which of its options is active
  const keys = useRef(/** @type {any} */ (null));
  const [active, setActive] = useState("");
  const words = text.trim();
  const go = (address) => {
    close();
    goTo(address);
  };
  const everything = to.search({ search: words, project });
  const submit = (event) => {
    event.preventDefault();
    if (words) go(everything);
  };
  return (
    <form role="search" class="finding" onSubmit={submit}>
      <input
        ref={focus}
        role="combobox"
        aria-label={project ? `Search ${project} and all projects` : "Search all projects"}
        aria-expanded={words ? "true" : "false"}
        aria-autocomplete="list"
        aria-controls={words ? "found" : undefined}
        aria-activedescendant={(words && active) || undefined}
        placeholder={project ? "#12, a hash, a file, a word" : "A project, a word"}
        autocomplete="off"
        enterKeyHint="search"
        spellcheck={false}
        maxLength={255}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.isComposing || keys.current?.(event)}
      />
      {words ? (
        <Found text={words} project={project} session={session} go={go} everything={everything} keys={keys} setActive={setActive} />
      ) : (
        <p class="quiet">
          {project && "In a project, #12 leads to an issue, a hash to a commit, a name to a file. "}A word finds issues, projects, people
          and milestones.
        </p>
      )}
    </form>
  );
}
