// `#12`, `group/project#12`, `@ann`, `~label`, `~"two words"`, `%milestone`, `%"two words"`, hashes of commits and ranges
// of them in text.
import { to } from "../route.mjs";

// a short hash has digits and letters, else it may be a number or a word
const HASH = String.raw`(?:[0-9a-f]{40}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,39})`;
// neither a number, which may be a share, nor an escape of an address such as %2F
const NO_NAME = String.raw`(?:\d+|[\dA-F]{2})(?!\.?[\w-])`;
const REFERENCE = new RegExp(
  [
    String.raw`(?<![\w/.-])(?<project>\w[\w.-]*\/\w[\w.-]*)#(?<far>\d{1,9})\b`,
    String.raw`(?<![\w/&])#(?<issue>\d{1,9})\b`,
    String.raw`(?<![\w/.])@(?<person>\w(?:[\w.-]{0,60}\w)?)`,
    String.raw`(?<![\w/.~])~(?<label>[A-Za-z](?:[\w-]{0,60}\w)?)(?![\w/])`,
    String.raw`(?<![\w/.~\\])~"(?<labelWords>[^\s",][^\n",]{0,254})"`,
    String.raw`(?<![\w/.%\\])%(?!${NO_NAME})(?<milestone>\w[\w.-]{0,60}\w)(?![\w/%])`,
    String.raw`(?<![\w/.%\\])%"(?<milestoneWords>[^\s"][^\n"]{0,254})"`,
    String.raw`(?<![\w/#@.-])(?<from>${HASH})(?<dots>\.{2,3})(?<until>${HASH})(?![\w-])`,
    String.raw`(?<![\w/#@.-])(?<commit>${HASH})(?![\w-])`,
  ].join("|"),
  "g",
);

function addressOf({ project: other, far, issue, person, from, dots, until, commit, ...named }, project) {
  if (far) return to.issue(other, far);
  if (issue) return to.issue(project, issue);
  if (person) return to.person(person);
  if (from) return to.compare(project, from, until, dots);
  if (commit) return to.commit(project, commit);
  return to.issues(project, { labels: named.label ?? named.labelWords, milestone: named.milestone ?? named.milestoneWords });
}

/** A text in pieces, `{ text, address }`. Only references have an address. */
export function references(text, project) {
  const pieces = [];
  let end = 0;
  for (const { 0: found, index, groups } of text.matchAll(REFERENCE)) {
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: found, address: addressOf(groups, project) });
    end = index + found.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
