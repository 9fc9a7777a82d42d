// Which texts are shown as they were written, because formatting them could freeze the page; and their chunks. The corpus
// of `make -C lab markdown` measures both.

/** The browser lays out each element, off the screen, too. */
export const MOST_ELEMENTS = 1000;
const MOST_CHARACTERS = 20_000;
const MOST_MARKS = 200;
const MOST_SPACES = 1000;
const MOST_PREFIX = 200;
const CHUNK = 5000;
/** Between two paragraphs, or two items of a list. */
const BREAK = /\n\s*\n|\n {0,3}[-+*] /;

const longest = (text, shape) => (text.match(shape) ?? []).reduce((most, { length }) => Math.max(most, length), 0);

/**
 * Long texts, and shorter ones that take marked a time that grows with the square of the length: very many `*` and `_`
 * in one paragraph, very long runs of spaces, quotations and lists that are nested hundreds deep.
 */
export function isSlow(text) {
  return (
    text.length > MOST_CHARACTERS ||
    text.split(BREAK).some((paragraph) => (paragraph.match(/\*+|_+/g) ?? []).length > MOST_MARKS) ||
    longest(text, /[ \t]+/g) > MOST_SPACES ||
    longest(text, /^(?:[ \t]*>|[ \t]*(?:[-+*]|\d+[.)])[ \t])+/gm) > MOST_PREFIX
  );
}

/** A text in chunks that end at the end of a line, where lines are short enough. The browser lays out those on the screen. */
export const chunks = (text) => text.match(new RegExp(`[^]{1,${CHUNK - 1}}(?:\\n|$)|[^]{${CHUNK}}`, "gu")) ?? [];
