// Changes title and description of an issue.
import { useState } from "preact/hooks";
import { attempt, stateOf } from "../parts/change.mjs";
import { Buttons, TextField, useDraft, useSending } from "../parts/draft.jsx";
import { Heading, Problem } from "../parts/feedback.jsx";
import { focusFirst } from "../parts/opening.mjs";

const LABELS = { title: "Title", description: "Description" };

function readDraft(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Both texts of each field that two people changed, and the choice between them. */
const Both = ({ clash, choose }) => (
  <section class="problem" role="alert" aria-labelledby="both">
    <h2 id="both">Somebody else changed this while you wrote</h2>
    <p>Nothing was overwritten. Choose a text, or put both together in the field, and save.</p>
    {clash.names.map((name) => (
      <div class="columns even both" key={name}>
        <figure>
          <figcaption>{LABELS[name]} as it is saved now</figcaption>
          <pre tabIndex={0}>{clash.theirs[name]}</pre>
          <button type="button" class="small" onClick={() => choose(name, clash.theirs[name])}>
            Use the saved {name}
          </button>
        </figure>
        <figure>
          <figcaption>{LABELS[name]} as you wrote it</figcaption>
          <pre tabIndex={0}>{clash.mine[name]}</pre>
          <button type="button" class="small" onClick={() => choose(name, clash.mine[name])}>
            Use my {name}
          </button>
        </figure>
      </div>
    ))}
  </section>
);

/** The draft contains the state that it was made from, so a save undoes no change of another person, even after a reload. */
export function EditIssue({ issue, path, project, refused, onDone, onCancel }) {
  const [text, setText, forget] = useDraft(`${project} #${issue.iid} edit`);
  const draft = readDraft(text);
  // after a clash: the state for which both texts were shown
  const [shown, setShown] = useState(/** @type {any} */ (null));
  const [clash, setClash] = useState(/** @type {any} */ (null));
  const { busy, error, send } = useSending();
  const [first] = useState(() => draft?.state ?? stateOf(issue));
  const base = shown ?? first;
  const mine = draft?.mine ?? {};
  const value = (name) => mine[name] ?? base.fields[name];
  const keep = (fields) => setText(JSON.stringify({ state: first, mine: fields }));
  const write = (name) => (next) => keep({ ...mine, [name]: next });

  async function submit(event) {
    event.preventDefault();
    const answer = await send(mine, () => attempt(path, base, mine));
    if (!answer) return;
    if (answer.saved) {
      forget();
      // the writer can undo only their own changes
      return onDone(answer.saved, Object.fromEntries(Object.keys(mine).map((name) => [name, base.fields[name]])));
    }
    const state = stateOf(answer.theirs);
    // if the writer chose the saved text, it must not undo a later change
    keep(Object.fromEntries(Object.entries(mine).filter(([name, text]) => text !== base.fields[name])));
    setShown(state);
    setClash({ names: answer.names, theirs: state.fields, mine });
  }
  const cancel = () => {
    forget();
    onCancel();
  };
  return (
    <form
      class="issue-form"
      onSubmit={submit}
      ref={focusFirst}
      data-clash={shown?.at}
      data-changed={Object.keys(mine).length > 0 || undefined}
    >
      <Heading title={`Edit #${issue.iid} · ${project}`}>Edit issue #{issue.iid}</Heading>
      {clash && <Both clash={clash} choose={(name, next) => write(name)(next)} />}
      <label>
        Title
        <input dir="auto" value={value("title")} onInput={(event) => write("title")(event.currentTarget.value)} required maxLength={255} />
      </label>
      <TextField label="Description" value={value("description")} onInput={write("description")} project={project} rows={10} />
      {error && <Problem error={error} />}
      <Buttons button="Save" sending="Saving …" busy={busy} disabled={Boolean(refused)} cancel={cancel}>
        {refused && <small>{refused}</small>}
      </Buttons>
    </form>
  );
}
