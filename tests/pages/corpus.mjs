// Texts that are slow to read as Markdown. Each is a piece that is repeated, and what comes before and after it.

const repeat = (piece) => (length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const nested = (open, close) => (length) =>
  open.repeat(length / (open.length + close.length)) + close.repeat(length / (open.length + close.length));
const after = (head, piece) => (length) => head + repeat(piece)(length - head.length);
/** Rows of a table with so many columns. */
const table = (columns) => {
  const row = (cell) => `|${cell.repeat(columns)}\n`;
  return after(row(" h |") + row("---|"), row(" a |"));
};
/** Each line is one longer than the one before. */
const growing =
  (piece, end = "\n") =>
  (length) => {
    let text = "";
    for (let at = 1; text.length < length; at++) text += piece.repeat(at) + end;
    return text.slice(0, length);
  };
/** Each line begins with one more space. */
const stairs = (mark) => (length) => {
  let text = "";
  for (let at = 0; text.length < length; at++) text += `${" ".repeat(2 * at)}${mark} a\n`;
  return text.slice(0, length);
};
const numbered = (piece) => (length) => {
  let text = "";
  for (let at = 0; text.length < length; at++) text += piece(at);
  return text.slice(0, length);
};
const LOG = "2026-11-23T10:11:12.345Z INFO worker[4242] GET /api/v4/projects/7/issues 200 in 12 ms\n";
const SHA = "0123456789abcdef0123456789abcdef01234567";

/** A text of a length in characters, by the name of its pattern. */
export const CORPUS = {
  "a word": repeat("word "),
  "one long word": repeat("a"),
  "one long word with dots": repeat("a."),
  "one long number": repeat("1"),
  "short lines": repeat("a\n"),
  "empty lines": repeat("\n"),
  "lines of spaces": repeat("   \n"),
  "spaces": repeat(" "),
  "spaces after a word": after("a", " "),
  "tabs": repeat("\t"),
  "hard breaks": repeat("a  \n"),
  "paragraphs": repeat("a\n\n"),
  "lines of a log": repeat(LOG),
  "lines of a log in a fence": after("```\n", LOG),
  "indented lines of a log": repeat(`    ${LOG}`),
  "Chinese": repeat("文字が続く"),
  "emoji": repeat("👩‍👩‍👧 "),
  "combining marks": repeat("e\u0301\u0302"),
  "right to left": repeat("\u202eאב"),
  "references to issues": repeat("#1 "),
  "references to people": repeat("@a "),
  "commits": repeat(`${SHA} `),
  "digits of commits": repeat("0123456789abcdef"),
  "number signs": repeat("#"),
  "at signs": repeat("@"),
  "headings": repeat("# a\n"),
  "underlined headings": repeat("a\n=\n"),
  "stars with words": repeat("*a "),
  "stars closed": repeat("*a* "),
  "stars": repeat("*"),
  "stars and underscores": repeat("*_"),
  "words and stars": repeat("a**b"),
  "stars of growing length": growing("*", "a"),
  "nested stars": nested("*a ", " a*"),
  "paragraphs of nested stars": repeat(`${"*a ".repeat(200)}${" a*".repeat(200)}\n\n`),
  "underscores": repeat("_a"),
  "underscores with spaces": repeat("_a "),
  "tildes": repeat("~a"),
  "backticks of growing length": growing("`", " "),
  "backticks with words": repeat("`a"),
  "a fence without an end": after("```", "`a\n"),
  "opening brackets": repeat("["),
  "nested brackets": nested("[", "]"),
  "links without an end": repeat("[a]("),
  "nested links": nested("[", "](b)"),
  "links": repeat("[a](b) "),
  "pictures": repeat("![a](b) "),
  "pictures without an end": repeat("![]("),
  "definitions": repeat("[a]: b\n"),
  "references to definitions": repeat("[a][b]"),
  "references to footnotes": repeat("[^1]"),
  "less-than signs": repeat("<"),
  "tags without an end": repeat("<a "),
  "bold tags": repeat("<b>"),
  "nested tags": nested("<b>", "</b>"),
  "bold tags that differ over paragraphs": numbered((at) => `<b title=${at}>\n\na `),
  "few bold tags that differ before paragraphs": (length) =>
    numbered((at) => `<b title=${at}> `)(length / 5) + repeat("a\n\n")(length * 0.8),
  "bold tags that paragraphs do not close": repeat("<b><i><s>a\n\n"),
  "tags of all kinds without an end before paragraphs": after("<b><code><em><i><s><strong><a href=/>".repeat(3), "a\n\n"),
  "code tags that differ over paragraphs": numbered((at) => `<code/title="<${at}">\n\na `),
  "tables in tables": repeat("<table><tr><td>"),
  "lists in lists as tags": repeat("<ul><li>"),
  "details in details": repeat("<details><summary>a</summary>"),
  "comments without an end": repeat("<!-- "),
  "entities": repeat("&a;"),
  "ampersands": repeat("&"),
  "backslashes": repeat("\\"),
  "escaped marks": repeat("\\#1 "),
  "addresses": repeat("https://a.example/b "),
  "one long address": after("https://", "a."),
  "addresses of mail": repeat("a@b.cc "),
  "beginnings of addresses of mail": repeat("a+b@"),
  "quotation marks nested": repeat(">"),
  "quotations a thousand deep": repeat(`${">".repeat(1000)} a\n\n`),
  "quotations": repeat("> a\n"),
  "quotations that go on": growing(">", " a\n"),
  "list items": repeat("- a\n"),
  "nested marks of lists": repeat("- "),
  "lists that go deeper": stairs("-"),
  "nested numbers of lists": repeat("1. "),
  "nested plus signs": repeat("+ "),
  "nested quotations in lists": repeat("+ > "),
  "numbered items": repeat("1. a\n"),
  "tasks": repeat("- [ ] a\n"),
  "a table of 2 columns": table(2),
  "a table of 200 columns": table(200),
  "a table without rows": after("|a|\n", "|-"),
  "lines that could be tables": repeat("a|b\n"),
  "rules": repeat("---\n"),
  "footnotes": repeat("[^1]: a\n"),
  "footnotes that differ": numbered((at) => `[^${at}]: a [^${at}]\n`),
  "a footnote that goes on": after("[^1]: a\n", "   a\n"),
  "signs of one footnote": after("[^1]: a\n\n", "[^1] "),
  "beginnings of footnotes": repeat("[^1"),
};
