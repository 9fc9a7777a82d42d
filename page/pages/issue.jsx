// `/:namespace/:project/-/issues/:iid`
import { useState } from "preact/hooks";
import { ask, get, inProject, useApi } from "../api.mjs";
import { goTo, scrollToFragment } from "../navigate.mjs";
import { CommentForm, useSending } from "../parts/draft.jsx";
import { Answer, ForMembers, Heading, Problem } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Markdown } from "../parts/markdown.jsx";
import { useKnown } from "../parts/known.mjs";
import { hasColour, Labels, Person, rememberLabels, State } from "../parts/marks.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { useTouched } from "../parts/seen.mjs";
import { Day, Time } from "../parts/time.jsx";
import { refusal } from "../rights.mjs";
import { to } from "../route.mjs";
import { IssueForm } from "./issue-form.jsx";
import { MoveIssue } from "./issue-move.jsx";
import { Notes } from "./notes.jsx";

const PER_PAGE = 100;

export function IssuePage({ project, iid, session }) {
  const path = inProject(project, `/issues/${iid}`);
  const answer = useApi(path);
  const touched = useTouched();
  const notes = useApi(session?.token ? `${path}/notes` : null, { sort: "asc", per_page: PER_PAGE });
  if (answer.error && !answer.data) return <NotThere error={answer.error} what="issue" retry={answer.reload} />;
  const more = async () => {
    const { data, next } = await get(`${path}/notes`, { sort: "asc", per_page: PER_PAGE, ...notes.next });
    notes.set((before) => [...before, ...data], next);
  };
  return (
    <>
      <ProjectHead project={project} tab="issues" />
      <Answer of={answer} what="Loading the issue">
        {(issue) => <Issue issue={issue} path={path} project={project} answer={answer} notes={notes} more={more} session={session} touched={touched} />}
      </Answer>
    </>
  );
}

/** Only lists of issues contain the colours of labels, so this fetches a list of one issue. */
function useColours({ iid, labels }, project, wanted) {
  const missing = labels.some((name) => !hasColour(project, name));
  const { data } = useApi(wanted && missing ? inProject(project, "/issues") : null, { "iids[]": iid, with_labels_details: true });
  if (data?.[0]) rememberLabels(project, data[0].labels);
}

/** `touched`: the user has moved or typed. Requests that reading does not need wait for this. */
function Issue({ issue, path, project, answer, notes, more, session, touched }) {
  const [doing, setDoing] = useState(null);
  const { known } = useKnown(project, Boolean(session?.token) && touched);
  useColours(issue, project, !session?.token || touched);
  const changed = (next) => {
    answer.set((before) => ({ ...before, ...next }));
    setDoing(null);
    if (session?.token) notes.reload();
  };
  const comment = async (body, once) => {
    const { data } = await ask("POST", `${path}/notes`, { body: { body }, once });
    notes.set((before) => [...(before ?? []), data]);
  };
  return (
    <article class="issue">
      {doing === "edit" ? (
        <IssueForm issue={issue} project={project} known={known} user={session.user} onDone={changed} onCancel={() => setDoing(null)} />
      ) : (
        <>
          <Heading title={`${issue.title} (#${issue.iid})`}>
            {issue.title} <span class="number">#{issue.iid}</span>
          </Heading>
          <p class="byline">
            <State state={issue.state} />
            {issue.confidential && (
              <span class="tag">
                <Icon name="lock" /> Confidential
              </span>
            )}
            <span>
              <Person user={issue.author} /> opened this <Time at={issue.created_at} />
              {issue.closed_by && issue.state === "closed" && (
                <>
                  , {issue.closed_by.name} closed it <Time at={issue.closed_at} />
                </>
              )}
            </span>
          </p>
        </>
      )}
      <div class="with-aside">
        <div>
          {doing !== "edit" && (
            <div class="card">
              {issue.description ? <Markdown text={issue.description} project={project} /> : <p class="quiet">No description.</p>}
            </div>
          )}
          {session?.token && <Actions issue={issue} path={path} known={known} user={session.user} doing={doing} setDoing={setDoing} changed={changed} />}
          {doing === "move" && <MoveIssue issue={issue} path={path} onCancel={() => setDoing(null)} onDone={(moved) => goTo(new URL(moved.web_url).pathname)} />}
          <section aria-labelledby="comments">
            <h2 id="comments">Comments {issue.user_notes_count > 0 && <span class="count">{issue.user_notes_count}</span>}</h2>
            <ForMembers what="the comments" />
            {session?.token && (
              <Answer of={notes} what="Loading comments">
                {(list) => <Notes notes={list} path={path} project={project} known={known} session={session} set={notes.set} more={notes.next && more} shown={scrollToFragment} />}
              </Answer>
            )}
            {session && <CommentForm name={`${project}#${issue.iid}`} project={project} post={comment} refused={refusal.comment(issue, known, session.user)} />}
          </section>
        </div>
        <Aside issue={issue} path={path} project={project} session={session} set={answer.set} />
      </div>
    </article>
  );
}

function Actions({ issue, path, known, user, doing, setDoing, changed }) {
  const { busy, error, send } = useSending();
  const closed = issue.state === "closed";
  const turn = async () => {
    const state_event = closed ? "reopen" : "close";
    const answer = await send(state_event, () => ask("PUT", path, { body: { state_event } }));
    if (answer) changed(answer.data);
  };
  if (doing) return null;
  const [edit, move] = [refusal.edit(issue, known, user), refusal.move(known, user)];
  return (
    <>
      <p class="actions">
        <button disabled={Boolean(edit)} onClick={() => setDoing("edit")}>
          Edit
        </button>
        <button disabled={Boolean(edit) || busy} onClick={turn}>
          {closed ? "Reopen" : "Close"} issue
        </button>
        <button disabled={Boolean(move)} onClick={() => setDoing("move")}>
          Move
        </button>
        {(edit ?? move) && <small>{edit ?? move}</small>}
      </p>
      {error && <Problem error={error} />}
    </>
  );
}

const Fact = ({ name, children }) => (
  <div class="fact">
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Aside({ issue, path, project, session, set }) {
  return (
    <aside aria-label="About this issue">
      <dl>
        <Fact name="Assignee">
          <Person user={issue.assignee} />
        </Fact>
        <Fact name="Labels">{issue.labels.length ? <Labels labels={issue.labels} project={project} /> : <span class="quiet">none</span>}</Fact>
        <Fact name="Milestone">
          {issue.milestone ? <a href={to.milestone(project, issue.milestone.iid)}>{issue.milestone.title}</a> : <span class="quiet">none</span>}
        </Fact>
        <Fact name="Due">{issue.due_date ? <Day at={issue.due_date} /> : <span class="quiet">no date</span>}</Fact>
        {issue.task_completion_status?.count > 0 && (
          <Fact name="Tasks">
            {issue.task_completion_status.completed_count} of {issue.task_completion_status.count} done
          </Fact>
        )}
        <Fact name="Changed">
          <Time at={issue.updated_at} />
        </Fact>
      </dl>
      {session?.token && <Watching issue={issue} path={path} set={set} />}
    </aside>
  );
}

function Watching({ issue, path, set }) {
  const { busy, error, send } = useSending();
  const [noted, setNoted] = useState("");
  const subscribe = async () => {
    const verb = issue.subscribed ? "unsubscribe" : "subscribe";
    const answer = await send(verb, () => ask("POST", `${path}/${verb}`));
    if (answer) set((before) => ({ ...before, subscribed: verb === "subscribe" }));
  };
  const remind = async () => {
    const answer = await send("todo", () => ask("POST", `${path}/todo`));
    if (answer) setNoted(answer.data ? "Added to your to-do list." : "This issue is already on your to-do list.");
  };
  return (
    <div class="watching">
      <button class="small" disabled={busy} aria-pressed={Boolean(issue.subscribed)} onClick={subscribe}>
        <Icon name="bell" /> {issue.subscribed ? "Unsubscribe" : "Subscribe"}
      </button>
      <button class="small" disabled={busy} onClick={remind}>
        <Icon name="plus" /> Add to-do
      </button>
      <p role="status" class="quiet">
        {noted}
      </p>
      {error && <Problem error={error} />}
    </div>
  );
}
