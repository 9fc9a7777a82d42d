// The filters of a list of issues, as chips. The address has them all.
import { useRef, useState } from "preact/hooks";
import { useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { later } from "../parts/later.jsx";
import { Menu } from "../parts/menu.jsx";
import { useEditor } from "../parts/opening.mjs";
import { Picker, useSuggestions } from "../parts/picker.jsx";
import { to } from "../route.mjs";

const Views = later("working", "Views", true);

export const SORTS = [
  ["created_at desc", "Newest"],
  ["created_at asc", "Oldest"],
  ["updated_at desc", "Recently changed"],
  ["updated_at asc", "Least recently changed"],
  ["due_date asc", "Due soonest"],
  ["due_date desc", "Due latest"],
];

const DUE = { overdue: "overdue", today: "today", week: "this week", month: "this month", any: "any day", 0: "no day" };

/** By the name in the address: words, and where suggestions come from. */
const KINDS = {
  labels: { words: "Label", source: "labels", several: true },
  assignee: { words: "Assignee", source: "assignee" },
  author: { words: "Author", source: "assignee", always: true },
  milestone: { words: "Milestone", source: "milestone" },
  due: { words: "Due", values: Object.entries(DUE).map(([key, words]) => ({ key, words })) },
};
const EITHER = [
  { key: "Any", words: "Any" },
  { key: "None", words: "None" },
];

/**
 * Converts the address's parameters into the API's.
 * @param {Record<string, any>} filter
 */
export function apiQuery({ state = "opened", sort = SORTS[0][0], labels, milestone, author, assignee, due, search, per_page }) {
  const [order_by, direction] = (SORTS.some(([key]) => key === sort) ? sort : SORTS[0][0]).split(" ");
  return {
    state: state === "all" ? undefined : state,
    labels,
    milestone,
    author_username: author,
    ...(["None", "Any"].includes(assignee) ? { assignee_id: assignee } : { assignee_username: assignee }),
    due_date: due,
    search,
    order_by,
    sort: direction,
    with_labels_details: true,
    per_page: per_page ?? 20,
  };
}

/** How many issues are in each state, by the same filters: `{ counts: { opened, closed, all }, recount }`. */
export function useCounts(path, filter) {
  const { state, order_by, sort, with_labels_details, per_page, ...rest } = apiQuery(filter);
  const { data, reload } = useApi(path, rest);
  return { counts: data?.statistics.counts ?? {}, recount: reload };
}

const split = (text) =>
  (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);
const fits =
  (text) =>
  ({ words, more = "" }) =>
    `${words} ${more}`.toLowerCase().includes(text.trim().toLowerCase());

/** Suggestions of the API. */
function Suggested({ project, kind, ...rest }) {
  const [text, setText] = useState("");
  const { source, always } = KINDS[kind];
  const { options, loading } = useSuggestions(project, source, text);
  const offered = [...options.map((option) => ({ ...option, key: option.name })), ...(always ? [] : EITHER.filter(fits(text)))];
  return <Choosing kind={kind} options={offered} text={text} setText={setText} loading={loading} {...rest} />;
}

/** All values of a filter that can be chosen. */
function Listed({ kind, ...rest }) {
  const [text, setText] = useState("");
  return <Choosing kind={kind} options={KINDS[kind].values.filter(fits(text))} text={text} setText={setText} {...rest} />;
}

/**
 * A text that is not suggested can be chosen, too: a member who left, a closed milestone.
 * @param {{ kind: any, options: any[], text: string, setText: (text: string) => void, loading?: boolean, [rest: string]: any }} props
 */
function Choosing({ kind, options, text, setText, loading, chosen, choose, close }) {
  const typed = text.trim();
  const isKnown = KINDS[kind].values || !typed || loading || options.some(({ key, words }) => [key, words].includes(typed));
  const offered = isKnown ? options : [...options, { key: typed, words: `“${typed}”` }];
  return (
    <Picker
      label={KINDS[kind].words}
      options={offered}
      chosen={chosen}
      choose={({ key }) => choose(key)}
      close={close}
      text={text}
      setText={setText}
      loading={loading}
    />
  );
}

/** `view`: the name of these filters, if they have one; `all`: what chooses all issues. */
export function Filters({ project, filter, view, user, density, all }) {
  const [adding, setAdding, close, button] = useEditor();
  const last = useRef(/** @type {any} */ (null));
  const go = (changes) => goTo(to.issues(project, { ...filter, ...changes }), { stays: true });
  const submit = (event) => {
    event.preventDefault();
    go({ search: String(new FormData(event.currentTarget).get("search")).trim() });
  };
  const valuesOf = (kind) => (KINDS[kind].several ? split(filter[kind]) : filter[kind] ? [filter[kind]] : []);
  const without = (kind, value) => ({
    ...filter,
    [kind]: KINDS[kind].several
      ? valuesOf(kind)
          .filter((one) => one !== value)
          .join(",")
      : undefined,
  });
  const choose = (kind) => (value) => {
    close();
    // Any and None exclude other values
    const before =
      KINDS[kind].several && !["Any", "None"].includes(value) ? valuesOf(kind).filter((one) => ![value, "Any", "None"].includes(one)) : [];
    go({ [kind]: [...before, value].join(",") });
  };
  const given = Object.keys(KINDS).flatMap((kind) => valuesOf(kind).map((value) => [kind, value]));
  const Suggestions = adding && KINDS[adding].source ? Suggested : Listed;
  const turn = (kind) => (adding === kind ? close() : setAdding((last.current = kind)));
  return (
    <>
      <div class="list-bar">
        {all}
        <form class="filters" role="search" aria-label="Issues" onSubmit={submit}>
          <label>
            <span class="unseen">Search</span>
            <input
              type="search"
              name="search"
              maxLength={255}
              placeholder="Search"
              defaultValue={filter.search ?? ""}
              key={filter.search}
            />
          </label>
          <button>Find</button>
        </form>
        <div class="more" role="group" aria-label="Filters">
          <Menu label={null} title="Named filters" face="Views">
            <Views project={project} filter={filter} view={view} user={user} />
          </Menu>
          {Object.entries(KINDS).map(([kind, { words }]) => (
            <span class="menu" key={kind}>
              <button
                class="small"
                ref={kind === last.current ? button : undefined}
                aria-expanded={kind === adding}
                // the focus would leave the field, which closes it, and the click would open it again
                onMouseDown={(event) => kind === adding && event.preventDefault()}
                onClick={() => turn(kind)}
              >
                + {words}
              </button>
              {kind === adding && (
                <div>
                  <Suggestions project={project} kind={kind} chosen={valuesOf(kind)} choose={choose(kind)} close={close} />
                </div>
              )}
            </span>
          ))}
          <label class="order">
            <span class="unseen">Order</span>
            <select
              value={filter.sort ?? SORTS[0][0]}
              onChange={({ currentTarget: target }) => go({ sort: target.value === SORTS[0][0] ? undefined : target.value })}
            >
              {SORTS.map(([key, words]) => (
                <option key={key} value={key} selected={key === (filter.sort ?? SORTS[0][0])}>
                  {words}
                </option>
              ))}
            </select>
          </label>
          {density}
        </div>
      </div>
      {(given.length > 0 || filter.search) && (
        <p class="chips">
          {given.map(([kind, value]) => (
            <span class="chip" key={`${kind} ${value}`}>
              {KINDS[kind].words}: {(kind === "due" && DUE[value]) || value}
              <a href={to.issues(project, without(kind, value))} aria-label={`Remove the filter ${KINDS[kind].words} ${value}`}>
                ×
              </a>
            </span>
          ))}
          <a href={to.issues(project, { state: filter.state, sort: filter.sort })}>Clear the filters</a>
        </p>
      )}
    </>
  );
}
