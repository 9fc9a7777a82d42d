import { useState } from "preact/hooks";
import { ask, inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Buttons, TextField, useDraft, useSending } from "../parts/draft.jsx";
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
        <NewIssue project={project} known={known} user={session.user} />
      ) : (
        <>
          <Heading title={`New issue · ${project}`}>New issue</Heading>
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

const names = (text) =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean);

const focus = (element) => element?.focus({ preventScroll: true });

/** `known`: the project, null while it loads. */
function NewIssue({ project, known, user }) {
  const [title, setTitle, forgetTitle] = useDraft(`${project} new title`);
  const [description, setDescription, forgetDescription] = useDraft(`${project} new text`);
  const [rest, setRest] = useState({ labels: "", assignee_id: "", milestone_id: "", due_date: "", confidential: false });
  const planRefused = refusal.plan(known, user);
  const refused = refusal.write(known, user);
  const { labels, milestones, members } = useChoices(project);
  const { busy, error, send } = useSending();
  const field = (name) => ({ value: rest[name], onInput: (event) => setRest({ ...rest, [name]: event.target.value }) });

  async function submit(event) {
    event.preventDefault();
    const { labels, assignee_id, milestone_id, ...others } = rest;
    const chosen = planRefused
      ? others
      : { ...rest, assignee_id: Number(assignee_id), milestone_id: Number(milestone_id), labels: names(labels).join(",") };
    for (const name of Object.keys(chosen)) if (!chosen[name]) delete chosen[name];
    const body = { title, description, ...chosen };
    const answer = await send(body, (once) => ask("POST", inProject(project, "/issues"), { body, once }));
    if (!answer) return;
    forgetTitle();
    forgetDescription();
    goTo(to.issue(project, answer.data.iid));
  }
  const cancel = () => {
    forgetTitle();
    forgetDescription();
    goTo(to.issues(project));
  };
  return (
    <form class="issue-form" onSubmit={submit}>
      <Heading title={`New issue · ${project}`}>New issue</Heading>
      <label>
        Title
        <input ref={focus} value={title} onInput={(event) => setTitle(event.currentTarget.value)} required maxLength={255} />
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
            {members.map((member) => (
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
            {milestones.map((one) => (
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
        <input
          type="checkbox"
          checked={rest.confidential}
          onChange={(event) => setRest({ ...rest, confidential: event.currentTarget.checked })}
        />
        Confidential: only its author, its assignee and reporters of the project can see it
      </label>
      {error && <Problem error={error} />}
      <Buttons button="Create issue" busy={busy} disabled={Boolean(refused)} cancel={cancel}>
        {refused && <small>{refused}</small>}
      </Buttons>
    </form>
  );
}
