// Footnotes: `[^1]` in a text, and a line `[^1]: what is below it`, which may go on in lines that are indented.

const NAME = String.raw`[\p{L}\p{N}_.-]{1,40}`;
const DEFINITION = new RegExp(String.raw`^ {0,3}\[\^(${NAME})\]:[ \t]*([^\n]*(?:\n(?: {2,}|\t)[^\n]+)*)(?:\n+|$)`, "u");
const REFERENCE = new RegExp(String.raw`\[\^(${NAME})\]`, "gu");
/** The element of a note until it is at the end of its text. No text can have it. */
export const NOTE = "x-note";

/**
 * An extension of marked.
 * @type {import("marked").TokenizerAndRendererExtension}
 */
export const footnote = {
  name: "footnote",
  level: "block",
  tokenizer(text) {
    const [raw, name, below] = DEFINITION.exec(text) ?? [];
    if (!raw) return undefined;
    const token = { type: "footnote", raw, name, tokens: [] };
    this.lexer.inline(below, token.tokens);
    return token;
  },
  renderer({ name, tokens }) {
    return `<${NOTE} title="${name}">${this.parser.parseInline(tokens ?? [])}</${NOTE}>`;
  },
};

const made = (name, more) => Object.assign(document.createElement(name), more);

/** A button, because an address within the page needs names, which texts may not have. */
function leads(text, label, to) {
  const button = made("button", { type: "button", className: "change", textContent: text });
  button.setAttribute("aria-label", label);
  button.addEventListener("click", () => {
    to.scrollIntoView({ block: "center" });
    to.focus({ preventScroll: true });
  });
  return button;
}

/** Moves notes to the end of a fragment, with buttons to them in `texts`, its text nodes, and back. `add(count)`: new elements. */
export function placeNotes(fragment, texts, add) {
  const notes = [...fragment.querySelectorAll(NOTE)].map((element) => {
    const item = made("li", { tabIndex: -1 });
    item.append(...element.childNodes);
    element.remove();
    return { name: element.title, item, number: Infinity, from: /** @type {HTMLElement | undefined} */ (undefined) };
  });
  if (!notes.length) return;
  // of several notes with the same name, the first one counts
  const named = new Map([...notes].reverse().map((note) => [note.name, note]));
  let count = 0;
  for (const node of texts) {
    const pieces = [];
    let end = 0;
    for (const { 0: found, 1: name, index } of node.data.matchAll(REFERENCE)) {
      const note = named.get(name);
      if (!note) continue;
      if (!note.from) note.number = ++count;
      const link = leads(note.number, `Note ${note.number}`, note.item);
      note.from ??= link;
      const sign = made("sup");
      sign.append(link);
      pieces.push(node.data.slice(end, index), sign);
      end = index + found.length;
    }
    add(pieces.length);
    if (end) node.replaceWith(...pieces, node.data.slice(end));
  }
  const list = made("ol");
  for (const { item, number, from } of notes.sort((one, other) => one.number - other.number || 0)) {
    if (from) item.append(" ", leads("↩", `Back to the text from note ${number}`, from));
    list.append(item);
  }
  fragment.append(made("hr"), list);
}
