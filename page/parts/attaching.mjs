// Uploads files and puts their links into a text. A line stands in for each file until the server has it. It imports
// nothing: the bundler would cut shared code out of the first script.

/** Files of one text that are sent at once. */
const AT_ONCE = 3;
/** How often, and up to how many seconds, to wait if the server has no room for one more file at the moment. */
const TRIES = 3;
const SHORT_WAIT = 5;

const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
const sized = (bytes) => `${(bytes / (1 << 20)).toFixed(1)} MB`;

/** As in attach.jsx. A name in brackets ends at the first one that closes. */
const standIn = (name) => `![${name.replace(/[[\]\\\s]+/g, " ")}](uploading:${crypto.randomUUID().slice(0, 8)})`;

/**
 * Puts `text` between two places. The browser can undo it if the field has the focus. The caret keeps its position in
 * the other text. If it is where the text is put, it moves behind it.
 */
function put({ area, typed }, from, until, text) {
  const { selectionStart: start, selectionEnd: end, scrollTop } = area;
  const moved = (at) => (at >= until ? at + text.length - (until - from) : Math.min(at, from));
  if (document.activeElement === area) {
    area.setSelectionRange(from, until);
    const isDone = document.execCommand(text ? "insertText" : "delete", false, text);
    area.setSelectionRange(moved(start), moved(end));
    area.scrollTop = scrollTop;
    if (isDone) return;
  }
  area.setRangeText(text, from, until);
  area.setSelectionRange(moved(start), moved(end));
  typed(area.value);
}

/** Puts lines at the caret, each on its own. */
function insert(field, lines) {
  const { value, selectionEnd: at } = field.area;
  const before = at > 0 && value[at - 1] !== "\n" ? "\n" : "";
  put(field, at, at, `${before}${lines.join("\n")}\n`);
}

/** Replaces the line of a file. Without a text, removes the line with its end. */
function replace(field, line, text) {
  const { value } = field.area;
  const from = value.indexOf(line);
  if (from < 0) return;
  const until = from + line.length;
  put(field, from, !text && value[until] === "\n" ? until + 1 : until, text);
}

/** Waits until the writer has composed a word, as in Chinese: a change would end the composition. */
function composed({ area, isComposing }) {
  return isComposing() ? new Promise((done) => area.addEventListener("compositionend", () => setTimeout(done), { once: true })) : undefined;
}

async function sent(file, { post, signal }, tries = TRIES) {
  const form = new FormData();
  form.append("file", file);
  try {
    return (await post(form, signal)).data.markdown;
  } catch (error) {
    if (error.status !== 429 || !tries || !(error.wait <= SHORT_WAIT)) throw error;
    await pause(error.wait);
    return sent(file, { post, signal }, tries - 1);
  }
}

async function tooLong(size, limit) {
  const most = await limit().catch(() => null);
  return `It has ${sized(size)}, and ${most ? `a file may have ${most} MB` : "that is more than this server takes"}.`;
}

const NO_STORE = "This server has no store for files.";

async function reasonOf({ status, message, wait }, file, limit) {
  if (status === 413) return tooLong(file.size, limit);
  if (status === 429) return `Too many requests. Attach it again in ${wait ?? 60} seconds.`;
  if (status === 501) return NO_STORE;
  if (status !== 403) return message;
  if (/quota/.test(message)) return "The project has no room for it. Ask a maintainer to delete files that nobody needs.";
  return "This project takes no files from you. It may be archived.";
}

/** A folder that was dropped, and a file that was changed since, cannot be read. */
const isReadable = (file) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

async function upload({ file, line, signal }, field) {
  let text = "";
  try {
    if (!(await isReadable(file))) throw new Error("It cannot be read. Of a folder, attach the files.");
    text = await sent(file, { ...field, signal });
  } catch (error) {
    if (signal.aborted) return;
    if (error.status === 501) field.off(NO_STORE);
    field.tell(`${file.name} was not attached. ${await reasonOf(error, file, field.limit)}`);
  }
  await composed(field);
  if (!signal.aborted) replace(field, line, text);
}

/** Calls the functions by the names of events while `work` runs. */
async function listening(area, functions, work) {
  for (const [name, one] of Object.entries(functions)) area.addEventListener(name, one);
  await work();
  for (const [name, one] of Object.entries(functions)) area.removeEventListener(name, one);
}

/**
 * `field`: `area`; `post(form, signal)` sends a file, `limit()` reads how many MB one may have; `typed(text)` for a text that the
 * browser did not tell by an event, `done()` after each file, `tell(sentence)` of what went wrong, `off(reason)` where the server
 * takes no files at all. After its `signal` nothing more is changed. A file whose line the writer removes is not uploaded.
 */
export async function attach(files, field) {
  const { area } = field;
  let isComposing = false;
  const given = { ...field, isComposing: () => isComposing };
  const all = files.map((file) => {
    const removed = new AbortController();
    return { file, line: standIn(file.name), removed, signal: AbortSignal.any([field.signal, removed.signal]) };
  });
  // the focus is in the field, so its keys can undo what is put there
  area.focus();
  insert(
    given,
    all.map(({ line }) => line),
  );
  const waiting = [...all];
  const send = async () => {
    for (let one; (one = waiting.shift()); field.done()) if (!one.signal.aborted) await upload(one, given);
  };
  const functions = {
    compositionstart: () => (isComposing = true),
    compositionend: () => (isComposing = false),
    input: () => all.forEach(({ line, removed }) => area.value.includes(line) || removed.abort()),
  };
  await listening(area, functions, () => Promise.all(Array.from({ length: AT_ONCE }, send)));
}
