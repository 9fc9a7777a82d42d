// A field of a form that suggests values.
import { useRef, useState } from "preact/hooks";

/**
 * The list of an answer of the API, null until it has come: none after an error.
 * @param {import("../api.mjs").Answered} answer
 * @returns {any[] | null}
 */
export const listOf = ({ data, error, isStale }) => (isStale ? null : (data ?? (error ? [] : null)));

/**
 * A field with suggestions `[value, words]` of what was typed, null until they are known. Enter takes one of them. It
 * sends the form only if the list is closed: if the text is one of the suggestions, or none fits.
 * @param {{ about: Record<string, any> & { id: string }, suggestions: any[] | null, value: string, change: (value: string) => void }} props
 */
export function Suggesting({ about, suggestions, value, change }) {
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const list = `${about.id}-list`;
  // those of the text before stay until then
  const last = useRef(/** @type {any[]} */ ([]));
  if (suggestions) last.current = suggestions;
  const fits = ([one, words]) => `${one} ${words}`.toLowerCase().includes(value.trim().toLowerCase());
  const shown = open && !last.current.some(([one]) => one === value) ? last.current.filter(fits) : [];
  const active = Math.min(at, shown.length - 1);
  const choose = ([one]) => {
    setOpen(false);
    change(one);
  };
  const keys = {
    ArrowDown: () => setAt((active + 1) % shown.length),
    ArrowUp: () => setAt((active + shown.length - 1) % shown.length),
    Enter: () => choose(shown[active]),
    Escape: () => setOpen(false),
  };
  const press = (event) => {
    if (open && !suggestions && event.key === "Enter") event.preventDefault();
    if (!shown.length || event.isComposing || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  };
  const type = (event) => {
    change(event.currentTarget.value);
    setOpen(true);
    setAt(0);
  };
  return (
    <div class="suggesting">
      <input
        {...about}
        maxLength={about.maxLength ?? 255}
        role="combobox"
        aria-expanded={shown.length ? "true" : "false"}
        aria-autocomplete="list"
        aria-controls={shown.length ? list : undefined}
        aria-activedescendant={shown.length ? `${list}-${active}` : undefined}
        value={value}
        autocomplete="off"
        onInput={type}
        onKeyDown={press}
        onBlur={() => setOpen(false)}
      />
      {shown.length > 0 && (
        <ul role="listbox" id={list} aria-label="Suggestions">
          {shown.map((one, index) => (
            <li
              key={one[0]}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === active ? "true" : "false"}
              data-active={index === active ? "" : undefined}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(one)}
            >
              {one[0]} <span class="quiet">{one[1]}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
