// A draft is kept in the tab's storage for its user until it is sent or the session ends, so that an error does not lose it.
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { get } from "../api.mjs";
import { session, useSession } from "../session.mjs";
import { useAttach } from "./attach.jsx";
import { Problem, SignInButton } from "./feedback.jsx";
import { Markdown } from "./markdown.jsx";
import { useMentions } from "./mentions.jsx";
import { focusFirst } from "./opening.mjs";

/** Null without a session. */
function keyOf(name) {
  const { id, user } = session() ?? {};
  return id ? `draft ${user.id} ${name}` : null;
}
function kept(name) {
  const key = keyOf(name);
  return (key && sessionStorage.getItem(key)) ?? "";
}
function forget(name) {
  const key = keyOf(name);
  if (key) sessionStorage.removeItem(key);
}

/**
 * Returns `[text, setText, forget]`. `name` is the key in storage, `first` the text without a draft.
 * @param {string | null} name
 * @returns {[string, (next: string) => void, () => void]}
 */
export function useDraft(name, first = "") {
  const begun = () => kept(name) || first;
  const [text, setText] = useState(begun);
  const person = useSession()?.user?.id;
  const writer = useRef(person);
  // after the token has ended, another user may sign in on the same page, and must never see the text
  useLayoutEffect(() => {
    if (!person) return;
    if (writer.current && writer.current !== person) setText(begun());
    writer.current = person;
  }, [person]);
  const write = (next) => {
    setText(next);
    try {
      const key = keyOf(name);
      if (key && next && next !== first) sessionStorage.setItem(key, next);
      else forget(name);
    } catch {
      // the storage is full: the text stays in its field but is not saved
    }
  };
  return [text, write, () => forget(name)];
}

/**
 * A field for Markdown with a preview. It takes files for texts of a project. Ctrl+Enter sends its form.
 * @param {{ label: string, value: any, onInput: (text: string) => void, project: string, rows?: number, required?: boolean }} props
 */
export function TextField({ label, value, onInput, project, rows = 5, required }) {
  const [previewing, setPreviewing] = useState(false);
  const id = useId();
  const area = useRef(/** @type {any} */ (null));
  const mentions = useMentions(project, value, onInput);
  const { button, notice, zone } = useAttach(project, area, onInput);
  const press = (event) => {
    if (mentions.press(event) || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.target.form?.requestSubmit();
  };
  const input = (event) => {
    onInput(event.target.value);
    mentions.seen(event);
  };
  // a browser cannot show beside a hidden field that it is empty, so nothing would happen
  const invalid = (event) => {
    if (!previewing) return;
    event.preventDefault();
    setPreviewing(false);
  };
  return (
    <div class="text-field" {...zone}>
      <div class="text-head">
        <label for={id}>{label}</label>
        <span>
          {button}
          <button type="button" class="small" aria-pressed={previewing} onClick={() => setPreviewing(!previewing)}>
            Preview
          </button>
        </span>
      </div>
      {previewing && (
        <div class="preview">
          <Markdown text={value || "Nothing to preview yet."} project={project} />
        </div>
      )}
      <textarea
        id={id}
        dir="auto"
        ref={area}
        rows={rows}
        value={value}
        required={required}
        hidden={previewing}
        onInvalid={invalid}
        onInput={input}
        onKeyDown={press}
        onBlur={mentions.left}
        {...mentions.attributes}
      />
      {mentions.list}
      {notice}
    </div>
  );
}

/**
 * Returns `{ busy, error, send }` for a form. The same text is sent with the same idempotency key, so that sending it again
 * after a lost answer creates nothing twice.
 */
export function useSending() {
  const [state, setState] = useState(/** @type {{ busy: boolean, error: any }} */ ({ busy: false, error: null }));
  const last = useRef(/** @type {{ of: string | null, key: any }} */ ({ of: null, key: null }));
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

/** For a button that adds the next page: `{ more, busy, error }`. `answer`: that of `useApi` for `path`. `query`: of the next page. */
export function useMore(answer, path, query) {
  const { busy, error, send } = useSending();
  const more = () =>
    send(answer.next, () =>
      get(path, { ...query, ...answer.next }).then(({ data, next }) => answer.set((before) => [...before, ...data], next)),
    );
  return { more, busy, error };
}

/**
 * The buttons below a form. `cancel`: called by Cancel, which is left out without it. `children` follow the buttons.
 * @param {{ button: any, busy: boolean, sending?: string, disabled?: boolean, cancel?: () => void, children?: any }} props
 */
export const Buttons = ({ button, busy, sending = "Sending …", disabled, cancel, children }) => (
  <p class="actions">
    <button class="primary" disabled={busy || disabled}>
      {busy ? sending : button}
    </button>
    {cancel && (
      <button type="button" onClick={cancel} data-cancel>
        Cancel
      </button>
    )}
    {children}
  </p>
);

/**
 * `post(text, key)` sends the comment. `refused`: why the user may not comment. `other`: what else can be done here, `alone` or
 * `also` after sending the comment, as the words of a button, and `act()` that does it.
 * @param {{ name: string, label?: string, button?: string, project: string, post: (text: string, key: string) => Promise<unknown>, onCancel?: () => void, rows?: number, refused?: string | null, other?: false | { alone: string, also: string, act: () => unknown, busy: boolean } }} props
 */
export function CommentForm({ name, label = "Comment", button = "Comment", project, post, onCancel, rows, refused, other }) {
  const session = useSession();
  const [text, setText, forget] = useDraft(name);
  const { busy, error, send } = useSending();
  async function submit(event) {
    event?.preventDefault();
    if (!text.trim()) return;
    const done = await send(text, (key) => post(text, key).then(() => true));
    if (done) {
      setText("");
      forget();
      onCancel?.();
    }
    return done;
  }
  const both = async () => (!text.trim() || (await submit())) && other && other.act();
  const beside = other && (
    <button type="button" disabled={busy || other.busy || !session?.id} onClick={both}>
      {text.trim() ? other.also : other.alone}
    </button>
  );
  if (!session) {
    return (
      <p>
        <SignInButton text="Sign in to comment" />
      </p>
    );
  }
  // text that the user has already written stays
  if (refused && !text)
    return (
      <>
        <p class="notice">{refused}</p>
        {beside && <p class="actions">{beside}</p>}
      </>
    );
  return (
    <form
      class="comment-form"
      onSubmit={submit}
      ref={onCancel ? focusFirst : undefined}
      data-idle={onCancel || text ? undefined : ""}
      data-changed={text || undefined}
    >
      <TextField label={label} value={text} onInput={setText} project={project} rows={rows} required />
      {error && <Problem error={error} />}
      <p class="actions">
        <button class="primary" disabled={busy || !session.id}>
          {busy ? "Sending …" : button}
        </button>
        {beside}
        {!session.id && <SignInButton text="Sign in again" />}
        {onCancel && (
          <button type="button" onClick={onCancel} data-cancel>
            Cancel
          </button>
        )}
      </p>
    </form>
  );
}
