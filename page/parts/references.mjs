// `#12`, `@ann` and whole commit hashes in text.
import { to } from "../route.mjs";

const REFERENCE = /(?<![\w/&])#(?<issue>\d{1,9})\b|(?<![\w/.])@(?<person>\w(?:[\w.-]{0,60}\w)?)|\b(?<commit>[0-9a-f]{40})\b/g;

/** A text in pieces, `{ text, address }`. Only references have an address. */
export function references(text, project) {
  const pieces = [];
  let end = 0;
  for (const { 0: found, index, groups } of text.matchAll(REFERENCE)) {
    if (index > end) pieces.push({ text: text.slice(end, index) });
    const { issue, person, commit } = groups;
    pieces.push({ text: found, address: issue ? to.issue(project, issue) : commit ? to.commit(project, commit) : to.person(person) });
    end = index + found.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
