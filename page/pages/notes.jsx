import { useEffect, useState } from "preact/hooks";
import { ask, get } from "../api.mjs";
import { saveOver } from "../parts/change.mjs";
import { Buttons, TextField, useDraft, useSending } from "../parts/draft.jsx";
import { Problem, Theirs } from "../parts/feedback.jsx";
import { Markdown } from "../parts/markdown.jsx";
import { Label, Person } from "../parts/marks.jsx";
import { Time } from "../parts/time.jsx";
import { focusFirst, useEditor } from "../parts/opening.mjs";
import { refusal } from "../rights.mjs";
import { to } from "../route.mjs";

/** `user`: null for a visitor. Calls `shown` once after rendering, to scroll to the comment in the address. */
export function Notes({ notes, path, project, issue, known, user, set, more, shown }) {
  useEffect(shown, []);
  const [busy, setBusy] = useState(false);
  const loadMore = () => {
    setBusy(true);
    more().finally(() => setBusy(false));
  };
  const replace = (id, next) => set((before) => before.flatMap((note) => (note.id === id ? (next ? [next] : []) : [note])));
  if (!notes.length) return <p class="quiet">No comments yet.</p>;
  return (
    <>
      <ol class="notes">
        {notes.map((note) =>
          note.system ? (
            <li key={note.id} id={`note_${note.id}`} class="event">
              <Person user={note.author} /> <Event text={note.body} project={project} issue={issue} /> <Time at={note.created_at} />
            </li>
          ) : (
            <Note key={note.id} note={note} path={path} project={project} known={known} user={user} replace={replace} />
          ),
        )}
      </ol>
      {more && (
        <button onClick={loadMore} disabled={busy}>
          {busy ? "Loading …" : "More comments"}
        </button>
      )}
    </>
  );
}

const NAMED = /(~"[^"]*"|(?:[\w.-]+(?:\/[\w.-]+)+@)?\b[0-9a-f]{40,64}\b|@[\w.-]*\w|%\d+|[\w.-]+\/[\w.-]+#\d+|\*\*.*?\*\*(?= →|$))/;

/** Links a label, user, milestone, commit or issue in a system note. */
function Named({ text, project, issue }) {
  if (text[0] === "~") return <Label label={text.slice(2, -1)} project={project} />;
  if (text[0] === "*") return <b>{text.slice(2, -2)}</b>;
  if (text[0] === "@") return <a href={to.person(text.slice(1))}>{text}</a>;
  if (text[0] === "%") {
    const { milestone } = issue;
    return (
      <a href={to.milestone(project, text.slice(1))}>
        {String(milestone?.iid) === text.slice(1) ? milestone.title : `milestone ${text.slice(1)}`}
      </a>
    );
  }
  const [, elsewhere, sha] = /^(?:(.+)@)?([0-9a-f]{40,64})$/.exec(text) ?? [];
  if (sha) {
    return (
      <a class="sha" href={to.commit(elsewhere ?? project, sha)}>
        {elsewhere && `${elsewhere}@`}
        <code>{sha.slice(0, 8)}</code>
      </a>
    );
  }
  const [other, iid] = text.split("#");
  return <a href={to.issue(other, iid)}>{text}</a>;
}

/**
 * The API's words, and those that follow the name of a person.
 * @type {[RegExp, any][]}
 */
const SENTENCES = [
  [/^closed via commit /, "closed this by the commit "],
  [/^closed via a commit$/, "closed this by a commit"],
  [/^mentioned in commit /, "mentioned this in the commit "],
  [/^mentioned in a commit$/, "mentioned this in a commit"],
  [/^Status changed to closed$/, "closed this"],
  [/^Status changed to reopened$/, "reopened this"],
  [/^Reassigned to /, "assigned this to "],
  [/^Assignee removed$/, "removed the assignee"],
  [/^Milestone changed to /, "set the milestone to "],
  [/^Milestone removed$/, "removed the milestone"],
  [/^Changed title: (?=\*\*)/, "changed the title from "],
  [/^Made the issue /, "made this "],
  [/^Moved (to|from) /, "moved this $1 "],
  [/^(Added|Removed) (.*) (labels?)$/, (_, verb, names, labels) => `${verb.toLowerCase()} the ${labels} ${names}`],
];

function sentence(text) {
  const [words, instead] = SENTENCES.find(([words]) => words.test(text)) ?? [/^./, (first) => first.toLowerCase()];
  return text.replace(words, instead);
}

const Event = ({ text, project, issue }) => (
  <span>
    {sentence(text)
      .split(NAMED)
      .map((part, at) => (at % 2 ? <Named key={at} text={part} project={project} issue={issue} /> : part.replace(" → ", " to ")))}
  </span>
);

function Note({ note, path, project, known, user, replace }) {
  const [edits, setEdits, close, button] = useEditor();
  const { busy, error, send } = useSending();
  const editable = user && !refusal.changeNote(note, known, user);
  const remove = async () => {
    if (!confirm("Delete this comment? This cannot be undone.")) return;
    const answer = await send("delete", () => ask("DELETE", `${path}/notes/${note.id}`));
    if (answer) replace(note.id, null);
  };
  return (
    <li id={`note_${note.id}`} class="card note">
      <p class="note-head">
        <Person user={note.author} />
        <a class="quiet" href={`#note_${note.id}`}>
          <Time at={note.created_at} />
        </a>
        {note.updated_at !== note.created_at && <span class="quiet">edited</span>}
        {editable && !edits && (
          <span class="note-actions">
            <button class="small" ref={button} onClick={() => setEdits(true)}>
              Edit<span class="unseen"> this comment</span>
            </button>
            <button class="small" onClick={remove} disabled={busy}>
              Delete<span class="unseen"> this comment</span>
            </button>
          </span>
        )}
      </p>
      {edits ? (
        <EditNote
          note={note}
          path={path}
          project={project}
          onDone={(next) => {
            replace(note.id, next);
            close();
          }}
          onCancel={close}
        />
      ) : (
        <Markdown text={note.body} project={project} />
      )}
      {error && <Problem error={error} />}
    </li>
  );
}

function EditNote({ note, path, project, onDone, onCancel }) {
  const [text, setText, forget] = useDraft(`note ${note.id}`, note.body);
  // what is saved, as far as the writer has seen it
  const [known, setKnown] = useState(note.body);
  const { busy, error, send } = useSending();
  const submit = async (event) => {
    event.preventDefault();
    const one = `${path}/notes/${note.id}`;
    const clashes = ({ body }) => {
      if (body === known || body === text) return false;
      setKnown(body);
      return true;
    };
    const save = ({ updated_at }) => ask("PUT", one, { body: { body: text }, since: updated_at });
    const answer = await send(text, () => saveOver(() => get(one).then(({ data }) => data), clashes, save));
    if (!answer) return;
    forget();
    onDone(answer.data);
  };
  const cancel = () => {
    forget();
    onCancel();
  };
  return (
    <form onSubmit={submit} ref={focusFirst}>
      {known !== note.body && <Theirs clash={[{ label: "Comment", theirs: known, take: () => setText(known) }]} />}
      <TextField label="Comment" value={text} onInput={setText} project={project} required />
      {error && <Problem error={error} />}
      <Buttons button="Save" busy={busy} cancel={cancel} />
    </form>
  );
}
