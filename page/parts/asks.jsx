// A button that asks before it deletes.
import { useSending } from "./draft.jsx";
import { Problem } from "./feedback.jsx";
import { focus, useEditor } from "./opening.mjs";

/**
 * A button that asks `question` before `act(key)`, and offers first to leave it: a key held down changes nothing. `of`: what it is
 * about, for screen readers. `children`: a choice that `act` reads.
 * @param {{ button: string, of?: string, question: string, act: (key: string) => Promise<unknown>, sure?: string, children?: any }} props
 */
export function Asks({ button, of, question, act, sure = button, children }) {
  const [asking, setAsking, close, ref] = useEditor();
  const { busy, error, send } = useSending();
  if (!asking) {
    return (
      <button class="small" ref={ref} onClick={() => setAsking(true)}>
        {button}
        {of && <span class="unseen"> {of}</span>}
      </button>
    );
  }
  const go = () => send(question, (key) => act(key).then(() => true)).then((done) => done && close());
  return (
    <span class="asks" role="group" aria-label={question} onKeyDown={(event) => event.key === "Escape" && close()}>
      <span>{question}</span>
      {children}
      <button class="small danger" disabled={busy} onClick={go}>
        {sure}
      </button>
      <button class="small" onClick={() => close()} ref={focus}>
        Keep
      </button>
      {error && <Problem error={error} />}
    </span>
  );
}
