// The side column of an issue. Each field is changed in place, by itself, and the change can be undone.
import { useState } from "preact/hooks";
import { attempt, stateOf } from "../parts/change.mjs";
import { useSending } from "../parts/draft.jsx";
import { Problem } from "../parts/feedback.jsx";
import { Labels, Person, rememberLabels } from "../parts/marks.jsx";
import { focus, useEditor } from "../parts/opening.mjs";
import { Picker, useSuggestions } from "../parts/picker.jsx";
import { Day, isOverdue, Time } from "../parts/time.jsx";
import { toast } from "../parts/toast.jsx";
import { refusal } from "../rights.mjs";
import { to } from "../route.mjs";
import { userOf } from "../session.mjs";

const WORDS = {
  title: ["Title", (issue) => issue.title],
  assignee: ["Assignee", (issue) => issue.assignee?.name ?? "nobody"],
  labels: ["Labels", (issue) => issue.labels.map((label) => label.name ?? label).join(", ") || "none"],
  milestone: ["Milestone", (issue) => issue.milestone?.title ?? "none"],
  due_date: ["Due date", (issue) => issue.due_date ?? "no date"],
  confidential: ["Confidentiality", (issue) => (issue.confidential ? "confidential" : "visible")],
};

const some = (issue, names) => Object.fromEntries(names.map((name) => [name, issue[name]]));

/**
 * Changes one field at once, and shows a line to undo that: `{ change(name, value, shown), busy, error }`. `change`
 * returns whether the value was saved. `shown`: the fields of the issue as they will be, which `show` shows at once and
 * takes back if they are not saved. `changed(issue)` is called with the newest state.
 */
export function useChanges(issue, path, changed, show) {
  const { busy, error, send } = useSending();
  const [lost, setLost] = useState("");
  async function put(name, state, value, shown, before, done) {
    const [label, words] = WORDS[name];
    setLost("");
    show(shown);
    const answer = await send([name, value], () => attempt(path, state, { [name]: value }));
    if (!answer) {
      show(before);
      return false;
    }
    changed(answer.saved ?? answer.theirs);
    if (answer.saved) {
      const back = () => put(name, stateOf(answer.saved), state.fields[name], before, shown, "Put back.");
      toast(`${label}: ${words(answer.saved)}. ${done}`, done === "Saved." ? back : null);
    } else {
      setLost(
        `Not saved, because somebody else changed it meanwhile. ${label} now: ${words(answer.theirs)}. Choose again if you want yours.`,
      );
    }
    return Boolean(answer.saved);
  }
  return {
    busy,
    error: lost ? { message: lost } : error,
    change: (name, value, shown) => put(name, stateOf(issue), value, shown, some(issue, Object.keys(shown)), "Saved."),
  };
}

/**
 * `edit(close)` is shown while the field is changed. Without it the field is only read. `letter`: the key that opens it.
 * @param {{ name: string, children: any, edit?: false | null | ((close: () => void) => any), letter?: string }} props
 */
export function Fact({ name, children, edit, letter }) {
  const [open, setOpen, close, button] = useEditor();
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>
        {open && edit ? (
          edit(close)
        ) : (
          <>
            <span>{children}</span>
            {edit && (
              <button type="button" class="small change" ref={button} aria-keyshortcuts={letter} onClick={() => setOpen(true)}>
                Change<span class="unseen"> {name.toLowerCase()}</span>
              </button>
            )}
          </>
        )}
      </dd>
    </div>
  );
}

/**
 * One of the project's people or milestones, or none. `pick(key, record)`.
 * @param {{ kind: string, label: string, "none": string, project: string, value?: any, pick: (key: any, record?: any) => void, close: () => void }} props
 */
export function PickOne({ kind, label, none, project, value, pick, close }) {
  const [text, setText] = useState("");
  const { options, loading } = useSuggestions(project, kind, text);
  const offered = text.trim() ? options : [{ key: 0, words: none }, ...options];
  const choose = (option) => {
    close();
    if (option.key !== value) pick(option.key, option.of ?? null);
  };
  return (
    <Picker
      label={label}
      options={offered}
      chosen={[value]}
      choose={choose}
      close={close}
      text={text}
      setText={setText}
      loading={loading}
    />
  );
}

/** The colour that the API gives to labels that a change of an issue creates. */
const NEW_COLOUR = "#428BCA";

/** The choice is applied when the picker closes, in whatever way. */
export function PickLabels({ project, value, pick, close }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(value);
  const { options, loading } = useSuggestions(project, "labels", text);
  const wanted = text.trim();
  const known = [...options.map(({ key }) => key), ...value];
  const made =
    wanted && !wanted.includes(",") && !loading && !known.includes(wanted) ? [{ key: wanted, words: `Add the new label “${wanted}”` }] : [];
  // those of the issue first, so that they can be taken off
  const own = wanted ? [] : chosen.filter((name) => !options.some(({ key }) => key === name)).map((name) => ({ key: name, words: name }));
  const choose = ({ key }) => {
    if (made[0]?.key === key) rememberLabels(project, [{ name: key, color: NEW_COLOUR }]);
    setChosen(chosen.includes(key) ? chosen.filter((name) => name !== key) : [...chosen, key].sort());
    setText("");
  };
  const done = (left) => {
    close(left);
    if (chosen.join() !== value.join()) pick(chosen);
  };
  return (
    <Picker
      label="Labels"
      options={[...own, ...options, ...made]}
      chosen={chosen}
      choose={choose}
      close={done}
      text={text}
      setText={setText}
      multiple
      loading={loading}
    >
      <p class="quiet">{chosen.length ? chosen.join(", ") : "No labels"}</p>
      <p class="actions">
        <button class="small" type="button" onClick={() => done()}>
          Done
        </button>
      </p>
    </Picker>
  );
}

function PickDay({ value, pick, close }) {
  const [day, setDay] = useState(value);
  const submit = (event) => {
    event.preventDefault();
    close();
    if (day !== value) pick(day);
  };
  return (
    <form onSubmit={submit} onKeyDown={(event) => event.key === "Escape" && close()}>
      <input type="date" aria-label="Due date" value={day} ref={focus} onInput={(event) => setDay(event.currentTarget.value)} />
      <p class="actions">
        <button class="small primary">Save date</button>
        <button class="small" type="button" onClick={() => setDay("")}>
          No date
        </button>
        <button class="small" type="button" onClick={() => close()}>
          Cancel
        </button>
      </p>
    </form>
  );
}

const Confidential = ({ value, pick }) => (
  <label class="check">
    <input type="checkbox" checked={value} onChange={(event) => pick(event.currentTarget.checked)} />
    Confidential
  </label>
);

export const DueDay = ({ issue }) => (
  <span class={isOverdue(issue) ? "overdue" : undefined}>
    <Day at={issue.due_date} />
    {isOverdue(issue) && " (overdue)"}
  </span>
);

/** `rights`: the project for `refusal`. */
export function Aside({ issue, path, project, session, rights, changed, show, children }) {
  const changes = useChanges(issue, path, changed, show);
  const user = userOf(session);
  const edits = user && !refusal.edit(issue, rights, user);
  const plans = edits && !refusal.plan(rights, user);
  const { fields } = stateOf(issue);
  // the record of an issue has a user or a milestone where its change has an id
  const pick =
    (name, shown = (value, _record) => value) =>
    (value, record) =>
      changes.change(name, value, { [name]: shown(value, record) });
  const whole = (_, record) => record;
  return (
    <aside aria-label="About this issue">
      <dl>
        <Fact
          name="Assignee"
          letter="a"
          edit={
            plans &&
            ((close) => (
              <PickOne
                kind="assignee"
                label="Assignee"
                none="Nobody"
                project={project}
                value={fields.assignee}
                pick={pick("assignee", whole)}
                close={close}
              />
            ))
          }
        >
          <Person user={issue.assignee} />
        </Fact>
        <Fact
          name="Labels"
          letter="l"
          edit={plans && ((close) => <PickLabels project={project} value={fields.labels} pick={pick("labels")} close={close} />)}
        >
          {issue.labels.length ? <Labels labels={issue.labels} project={project} /> : <span class="quiet">none</span>}
        </Fact>
        <Fact
          name="Milestone"
          edit={
            plans &&
            ((close) => (
              <PickOne
                kind="milestone"
                label="Milestone"
                none="None"
                project={project}
                value={fields.milestone}
                pick={pick("milestone", whole)}
                close={close}
              />
            ))
          }
        >
          {issue.milestone ? (
            <a href={to.milestone(project, issue.milestone.iid)}>{issue.milestone.title}</a>
          ) : (
            <span class="quiet">none</span>
          )}
        </Fact>
        <Fact
          name="Due"
          edit={edits && ((close) => <PickDay value={fields.due_date} pick={pick("due_date", (day) => day || null)} close={close} />)}
        >
          {issue.due_date ? <DueDay issue={issue} /> : <span class="quiet">no date</span>}
        </Fact>
        {edits && (
          <div class="fact">
            <dt>Visibility</dt>
            <dd>
              <Confidential value={issue.confidential} pick={pick("confidential")} />
            </dd>
          </div>
        )}
        {issue.task_completion_status?.count > 0 && (
          <Fact name="Tasks">
            {issue.task_completion_status.completed_count} of {issue.task_completion_status.count} done
          </Fact>
        )}
        <Fact name="Changed">
          <Time at={issue.updated_at} />
        </Fact>
      </dl>
      {changes.error && <Problem error={changes.error} />}
      {children}
    </aside>
  );
}
