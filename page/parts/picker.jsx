// A field that suggests what can be chosen, for the mouse and the keyboard.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { inProject, useApi } from "../api.mjs";
import { rememberLabels } from "./marks.jsx";
import { focus } from "./opening.mjs";

/** The value, but not before the user has paused. */
export function usePaused(value, millis = 150) {
  const [paused, set] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => set(value), millis);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

/** What a project has to choose from: where to ask, and what an answer is as `{ key, words, more, colour, of }`. */
export const SOURCES = {
  assignee: {
    path: "/members/all",
    search: "query",
    option: (user) => ({ key: user.id, words: user.name, more: `@${user.username}`, name: user.username, of: user }),
  },
  labels: { path: "/labels", search: "search", option: ({ name, color }) => ({ key: name, words: name, colour: color, name }) },
  milestone: {
    path: "/milestones",
    search: "search",
    query: { state: "active" },
    option: (milestone) => ({ key: milestone.id, words: milestone.title, name: milestone.title, of: milestone }),
  },
  issue: {
    path: "/issues",
    search: "search",
    query: { state: "opened", in: "title" },
    option: (issue) => ({ key: issue.iid, words: issue.title, more: `#${issue.iid}`, of: issue }),
  },
};

/** Suggestions of the project for a text: `{ options, loading }`. */
export function useSuggestions(project, kind, text) {
  const { path, search, query, option } = SOURCES[kind];
  const words = usePaused(text.trim());
  const { data, loading } = useApi(inProject(project, path), { ...query, [search]: words || undefined, per_page: 20 });
  if (kind === "labels" && data) rememberLabels(project, data);
  const last = useRef(/** @type {any[]} */ ([]));
  if (data) last.current = data.map(option);
  const isStale = loading || words !== text.trim();
  // until the answer to this text is there, Enter must not choose an option that only fitted an earlier text
  const fits = ({ words, more = "" }) => `${words} ${more}`.toLowerCase().includes(text.trim().toLowerCase());
  return { options: isStale ? last.current.filter(fits) : last.current, loading: isStale };
}

/**
 * `options`: `{ key, words, more, colour }`. `chosen`: keys. `choose(option)` is called for each choice, `close()` for
 * Escape and when the focus leaves. `text`, `setText`: what was typed.
 * @param {{ label: string, options: any[], chosen?: any[], choose: (option: any) => void, close: (left?: boolean) => void, text: string, setText: (text: string) => void, multiple?: boolean, loading?: boolean, children?: any }} props
 */
export function Picker({ label, options, chosen = [], choose, close, text, setText, multiple, loading, children }) {
  const id = useId();
  const [at, setAt] = useState(0);
  const box = useRef(/** @type {any} */ (null));
  const active = Math.min(at, options.length - 1);
  // Enter before the suggestions are there takes the one for the text once they are
  const [waits, setWaits] = useState(false);
  const isHere = waits && !loading;
  useEffect(() => {
    if (!isHere) return;
    setWaits(false);
    const wanted = options.find(({ words }) => words.toLowerCase() === text.trim().toLowerCase()) ?? options[active];
    if (wanted) choose(wanted);
  }, [isHere]);
  useEffect(() => {
    box.current.querySelector("[data-active]")?.scrollIntoView({ block: "nearest" });
  }, [active, options.length]);
  const keys = {
    ArrowDown: () => setAt(Math.min(active + 1, options.length - 1)),
    ArrowUp: () => setAt(Math.max(active - 1, 0)),
    Enter: () => (options[active] ? choose(options[active]) : setWaits(Boolean(text.trim()))),
    Escape: () => close(),
  };
  const press = (event) => {
    if (event.isComposing || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  };
  const leave = (event) => {
    // null: the field is closed already
    if (box.current && !box.current.contains(event.relatedTarget)) close(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it watches what its field and its buttons get
    <div class="picker" ref={box} onFocusOut={leave} onKeyDown={(event) => event.key === "Escape" && press(event)}>
      <input
        ref={focus}
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={`${id}-list`}
        aria-activedescendant={options.length ? `${id}-${active}` : undefined}
        maxLength={255}
        placeholder="Type to search"
        autocomplete="off"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setWaits(false);
        }}
        onKeyDown={press}
      />
      <ul role="listbox" id={`${id}-list`} aria-label={label} aria-multiselectable={multiple ? "true" : undefined} tabIndex={-1}>
        {options.map((option, index) => (
          <li
            key={option.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={chosen.includes(option.key) ? "true" : "false"}
            data-active={index === active ? "" : undefined}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            {option.colour !== undefined && <i class="dot" style={option.colour ? { backgroundColor: option.colour } : undefined} />}
            {option.words}
            {option.more && <span class="quiet"> {option.more}</span>}
          </li>
        ))}
      </ul>
      {!options.length && (
        <p class="quiet" role="status">
          {loading ? "Loading …" : "Nothing like this."}
        </p>
      )}
      {children}
    </div>
  );
}
