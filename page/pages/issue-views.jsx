// Views of a project: filters of its issues with a name. A view is an address, so it can be sent to others; this browser keeps those
// that the user named.
import { useState } from "preact/hooks";
import { goTo } from "../navigate.mjs";
import { to } from "../route.mjs";

/** @returns {[string, Record<string, string>][]} */
const common = (user) => [
  ["Open", {}],
  ...(user
    ? /** @type {[string, Record<string, string>][]} */ ([
        ["Yours", { assignee: user.username }],
        ["Written by you", { author: user.username, state: "all" }],
      ])
    : []),
  ["Without assignee", { assignee: "None" }],
  ["Overdue", { due: "overdue" }],
  ["Changed lately", { state: "all", sort: "updated_at desc" }],
];

/** `[views, keep]`, the views that the user named in this browser, each `[name, filter]`. */
function useKept(project, user) {
  const key = `edgeforge-views ${user?.id ?? ""} ${project}`;
  const [views, set] = useState(() => {
    try {
      return /** @type {[string, any][]} */ (JSON.parse(localStorage.getItem(key) ?? "[]"));
    } catch {
      return [];
    }
  });
  const keep = (next) => {
    set(next);
    if (next.length) localStorage.setItem(key, JSON.stringify(next));
    else localStorage.removeItem(key);
  };
  return /** @type {const} */ ([views, keep]);
}

export function Views({ project, filter, view, user }) {
  const [views, keep] = useKept(project, user);
  const others = (name) => views.filter(([one]) => one !== name);
  const submit = (event) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name")).trim();
    if (!name) return;
    keep([...others(name), [name, filter]]);
    goTo(to.issues(project, { ...filter, view: name }), { stays: true });
  };
  const link = ([name, its]) => (
    <a href={to.issues(project, { ...its, view: name })} aria-current={name === view ? "true" : undefined}>
      {name}
    </a>
  );
  return (
    <div class="views">
      {common(user).map((one) => (
        <p key={one[0]}>{link(one)}</p>
      ))}
      {views.map((one) => (
        <p key={`own ${one[0]}`}>
          {link(one)}
          <button class="small change" aria-label={`Forget ${one[0]}`} onClick={() => keep(others(one[0]))}>
            ×
          </button>
        </p>
      ))}
      {Object.keys(filter).length > 0 && (
        <form class="filters" onSubmit={submit}>
          <label>
            <span class="unseen">Name of these filters</span>
            <input name="name" maxLength={60} placeholder="Name these filters" defaultValue={view ?? ""} />
          </label>
          <button class="small">Keep</button>
        </form>
      )}
    </div>
  );
}
