import { ask, get, inProject } from "../api.mjs";
import { useSending } from "./draft.jsx";
import { Problem } from "./feedback.jsx";
import { Asks, Form, Opens } from "./form.jsx";
import { Day } from "./time.jsx";

export const MILESTONE_FIELDS = [
  { name: "title", label: "Title", required: true, most: 255 },
  { name: "description", label: "Description", type: "markdown" },
  { name: "start_date", label: "Starts", type: "date" },
  { name: "due_date", label: "Due", type: "date" },
];

export const MilestoneFacts = ({ milestone }) => (
  <>
    <span class="tag">{milestone.state}</span>
    {milestone.start_date && (
      <span class="quiet">
        starts <Day at={milestone.start_date} />
      </span>
    )}
    {milestone.due_date && (
      <span class={milestone.expired && milestone.state === "active" ? "overdue" : "quiet"}>
        due <Day at={milestone.due_date} />
        {milestone.expired && milestone.state === "active" && " (overdue)"}
      </span>
    )}
  </>
);

/** Edit, close or activate, delete. `changed(milestone)` and `deleted()` are called afterwards. */
export function MilestoneActions({ milestone, project, changed, deleted }) {
  const path = inProject(project, `/milestones/${milestone.id}`);
  const { busy, error, send } = useSending();
  const put = (body, _key, seen) => ask("PUT", path, { body, since: seen?.updated_at }).then(({ data }) => changed(data));
  const event = milestone.state === "active" ? "close" : "activate";
  return (
    <div class="row-actions">
      <button class="small" disabled={busy} onClick={() => send(event, () => put({ state_event: event }))}>
        {event === "close" ? "Close" : "Reopen"}
        <span class="unseen"> {milestone.title}</span>
      </button>
      <Asks
        button="Delete"
        of={milestone.title}
        question={`Delete ${milestone.title} and remove it from its issues?`}
        act={() => ask("DELETE", path).then(deleted)}
      />
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
      {error && <Problem error={error} />}
    </div>
  );
}
