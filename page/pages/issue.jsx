// `/:namespace/:project/-/issues/:iid`
import { useRef, useState } from "preact/hooks";
import { ask, get, inProject, useApi } from "../api.mjs";
import { goTo, scrollToFragment } from "../navigate.mjs";
import { attempt, stateOf } from "../parts/change.mjs";
import { CommentForm, useSending } from "../parts/draft.jsx";
import { Answer, Heading, Problem } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { later } from "../parts/later.jsx";
import { Live } from "../parts/live.jsx";
import { Markdown } from "../parts/markdown.jsx";
import { Person, rememberLabels, State } from "../parts/marks.jsx";
import { focus, useEditor } from "../parts/opening.mjs";
import { Menu } from "../parts/menu.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { withTask } from "../parts/tasks.mjs";
import { Time } from "../parts/time.jsx";
import { toast } from "../parts/toast.jsx";
import { refusal } from "../rights.mjs";
import { userOf } from "../session.mjs";
import { Foldable, Watching } from "./issue-beside.jsx";
import { Aside, useChanges } from "./issue-fields.jsx";
import { Notes } from "./notes.jsx";

const EditIssue = later("working", "EditIssue", "form");
const MoveIssue = later("working", "MoveIssue", "form");
const PER_PAGE = 100;

export function IssuePage({ project, iid, session }) {
  const path = inProject(project, `/issues/${iid}`);
  // its header has the user's role, so the first drawing has the right buttons
  const answer = useApi(path, { with_labels_details: true });
  const notes = useApi(`${path}/notes`, { sort: "asc", per_page: PER_PAGE, include_events: true });
  if (answer.error && !answer.data) return <NotThere error={answer.error} what="issue" retry={answer.reload} />;
  const more = async () => {
    const { data, next } = await get(`${path}/notes`, { sort: "asc", per_page: PER_PAGE, include_events: true, ...notes.next });
    notes.set((before) => [...before, ...data], next);
  };
  const show = async () => {
    const comments = () => document.querySelectorAll(".notes > .note");
    const { length } = comments();
    await Promise.all([answer.reload(), notes.reload()]);
    requestAnimationFrame(() => comments()[length]?.scrollIntoView({ block: "center" }));
  };
  const rights = answer.level === undefined ? null : { level: answer.level, archived: answer.archived };
  return (
    <>
      <ProjectHead project={project} tab="issues" level={answer.level} archived={answer.archived} asks={false} />
      <Live of={answer} words={changesOf} show={show} />
      <Answer of={answer} what="Loading the issue">
        {(issue) => (
          <Issue issue={issue} path={path} project={project} answer={answer} notes={notes} more={more} session={session} rights={rights} />
        )}
      </Answer>
    </>
  );
}

/** The changes of other people to an issue, in words, or null. */
function changesOf(before, now) {
  const count = now.user_notes_count - before.user_notes_count;
  const [was, is] = [before, now].map((issue) => JSON.stringify([stateOf(issue).fields, issue.state]));
  if (count > 0) return count === 1 ? "1 new comment" : `${count} new comments`;
  return was === is ? null : "This issue was changed";
}

/** Ticks a task. If others changed the text meanwhile, it ticks the same task in theirs. */
function useTicks(issue, path, changed) {
  const { error, send } = useSending();
  const [lost, setLost] = useState(false);
  // the browser has drawn the tick already, so a text without a change must be drawn again
  const [drawn, setDrawn] = useState(0);
  const tick = async (task, done, from = issue, tries = 5) => {
    const description = withTask(from.description ?? "", task, done);
    setLost(description === null);
    const answer = description === null ? { theirs: from } : await send([task, done], () => attempt(path, from, { description }));
    if (description !== null && answer?.theirs && tries) return tick(task, done, answer.theirs, tries - 1);
    if (answer) changed(answer.saved ?? answer.theirs);
    if (!answer?.saved) setDrawn((count) => count + 1);
  };
  return {
    tick: (task, done) => tick(task, done),
    send,
    drawn,
    error: lost ? { message: "Somebody else changed this list meanwhile. It is shown as it is now; tick the task again." } : error,
  };
}

/** `children`: what can be done with the issue, at the right. */
function Title({ issue, path, changed, show, edits, children }) {
  const changes = useChanges(issue, path, changed, show);
  // null: it is only read
  const [text, setText, close, button] = useEditor();
  const submit = async (event) => {
    event.preventDefault();
    const title = text.trim();
    close();
    // a title that was not saved comes back in its field
    if (title && title !== issue.title && !(await changes.change("title", title, { title }))) setText(title);
  };
  return (
    <>
      <div class="title-line">
        <Heading title={`${issue.title} (${issue.references.full})`}>
          {issue.title} <span class="number">#{issue.iid}</span>
        </Heading>
        {edits && text === null && (
          <button class="small change" ref={button} onClick={() => setText(issue.title)}>
            Change<span class="unseen"> title</span>
          </button>
        )}
        {children}
      </div>
      {text !== null && (
        <form onSubmit={submit} onKeyDown={(event) => event.key === "Escape" && close()}>
          <input
            aria-label="New title"
            dir="auto"
            value={text}
            required
            maxLength={255}
            ref={focus}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <p class="actions">
            <button class="small primary" disabled={changes.busy}>
              Save title
            </button>
            <button class="small" type="button" onClick={() => close()}>
              Cancel
            </button>
          </p>
        </form>
      )}
      {changes.error && <Problem error={changes.error} />}
    </>
  );
}

function Issue({ issue, path, project, answer, notes, more, session, rights }) {
  const [doing, setDoing, close, button] = useEditor();
  rememberLabels(project, issue.labels);
  const changed = (next) => {
    answer.set((before) => ({ ...before, ...next }));
    notes.reload();
  };
  const show = (next) => answer.set((before) => ({ ...before, ...next }));
  const edited = (next, before) => {
    changed(next);
    close();
    toast("Saved.", async () => {
      const answer = await ticks.send("back", () => attempt(path, next, before));
      if (!answer) return;
      changed(answer.saved ?? answer.theirs);
      toast(answer.saved ? "Put back." : "Not put back, because somebody else changed it meanwhile.");
    });
  };
  const comment = async (body, once) => {
    const { data } = await ask("POST", `${path}/notes`, { body: { body }, once });
    notes.set((before) => [...(before ?? []), data]);
    show({ user_notes_count: issue.user_notes_count + 1 });
  };
  const user = userOf(session);
  const refused = user && refusal.edit(issue, rights, user);
  const edits = Boolean(user) && !refused;
  const ticks = useTicks(issue, path, changed);
  const turning = useTurning(issue, path, changed, show);
  return (
    <article class="issue">
      {doing !== "edit" && (
        <>
          <Title issue={issue} path={path} changed={changed} show={show} edits={edits}>
            {user && (
              <Actions issue={issue} rights={rights} user={user} doing={doing} setDoing={setDoing} button={button} turning={turning} />
            )}
          </Title>
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
          {doing === "edit" ? (
            <EditIssue issue={issue} path={path} project={project} refused={refused} onDone={edited} onCancel={close} />
          ) : (
            <div class="card">
              {issue.description ? (
                <Markdown key={ticks.drawn} text={issue.description} project={project} onTick={edits ? ticks.tick : undefined} />
              ) : (
                <p class="quiet">No description.</p>
              )}
              {ticks.error && <Problem error={ticks.error} />}
            </div>
          )}
          {doing === "move" && (
            <MoveIssue issue={issue} path={path} onCancel={close} onDone={(moved) => goTo(new URL(moved.web_url).pathname)} />
          )}
        </div>
        <Foldable issue={issue}>
          <Aside issue={issue} path={path} project={project} session={session} rights={rights} changed={changed} show={show}>
            {user && <Watching issue={issue} path={path} set={answer.set} />}
          </Aside>
        </Foldable>
        <div>
          <section aria-labelledby="comments">
            <h2 id="comments" class="unseen">
              Comments and events
            </h2>
            <Answer of={notes} what="Loading comments">
              {(list) => (
                <Notes
                  notes={list}
                  path={path}
                  project={project}
                  issue={issue}
                  known={rights}
                  user={user}
                  set={notes.set}
                  gone={() => show({ user_notes_count: issue.user_notes_count - 1 })}
                  more={notes.next && more}
                  shown={scrollToFragment}
                />
              )}
            </Answer>
            <CommentForm
              name={`${project}#${issue.iid}`}
              project={project}
              post={comment}
              refused={session && refusal.comment(issue, rights, session.user)}
              other={edits && turning}
            />
            {turning.error && <Problem error={turning.error} />}
          </section>
        </div>
      </div>
    </article>
  );
}

/** Closes and reopens the issue: `{ alone, act, busy, error }`, the words for that and what does it. */
function useTurning(issue, path, changed, show) {
  const { busy, error, send } = useSending();
  const turn = async (state_event, isBack) => {
    const closes = state_event === "close";
    show({ state: closes ? "closed" : "opened" });
    const answer = await send(state_event, () => ask("PUT", path, { body: { state_event } }));
    if (!answer) return show({ state: closes ? "opened" : "closed" });
    changed(answer.data);
    toast(isBack ? "Put back." : closes ? "Closed." : "Reopened.", isBack ? null : () => turn(closes ? "reopen" : "close", true));
  };
  const verb = issue.state === "closed" ? "Reopen" : "Close";
  return { alone: `${verb} issue`, also: `${verb} with comment`, act: () => turn(verb.toLowerCase(), false), busy, error };
}

/** Edit, and what is done less often. */
function Actions({ issue, rights, user, doing, setDoing, button, turning }) {
  // gets the focus back
  const last = useRef("edit");
  const back = (name) => (last.current === name ? button : undefined);
  const edits = !refusal.edit(issue, rights, user);
  const moves = !refusal.move(rights, user);
  if (doing || !(edits || moves)) return null;
  return (
    <span class="acts">
      <button
        class="small primary on-phone"
        onClick={() => /** @type {HTMLElement | null} */ (document.querySelector(".comment-form textarea"))?.focus()}
      >
        Comment
      </button>
      {edits && (
        <button class="small" ref={back("edit")} aria-keyshortcuts="e" onClick={() => setDoing((last.current = "edit"))}>
          Edit
        </button>
      )}
      <Menu of={`#${issue.iid}`} button={back("move")}>
        {edits && (
          <button class="small" data-closes disabled={turning.busy} onClick={turning.act}>
            {turning.alone}
          </button>
        )}
        {moves && (
          <button class="small" data-closes onClick={() => setDoing((last.current = "move"))}>
            Move
          </button>
        )}
      </Menu>
    </span>
  );
}
