// Files for a text: chosen, pasted or dropped. The code that uploads them is loaded with the first one (attaching.mjs).
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, get, inProject } from "../api.mjs";
import { leaving } from "../navigate.mjs";
import { refusal } from "../rights.mjs";
import { useSession } from "../session.mjs";
import { Problem } from "./feedback.jsx";

/** The line in a text until the server has the file. Each line has its own random letters. */
const WAITING = /!\[[^\]\n]*\]\(uploading:\w+\)\n?/g;
const UNSENT = "A file had not been uploaded to the end, so its line was removed. Attach the file again.";

/** Why no field takes files, from the first answer of that kind until the page is loaded anew. */
let none = null;

/** The files of a paste or drop. If there is text as well, such as the cells of a table, the text is meant. */
const filesOf = ({ types, files }) => (types.includes("text/plain") ? [] : [...files]);

/**
 * For a textarea (`area`, a ref) with `onInput(text)`: `{ button, notice, zone }`. `zone`: attributes of an element
 * around it. All are empty for users who may not upload.
 */
export function useAttach(project, area, onInput) {
  const session = useSession();
  const may = Boolean(project && session?.id && !refusal.attach(session.user));
  const picker = useRef(/** @type {any} */ (null));
  // how many files are under way, and sentences on what went wrong
  const [state, setState] = useState({ count: 0, problems: /** @type {string[]} */ ([]) });
  const [over, setOver] = useState(false);
  const now = useRef(/** @type {{ count: number, onInput: (text: string) => void, signal?: AbortSignal }} */ ({ count: 0, onInput }));
  now.current = { ...now.current, count: state.count, onInput };
  const tell = (problem) => setState((before) => ({ ...before, problems: [...before.problems, problem] }));

  useEffect(() => {
    const { form } = area.current;
    // a line for which no file is under way: of a draft, or brought back by undoing
    const tidy = () => {
      const { value } = area.current;
      const left = value.replace(WAITING, "");
      if (left === value) return false;
      now.current.onInput(left);
      tell(UNSENT);
      return true;
    };
    tidy();
    const sent = (event) => {
      const isBusy = now.current.count > 0;
      if (!isBusy && !tidy()) return setState((before) => ({ ...before, problems: [] }));
      event.preventDefault();
      event.stopImmediatePropagation();
      if (isBusy) tell("Nothing was sent, because a file is still being uploaded. Wait for it, or remove its line. Then send again.");
    };
    // before the form's own listener
    form?.addEventListener("submit", sent, true);
    const aborter = new AbortController();
    now.current.signal = aborter.signal;
    const stop = () => aborter.abort();
    // before the browser ends the requests, which would look like failures
    const leave = ({ persisted }) => persisted || stop();
    leaving.add(leave);
    return () => {
      stop();
      leaving.delete(leave);
      form?.removeEventListener("submit", sent, true);
    };
  }, []);

  async function take(files) {
    setState((before) => ({ ...before, problems: none ? [none] : [] }));
    if (none || !files.length) return;
    const change = (more) => setState((before) => ({ ...before, count: before.count + more }));
    const off = (reason) => (none = reason);
    change(files.length);
    let code;
    try {
      code = await import("./attaching.mjs");
    } catch {
      change(-files.length);
      return tell(
        "The files could not be attached: the server cannot be reached, or has a newer version of its pages. Load the page again.",
      );
    }
    // the form was left meanwhile
    if (now.current.signal?.aborted) return change(-files.length);
    return code.attach(files, {
      area: area.current,
      signal: now.current.signal,
      post: (body, signal) => ask("POST", inProject(project, "/uploads"), { body, signal }),
      // only administrators may read it
      limit: async () => session?.user.is_admin && (await get("/application/settings")).data.max_attachment_size,
      typed: (text) => now.current.onInput(text),
      done: () => change(-1),
      tell,
      off,
    });
  }

  if (!may) return { zone: {} };
  const hasFiles = (event) => event.dataTransfer.types.includes("Files");
  const zone = {
    "data-over": over ? "" : undefined,
    onPaste: (event) => {
      const files = filesOf(event.clipboardData);
      if (!files.length) return;
      event.preventDefault();
      take(files);
    },
    // a browser opens a file that nothing takes, instead of the page
    onDragOver: (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event) => event.currentTarget.contains(event.relatedTarget) || setOver(false),
    onDrop: (event) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      take([...event.dataTransfer.files]);
    },
  };
  const chosen = (event) => {
    take([...event.target.files]);
    // reset, so that the same file can be chosen again
    event.target.value = "";
  };
  const button = (
    <>
      <input type="file" multiple hidden ref={picker} aria-label="Files to attach" onChange={chosen} />
      <button
        type="button"
        class="small"
        disabled={Boolean(none)}
        title={none ?? "You can also paste or drop files into the text."}
        onClick={() => picker.current.click()}
      >
        Attach a file
      </button>
    </>
  );
  const { count, problems } = state;
  const notice = (
    <>
      <p role="status" class="quiet attached">
        {count > 0 && `Uploading ${count === 1 ? "a file" : `${count} files`} …`}
      </p>
      {problems.map((message, at) => (
        <Problem key={at} error={{ message }} />
      ))}
    </>
  );
  return { button, notice, zone };
}
