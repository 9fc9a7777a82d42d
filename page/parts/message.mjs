// What a commit's message refers to. Nothing in it is Markdown.
import { references } from "./references.mjs";

/** An address ends before the punctuation of its sentence. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?()[\]{}]/g;

/** The message in pieces, `{ text, address, outside }`: issues, people, commits and addresses have an address. */
export function linked(text, project) {
  const pieces = [];
  let end = 0;
  const inside = (part) => part && pieces.push(...references(part, project));
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    inside(text.slice(end, index));
    pieces.push({ text: address, address, outside: true });
    end = index + address.length;
  }
  inside(text.slice(end));
  return pieces;
}

/** The first line with text, and what follows. */
export function parts(message) {
  const lines = message.split("\n");
  const at = lines.findIndex((line) => line.trim());
  return {
    subject: at < 0 ? "" : lines[at].trimEnd(),
    rest:
      at < 0
        ? ""
        : lines
            .slice(at + 1)
            .join("\n")
            .replace(/^\s*\n/, "")
            .trimEnd(),
  };
}
