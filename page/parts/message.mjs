// What a commit's message refers to. Nothing in it is Markdown.
import { to } from "../route.mjs";
import { references } from "./references.mjs";

/** An address ends before the punctuation of its sentence. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?()[\]{}]/g;
const FURTHER = /(?<![\w/.-])(?<project>\w[\w.-]*\/\w[\w.-]*)#(?<issue>\d{1,9})\b|(?<![\w/#@.-])(?<commit>(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,39})(?![\w-])/g;

function split(text, shape, between, found) {
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(shape)) {
    pieces.push(...between(text.slice(end, match.index)), found(match));
    end = match.index + match[0].length;
  }
  return [...pieces, ...between(text.slice(end))];
}

/** The message in pieces, `{ text, address, outside }`: issues, people, commits and addresses have an address. */
export function linked(text, project) {
  const inside = (part) => (part ? references(part, project) : []);
  const local = (part) =>
    split(part, FURTHER, inside, ({ 0: found, groups }) => ({
      text: found,
      address: groups.commit ? to.commit(project, groups.commit) : to.issue(groups.project, groups.issue),
    }));
  return split(text, ADDRESS, local, ({ 0: address }) => ({ text: address, address, outside: true }));
}

/** The first line with text, and what follows. */
export function parts(message) {
  const lines = message.split("\n");
  const at = lines.findIndex((line) => line.trim());
  return { subject: at < 0 ? "" : lines[at].trimEnd(), rest: at < 0 ? "" : lines.slice(at + 1).join("\n").replace(/^\s*\n/, "").trimEnd() };
}
