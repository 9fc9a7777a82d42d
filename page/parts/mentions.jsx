// Suggestions of people after `@` and of issues after `#` while a text is written.
import { useId, useState } from "preact/hooks";
import { inProject, useApi } from "../api.mjs";
import { useSession } from "../session.mjs";

const MARK = /(?:^|[\s(,;:])([@#])([\w.-]{0,40})$/;
const MOST = 6;

const ALL = 100;

/** Lower is nearer: the beginning of the username, of a word of the name, then inside of either. */
function distance({ name, username }, typed) {
  const fits = [
    username.startsWith(typed),
    name.split(/[\s.-]+/).some((word) => word.startsWith(typed)),
    username.includes(typed) || name.includes(typed),
  ];
  return fits.indexOf(true);
}

/** The people that a word may name, the nearest first. */
export function nearest(people, typed) {
  const lower = ({ name, username }) => ({ name: name.toLowerCase(), username: username.toLowerCase() });
  return people
    .map((person) => ({ person, far: distance(lower(person), typed.toLowerCase()) }))
    .filter(({ far }) => far >= 0)
    .sort((one, other) => one.far - other.far)
    .map(({ person }) => person);
}

/** The members of the project for a word. Up to a hundred are asked for once; of more, the API finds those that have it. */
function usePeople(project, word) {
  const typed = word?.mark === "@" ? word.typed : null;
  const path = typed !== null && project ? inProject(project, "/members/all") : null;
  const all = useApi(path, { per_page: ALL });
  const some = useApi(path && typed && all.next ? path : null, { query: typed, per_page: ALL });
  return typed === null ? [] : nearest(some.data ?? all.data ?? [], typed);
}

function useIssues(project, word) {
  const typed = word?.mark === "#" ? word.typed : null;
  const query = /^\d+$/.test(typed ?? "") ? { "iids[]": typed } : { search: typed || undefined, state: "opened" };
  const { data } = useApi(typed !== null && project ? inProject(project, "/issues") : null, { ...query, per_page: MOST });
  return typed === null ? [] : (data ?? []);
}

/**
 * For a textarea with `value` and `onInput(text)`: `{ list, attributes, seen, press }`. `seen` is for its input event, `press`
 * for its keydown; it returns whether the key was for the list.
 */
export function useMentions(project, value, onInput) {
  const session = useSession();
  const id = useId();
  // where the word begins, its mark and what is typed of it
  const [word, setWord] = useState(/** @type {any} */ (null));
  const [at, setAt] = useState(0);
  const asked = session?.id ? word : null;
  const people = usePeople(project, asked);
  const issues = useIssues(project, asked);
  const options = [
    ...people.map(({ name, username }) => ({ insert: `@${username}`, words: `@${username}`, more: name })),
    ...issues.map(({ iid, title }) => ({ insert: `#${iid}`, words: `#${iid}`, more: title })),
  ].slice(0, MOST);
  const active = Math.min(at, options.length - 1);
  const seen = ({ target }) => {
    const found = target.selectionStart === target.selectionEnd && MARK.exec(target.value.slice(0, target.selectionStart));
    setWord(
      found ? { mark: found[1], typed: found[2], from: target.selectionStart - found[2].length - 1, until: target.selectionStart } : null,
    );
    setAt(0);
  };
  const choose = (one, area) => {
    const before = `${value.slice(0, word.from)}${one.insert} `;
    const whole = before + value.slice(word.until);
    // at once, because the next key may come before the field is drawn again
    area.value = whole;
    area.focus();
    area.setSelectionRange(before.length, before.length);
    setWord(null);
    onInput(whole);
  };
  const press = (event) => {
    if (!options.length || event.isComposing || event.ctrlKey || event.metaKey) return false;
    const keys = {
      ArrowDown: () => setAt((active + 1) % options.length),
      ArrowUp: () => setAt((active + options.length - 1) % options.length),
      Enter: () => choose(options[active], event.target),
      Tab: () => choose(options[active], event.target),
      Escape: () => setWord(null),
    };
    if (!Object.hasOwn(keys, event.key)) return false;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
    return true;
  };
  const open = options.length > 0;
  /** @type {import("preact").TextareaHTMLAttributes} */
  const attributes = {
    "aria-autocomplete": "list",
    "aria-controls": open ? id : undefined,
    "aria-activedescendant": open ? `${id}-${active}` : undefined,
  };
  const list = open && (
    <ul role="listbox" id={id} class="mentions" aria-label={word.mark === "@" ? "People" : "Issues"}>
      {options.map((one, index) => (
        <li
          key={one.insert}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active ? "true" : "false"}
          data-active={index === active ? "" : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={(event) => choose(one, event.currentTarget.closest(".text-field")?.querySelector("textarea"))}
        >
          {one.words} <span class="quiet">{one.more}</span>
        </li>
      ))}
    </ul>
  );
  return { list, attributes, seen, press, left: () => setWord(null) };
}
