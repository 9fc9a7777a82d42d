// A comment of a person on an issue or a commit, which its author and maintainers change and delete.
import { useState } from "preact/hooks";
import { ask } from "../api.mjs";
import { refusal } from "../rights.mjs";
import { Asks } from "./asks.jsx";
import { saveOver } from "./change.mjs";
import { Buttons, TextField, useDraft, useSending } from "./draft.jsx";
import { Problem, Theirs } from "./feedback.jsx";
import { Markdown } from "./markdown.jsx";
import { Person } from "./marks.jsx";
import { focusFirst, useEditor } from "./opening.mjs";
import { Time } from "./time.jsx";

/**
 * `address`: where it is changed; `read`: gets its newest state; `place`: what it is about, in words; `replace`: takes its id and the
 * comment after a change, null after its end.
 * @param {{ note: any, address: string, read: () => Promise<any>, project: string, known: any, user: any, replace: (id: number, next: any) => void, place?: string, as?: "div" | "li" }} props
 */
export function Note({ note, address, read, project, known, user, replace, place, as: Element = "div" }) {
  const [edits, setEdits, close, button] = useEditor();
  const editable = user && !refusal.changeNote(note, known, user);
  const remove = () => ask("DELETE", address).then(() => replace(note.id, null));
  return (
    <Element id={`note_${note.id}`} class="card note">
      <p class="note-head">
        <Person user={note.author} />
        <a class="quiet" href={`#note_${note.id}`}>
          <Time at={note.created_at} />
        </a>
        {place && <span class="quiet">{place}</span>}
        {note.updated_at !== note.created_at && <span class="quiet">edited</span>}
        {editable && !edits && (
          <span class="note-actions">
            <button class="small" ref={button} onClick={() => setEdits(true)}>
              Edit<span class="unseen"> this comment</span>
            </button>
            <Asks button="Delete" of="this comment" question="Delete this comment?" act={remove} />
          </span>
        )}
      </p>
      {edits ? (
        <EditNote
          note={note}
          address={address}
          read={read}
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
    </Element>
  );
}

function EditNote({ note, address, read, project, onDone, onCancel }) {
  const [text, setText, forget] = useDraft(`note ${address}`, note.body);
  // what is saved, as far as the writer has seen it
  const [known, setKnown] = useState(note.body);
  const { busy, error, send } = useSending();
  const submit = async (event) => {
    event.preventDefault();
    const clashes = ({ body }) => {
      if (body === known || body === text) return false;
      setKnown(body);
      return true;
    };
    const save = ({ updated_at }) => ask("PUT", address, { body: { body: text }, since: updated_at });
    const answer = await send(text, () => saveOver(read, clashes, save));
    if (!answer) return;
    forget();
    onDone(answer.data);
  };
  const cancel = () => {
    forget();
    onCancel();
  };
  return (
    <form onSubmit={submit} ref={focusFirst} data-changed={text !== note.body || undefined}>
      {known !== note.body && <Theirs clash={[{ label: "Comment", theirs: known, take: () => setText(known) }]} />}
      <TextField label="Comment" value={text} onInput={setText} project={project} required />
      {error && <Problem error={error} />}
      <Buttons button="Save" busy={busy} cancel={cancel} />
    </form>
  );
}
