import { ask, get, inProject, useApi } from "../api.mjs";
import { useSending } from "./draft.jsx";
import { Problem } from "./feedback.jsx";
import { Asks } from "./asks.jsx";
import { Form, Opens } from "./form.jsx";
import { Menu } from "./menu.jsx";
import { useSeen } from "./seen.mjs";
import { Day } from "./time.jsx";

export const MILESTONE_FIELDS = [
  { name: "title", label: "Title", required: true, most: 255 },
  { name: "description", label: "Description", type: "markdown" },
  { name: "start_date", label: "Starts", type: "date" },
  { name: "due_date", label: "Due", type: "date" },
];

export const MilestoneFacts = ({ milestone }) => (
  <>
    {milestone.state}
    {milestone.start_date && (
      <>
        , starts <Day at={milestone.start_date} />
      </>
    )}
    {milestone.due_date && (
      <>
        ,{" "}
        <span class={milestone.expired && milestone.state === "active" ? "overdue" : undefined}>
          due <Day at={milestone.due_date} />
          {milestone.expired && milestone.state === "active" && " (overdue)"}
        </span>
      </>
    )}
  </>
);

/**
 * How many of its issues are closed, as soon as `counts` has the numbers.
 * @param {{ milestone: any, counts?: Record<string, number>, seen?: any }} props
 */
export const Bar = ({ milestone, counts = {}, seen }) => (
  <span class="progress" ref={seen}>
    {Number.isInteger(counts.all) && (
      <>
        <progress value={counts.closed} max={counts.all || 1} aria-label={`Progress of ${milestone.title}`} />
        {counts.all ? `${counts.closed} of ${counts.all} issues closed` : "no issues"}
      </>
    )}
  </span>
);

/** Milestones come without counts, so each is counted when it becomes visible. */
export function Progress({ project, milestone }) {
  const [element, seen] = useSeen();
  const { data } = useApi(seen ? inProject(project, "/issues_statistics") : null, { milestone: milestone.title });
  return <Bar milestone={milestone} counts={data?.statistics.counts} seen={element} />;
}

/** Edit, close or activate, delete. `changed(milestone)` and `deleted()` are called afterwards. */
export function MilestoneActions({ milestone, project, changed, deleted }) {
  const path = inProject(project, `/milestones/${milestone.id}`);
  const { busy, error, send } = useSending();
  const put = (body, _key, seen) => ask("PUT", path, { body, since: seen?.updated_at }).then(({ data }) => changed(data));
  const event = milestone.state === "active" ? "close" : "activate";
  return (
    <>
      <Opens
        button={
          <>
            Edit<span class="unseen"> {milestone.title}</span>
          </>
        }
      >
        {(close) => (
          <Form
            fields={MILESTONE_FIELDS}
            value={milestone}
            draft={`milestone ${project} ${milestone.id}`}
            button="Save"
            save={put}
            current={() => get(path).then(({ data }) => data)}
            onCancel={close}
            project={project}
          />
        )}
      </Opens>
      <button class="small" disabled={busy} onClick={() => send(event, () => put({ state_event: event }))}>
        {event === "close" ? "Close" : "Reopen"}
        <span class="unseen"> {milestone.title}</span>
      </button>
      <Menu of={milestone.title}>
        <Asks
          button="Delete"
          of={milestone.title}
          question={`Delete ${milestone.title} and remove it from its issues?`}
          act={() => ask("DELETE", path).then(deleted)}
        />
      </Menu>
      {error && <Problem error={error} />}
    </>
  );
}
