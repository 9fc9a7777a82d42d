// Changes several issues of a list at once, and can undo that.
import { useState } from "preact/hooks";
import { ask, inProject } from "../api.mjs";
import { attempt, stateOf } from "../parts/change.mjs";
import { useKnown } from "../parts/known.mjs";
import { useEditor } from "../parts/opening.mjs";
import { toast } from "../parts/toast.jsx";
import { refusal } from "../rights.mjs";
import { PickLabels, PickOne } from "./issue-fields.jsx";

const AT_ONCE = 4;

/** Calls `act` for each, AT_ONCE at a time: `{ done, failed }`, what it returned and the errors. */
async function forEach(list, act, tell) {
  const waiting = [...list];
  const done = [];
  const failed = [];
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) {
      await act(one).then(
        (result) => done.push(result),
        (error) => failed.push(error),
      );
      tell(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, failed };
}

const turned = { close: "reopen", reopen: "close" };
const many = (count) => (count === 1 ? "1 issue" : `${count} issues`);

/** `issues`: the chosen ones. `changed()` is called after each change, `clear()` to choose none. */
export function Bulk({ issues, project, user, changed, clear }) {
  const { known } = useKnown(project, true);
  const [open, setOpen, close, button] = useEditor();
  const [at, setAt] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  const of = (issue) => inProject(project, `/issues/${issue.iid}`);
  const refused = issues.map((issue) => refusal.edit(issue, known, user)).find(Boolean) ?? null;
  const plans = refused ?? refusal.plan(known, user);
  // no button is enabled before it is known whether the user may change issues
  const waits = at !== null || known === null;

  async function run(list, words, act, undo) {
    setFailure("");
    setAt({ count: 0, of: list.length });
    const { done, failed } = await forEach(list, act, (count) => setAt({ count, of: list.length }));
    setAt(null);
    if (failed[0]) setFailure(`${many(failed.length)} not: ${failed[0].message}`);
    if (done.length) toast(`${words} ${many(done.length)}.`, undo && (() => undo(done)));
    clear();
    changed();
  }
  const turn = (list, event, words, last) =>
    run(
      list,
      words,
      (issue) => ask("PUT", of(issue), { body: { state_event: event } }).then(() => issue),
      last ? undefined : (done) => turn(done, turned[event], "Put back", true),
    );
  const put = (name, next, words) => {
    const save = async (issue, value) => {
      const { saved } = await attempt(of(issue), issue, { [name]: value });
      if (!saved) throw new Error("Somebody else changed it meanwhile.");
      return saved;
    };
    const act = (issue) => {
      const before = stateOf(issue).fields[name];
      return save(issue, next(before)).then((saved) => ({ saved, before }));
    };
    const back = ({ saved, before }) => save(saved, before);
    run(issues, words, act, (done) => run(done, "Put back", back));
  };
  const one = (name) => (key) => put(name, () => key, "Changed");
  const editors = {
    assignee: () => <PickOne kind="assignee" label="Assignee" none="Nobody" project={project} pick={one("assignee")} close={close} />,
    labels: () => (
      <PickLabels
        project={project}
        value={[]}
        pick={(added) => put("labels", (before) => [...new Set([...before, ...added])].sort(), "Labelled")}
        close={close}
      />
    ),
    milestone: () => <PickOne kind="milestone" label="Milestone" none="None" project={project} pick={one("milestone")} close={close} />,
  };
  const opens = (name, words, letter) => (
    <button
      class="small"
      disabled={Boolean(plans) || waits}
      aria-keyshortcuts={letter}
      onClick={() => setOpen(name)}
      ref={name === "assignee" ? button : undefined}
    >
      {words}
    </button>
  );
  const states = new Set(issues.map(({ state }) => state));
  if (!issues.length && !at && !failure) return null;
  return (
    <section class="bulk" aria-label="Chosen issues">
      <p role="status">
        {at ? `${at.count} of ${at.of} …` : issues.length > 0 && `${many(issues.length)} chosen`}
        {!at && !issues.length && failure && <span class="overdue">{failure}</span>}
      </p>
      {issues.length > 0 &&
        (open ? (
          editors[open]()
        ) : (
          <p class="actions">
            {states.has("opened") && (
              <button
                class="small"
                disabled={Boolean(refused) || waits}
                onClick={() =>
                  turn(
                    issues.filter(({ state }) => state === "opened"),
                    "close",
                    "Closed",
                  )
                }
              >
                Close
              </button>
            )}
            {states.has("closed") && (
              <button
                class="small"
                disabled={Boolean(refused) || waits}
                onClick={() =>
                  turn(
                    issues.filter(({ state }) => state === "closed"),
                    "reopen",
                    "Reopened",
                  )
                }
              >
                Reopen
              </button>
            )}
            {opens("assignee", "Assign", "a")}
            {opens("labels", "Add labels", "l")}
            {opens("milestone", "Set milestone")}
            <button class="small" onClick={clear}>
              Choose none
            </button>
            {plans && <small>{plans}</small>}
          </p>
        ))}
    </section>
  );
}
