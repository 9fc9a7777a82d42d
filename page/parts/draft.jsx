// A text being written. It is kept in the tab's storage until it was sent, so that no failure loses it.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useSession } from "../session.mjs";
import { Problem, SignInButton } from "./feedback.jsx";
import { Markdown } from "./markdown.jsx";

const keyOf = (name) => `draft ${name}`;
const kept = (name) => sessionStorage.getItem(keyOf(name)) ?? "";

/** A text with its name in storage: `[text, setText, forget]`. `first` is what it begins with where nothing is kept. */
export function useDraft(name, first = "") {
  const [text, setText] = useState(() => kept(name) || first);
  const write = (next) => {
    setText(next);
    try {
      if (next && next !== first) sessionStorage.setItem(keyOf(name), next);
      else sessionStorage.removeItem(keyOf(name));
    } catch {
      // a full storage keeps no draft; the text stays in its field
    }
  };
  return [text, write, () => sessionStorage.removeItem(keyOf(name))];
}

/** A field for Markdown with a look at what it becomes. */
export function TextField({ label, value, onInput, project, rows = 5, required }) {
  const [looks, setLooks] = useState(false);
  const id = useId();
  return (
    <div class="text-field">
      <div class="text-head">
        <label for={id}>{label}</label>
        <button type="button" class="small" aria-pressed={looks} onClick={() => setLooks(!looks)}>
          Preview
        </button>
      </div>
      {looks && (
        <div class="preview">
          <Markdown text={value || "Nothing written yet."} project={project} />
        </div>
      )}
      <textarea id={id} rows={rows} value={value} required={required} hidden={looks} onInput={(event) => onInput(event.target.value)} />
    </div>
  );
}

/**
 * The state of a form that sends something: `{ busy, error, send }`. One text is sent under one key, so that sending it again
 * after a lost answer makes nothing twice.
 */
export function useSending() {
  const [state, setState] = useState({ busy: false, error: null });
  const last = useRef({ of: null, key: null });
  const alive = useRef(true);
  useEffect(() => () => void (alive.current = false), []);
  async function send(what, work) {
    const of = JSON.stringify(what);
    if (last.current.of !== of) last.current = { of, key: crypto.randomUUID() };
    setState({ busy: true, error: null });
    try {
      const result = await work(last.current.key);
      last.current = { of: null, key: null };
      if (alive.current) setState({ busy: false, error: null });
      return result;
    } catch (error) {
      if (alive.current) setState({ busy: false, error });
      return undefined;
    }
  }
  return { ...state, send };
}

/** A form of one text: a comment. `post(text, key)` sends it; `refused`: why it would not be taken. */
export function CommentForm({ name, label = "Comment", button = "Comment", project, post, onCancel, rows, refused }) {
  const session = useSession();
  const [text, setText, forget] = useDraft(name);
  const { busy, error, send } = useSending();
  async function submit(event) {
    event.preventDefault();
    if (!text.trim()) return;
    const done = await send(text, (key) => post(text, key).then(() => true));
    if (done) {
      setText("");
      forget();
      onCancel?.();
    }
  }
  if (!session) {
    return (
      <p>
        <SignInButton text="Sign in to comment" />
      </p>
    );
  }
  // what was written before that was known is not taken away
  if (refused && !text) return <p class="notice">{refused}</p>;
  return (
    <form class="comment-form" onSubmit={submit}>
      <TextField label={label} value={text} onInput={setText} project={project} rows={rows} required />
      {error && <Problem error={error} />}
      <p class="actions">
        <button class="primary" disabled={busy || !session.token}>
          {busy ? "Sending …" : button}
        </button>
        {!session.token && <SignInButton text="Sign in again" />}
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </p>
    </form>
  );
}
