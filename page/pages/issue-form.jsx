// A new issue. `?milestone=` of its address chooses the milestone of that title.
import { ask, inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Buttons, TextField, useDraft, useSending } from "../parts/draft.jsx";
import { Empty, Heading, Problem, SignInButton } from "../parts/feedback.jsx";
import { useKnown } from "../parts/known.mjs";
import { Labels, Person } from "../parts/marks.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { refusal } from "../rights.mjs";
import { to } from "../route.mjs";
import { Fact, PickLabels, PickOne } from "./issue-fields.jsx";

export function NewIssuePage({ project, search, session }) {
  const { known, error } = useKnown(project, Boolean(session));
  if (error) return <NotThere error={error} what="project" />;
  return (
    <>
      <ProjectHead project={project} tab="issues" />
      {session ? (
        <NewIssue project={project} known={known} user={session.user} wanted={new URLSearchParams(search).get("milestone")} />
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

const focus = (element) => element?.focus({ preventScroll: true });

const NOTHING = { labels: [], assignee: null, milestone: null, due_date: "", confidential: false };

/** `known`: the project, null while it loads. `wanted`: the title of the milestone that the address names, if it does. */
function NewIssue({ project, known, user, wanted }) {
  const [title, setTitle, forgetTitle] = useDraft(`${project} new title`);
  const [description, setDescription, forgetDescription] = useDraft(`${project} new text`);
  const [kept, keep, forgetRest] = useDraft(`${project} new fields`, "{}");
  const planRefused = refusal.plan(known, user);
  const named = useApi(wanted && !planRefused ? inProject(project, "/milestones") : null, { title: wanted });
  const milestone = named.data?.[0];
  const draft = JSON.parse(kept);
  // the milestone of the address counts until the user has changed a field, and then that of the draft
  const isChosen = milestone && draft.wanted !== wanted;
  const rest = { ...NOTHING, ...draft, ...(isChosen && { milestone }) };
  const set = (changes) => keep(JSON.stringify({ ...rest, ...changes, ...(isChosen && { wanted }) }));
  const refused = refusal.write(known, user);
  const { busy, error, send } = useSending();
  const forget = () => [forgetTitle, forgetDescription, forgetRest].forEach((forgets) => forgets());

  async function submit(event) {
    event.preventDefault();
    const { labels, assignee, milestone, due_date, confidential } = rest;
    const plan = planRefused ? {} : { labels: labels.join(","), assignee_id: assignee?.id, milestone_id: milestone?.id };
    const fields = Object.entries({ ...plan, due_date, confidential }).filter(([, value]) => value);
    const body = { title, description, ...Object.fromEntries(fields) };
    const answer = await send(body, (once) => ask("POST", inProject(project, "/issues"), { body, once }));
    if (!answer) return;
    forget();
    goTo(to.issue(project, answer.data.iid));
  }
  const cancel = () => {
    forget();
    goTo(to.issues(project));
  };
  return (
    <form class="issue-form with-aside" onSubmit={submit}>
      <div>
        <Heading title={`New issue · ${project}`}>New issue</Heading>
        <label>
          Title
          <input ref={focus} dir="auto" value={title} onInput={(event) => setTitle(event.currentTarget.value)} required maxLength={255} />
        </label>
        <TextField label="Description" value={description} onInput={setDescription} project={project} rows={10} />
        {error && <Problem error={error} />}
      </div>
      <NewFields project={project} rest={rest} set={set} planRefused={planRefused} />
      <Buttons button="Create issue" busy={busy} disabled={Boolean(refused) || named.loading} cancel={cancel}>
        {refused && <small>{refused}</small>}
      </Buttons>
    </form>
  );
}

function NewFields({ project, rest, set, planRefused }) {
  const one = (kind, label, none) =>
    !planRefused &&
    ((close) => (
      <PickOne
        kind={kind}
        label={label}
        none={none}
        project={project}
        value={rest[kind]?.id ?? 0}
        pick={(_, record) => set({ [kind]: record })}
        close={close}
      />
    ));
  return (
    <aside aria-label="About this issue">
      <dl>
        <Fact name="Assignee" edit={one("assignee", "Assignee", "Nobody")}>
          <Person user={rest.assignee} />
        </Fact>
        <Fact
          name="Labels"
          edit={
            !planRefused &&
            ((close) => <PickLabels project={project} value={rest.labels} pick={(labels) => set({ labels })} close={close} />)
          }
        >
          {rest.labels.length ? <Labels labels={rest.labels} project={project} /> : <span class="quiet">none</span>}
        </Fact>
        <Fact name="Milestone" edit={one("milestone", "Milestone", "None")}>
          {rest.milestone?.title ?? <span class="quiet">none</span>}
        </Fact>
      </dl>
      {planRefused && <small>{planRefused}</small>}
      <label>
        Due
        <input type="date" value={rest.due_date} onInput={(event) => set({ due_date: event.currentTarget.value })} />
      </label>
      <label class="check">
        <input type="checkbox" checked={rest.confidential} onChange={(event) => set({ confidential: event.currentTarget.checked })} />
        Confidential
      </label>
      <small>A confidential issue is seen by its author, its assignee and reporters of the project.</small>
    </aside>
  );
}
