import { useState } from "preact/hooks";
import { ask, inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { TextField, useDraft, useSending } from "../parts/draft.jsx";
import { Empty, Heading, Problem, SignInButton } from "../parts/feedback.jsx";
import { useKnown } from "../parts/known.mjs";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { refusal } from "../rights.mjs";
import { to } from "../route.mjs";

export function NewIssuePage({ project, session }) {
  const { known, error } = useKnown(project, Boolean(session));
  if (error) return <NotThere error={error} what="project" />;
  return (
    <>
      <ProjectHead project={project} tab="issues" />
      {session ? (
        <IssueForm project={project} known={known} user={session.user} onDone={(issue) => goTo(to.issue(project, issue.iid))} onCancel={() => goTo(to.issues(project))} />
      ) : (
        <>
          <Heading title="New issue">New issue</Heading>
          <Empty title="Sign in to write an issue.">
            <SignInButton text="Sign in to write one" />
          </Empty>
        </>
      )}
    </>
  );
}

/** A list that the user may not read is empty. */
function useChoices(project) {
  const query = { per_page: 100 };
  return {
    labels: useApi(inProject(project, "/labels"), query).data ?? [],
    milestones: useApi(inProject(project, "/milestones"), { ...query, state: "active" }).data ?? [],
    members: useApi(inProject(project, "/members/all"), query).data ?? [],
  };
}

const names = (text) => text.split(",").map((name) => name.trim()).filter(Boolean);

/** `issue`: the issue to edit, undefined for a new one. `known`: the project, null while it loads. */
export function IssueForm({ issue, project, known, user, onDone, onCancel }) {
  const draft = `${project} ${issue ? `#${issue.iid}` : "new"}`;
  const [title, setTitle, forgetTitle] = useDraft(`${draft} title`, issue?.title);
  const [description, setDescription, forgetDescription] = useDraft(`${draft} text`, issue?.description ?? "");
  const [rest, setRest] = useState({
    labels: issue?.labels.join(", ") ?? "",
    assignee_id: String(issue?.assignee?.id ?? ""),
    milestone_id: String(issue?.milestone?.id ?? ""),
    due_date: issue?.due_date ?? "",
    confidential: issue?.confidential ?? false,
  });
  const planRefused = refusal.plan(known, user);
  const refused = issue ? refusal.edit(issue, known, user) : refusal.write(known, user);
  const { labels, milestones, members } = useChoices(project);
  const { busy, error, send } = useSending();
  const field = (name) => ({ value: rest[name], onInput: (event) => setRest({ ...rest, [name]: event.target.value }) });

  async function submit(event) {
    event.preventDefault();
    const { labels, assignee_id, milestone_id, ...others } = rest;
    const chosen = planRefused ? others : { ...rest, assignee_id: Number(assignee_id), milestone_id: Number(milestone_id), labels: names(labels).join(",") };
    if (!issue) for (const name of Object.keys(chosen)) if (!chosen[name]) delete chosen[name];
    const body = { title, description, ...chosen };
    const path = inProject(project, issue ? `/issues/${issue.iid}` : "/issues");
    const answer = await send(body, (once) => ask(issue ? "PUT" : "POST", path, { body, once: issue ? undefined : once }));
    if (!answer) return;
    forgetTitle();
    forgetDescription();
    onDone(answer.data);
  }
  const cancel = () => {
    forgetTitle();
    forgetDescription();
    onCancel();
  };
  const people = issue?.assignee && !members.some((member) => member.id === issue.assignee.id) ? [issue.assignee, ...members] : members;
  const offered = issue?.milestone && !milestones.some((one) => one.id === issue.milestone.id) ? [issue.milestone, ...milestones] : milestones;
  return (
    <form class="issue-form" onSubmit={submit}>
      <Heading title={issue ? `Edit #${issue.iid}` : "New issue"}>{issue ? `Edit issue #${issue.iid}` : "New issue"}</Heading>
      <label>
        Title
        <input value={title} onInput={(event) => setTitle(event.target.value)} required maxLength={255} />
      </label>
      <TextField label="Description" value={description} onInput={setDescription} project={project} rows={10} />
      <div class="fields">
        <label>
          Labels
          <input {...field("labels")} disabled={Boolean(planRefused)} list="all-labels" placeholder="bug, ci" autocomplete="off" />
          <datalist id="all-labels">
            {labels.map((label) => (
              <option key={label.id} value={label.name} />
            ))}
          </datalist>
        </label>
        <label>
          Assignee
          <select {...field("assignee_id")} disabled={Boolean(planRefused)}>
            <option value="">Nobody</option>
            {people.map((member) => (
              <option key={member.id} value={String(member.id)} selected={rest.assignee_id === String(member.id)}>
                {member.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Milestone
          <select {...field("milestone_id")} disabled={Boolean(planRefused)}>
            <option value="">None</option>
            {offered.map((one) => (
              <option key={one.id} value={String(one.id)} selected={rest.milestone_id === String(one.id)}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
        <label>
          Due
          <input type="date" {...field("due_date")} />
        </label>
      </div>
      {planRefused && <small>{planRefused}</small>}
      <label class="check">
        <input type="checkbox" checked={rest.confidential} onChange={(event) => setRest({ ...rest, confidential: event.target.checked })} />
        Confidential: only its author, its assignee and reporters of the project can see it
      </label>
      {error && <Problem error={error} />}
      <p class="actions">
        <button class="primary" disabled={busy || Boolean(refused)}>
          {busy ? "Sending …" : issue ? "Save" : "Create issue"}
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
        {refused && <small>{refused}</small>}
      </p>
    </form>
  );
}
