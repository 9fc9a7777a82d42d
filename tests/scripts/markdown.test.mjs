// Which texts are formatted at once, how others are cut into chunks, and where references in text lead.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Marked } from "marked";
import { footnote } from "../../page/parts/footnotes.mjs";
import { chunks, isSlow } from "../../page/parts/plain.mjs";
import { references } from "../../page/parts/references.mjs";
import { CORPUS } from "../pages/corpus.mjs";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const texts = (length) => Object.entries(CORPUS).map(([name, make]) => [name, make(length)]);
/** Patterns that take marked the square of their length. */
const SQUARE = [
  "spaces after a word",
  "stars closed",
  "words and stars",
  "nested stars",
  "paragraphs of nested stars",
  "underscores",
  "quotation marks nested",
  "nested numbers of lists",
  "nested plus signs",
  "nested quotations in lists",
  "quotations a thousand deep",
];

test("the corpus has sixty patterns at least, each of the length asked for", () => {
  assert.ok(Object.keys(CORPUS).length >= 60);
  for (const length of [10_000, 100_000, 900_000])
    for (const [name, text] of texts(length)) assert.ok(text.length <= length && text.length > length * 0.95, `${name}: ${text.length}`);
});

test("a text above 20,000 characters is shown as it was written", () => {
  for (const [name, text] of texts(100_000)) assert.ok(isSlow(text), name);
  assert.ok(isSlow(`${"word ".repeat(4000)}a`));
  assert.ok(!isSlow("word ".repeat(4000)));
});

test("so is a shorter one of a pattern that takes the square of its length", () => {
  for (const name of SQUARE) for (const length of [10_000, 20_000]) assert.ok(isSlow(CORPUS[name](length)), `${name}, ${length}`);
});

test("long texts as people write them are formatted at once", () => {
  const some = [
    `${"**Eighty** words of _marks_ and ".repeat(40)}\n\n`,
    "A paragraph with **bold** and `code` and _more_.\n\n",
    "- **An item** of a *long* list, #12\n",
    "| a | b |\n",
    "    indented\n",
    "> quoted\n> > twice\n\n",
    "1. first\n2. second\n",
  ];
  for (const piece of some) assert.ok(!isSlow(piece.repeat(20_000 / piece.length)), piece);
});

test("chunks are the whole text, each of 5,000 characters at most", () => {
  for (const [name, text] of texts(100_000)) {
    const parts = chunks(text);
    assert.equal(parts.join(""), text, name);
    assert.ok(
      parts.every((part) => [...part].length <= 5000),
      name,
    );
    assert.ok(parts.length <= 40, `${name}: ${parts.length} chunks`);
  }
  assert.deepEqual(chunks(""), []);
});

test("a chunk ends at the end of a line, and never in a character", () => {
  const lines = `${"a".repeat(1500)}\n`.repeat(5);
  assert.deepEqual(
    chunks(lines).map((part) => part.length),
    [4503, 3002],
  );
  for (const part of chunks(`a${"👩".repeat(12_000)}`)) assert.ok(part.isWellFormed());
});

test("references in a text lead to issues, people and commits", () => {
  const found = (text) =>
    references(text, "a/b")
      .filter(({ address }) => address)
      .map(({ text: shown, address }) => `${shown} ${address}`);
  assert.deepEqual(found("See #12, @ann."), ["#12 /a/b/-/issues/12", "@ann /ann"]);
  assert.deepEqual(found(`${SHA} @a_b-c.d #1`), [`${SHA} /a/b/-/commit/${SHA}`, "@a_b-c.d /a_b-c.d", "#1 /a/b/-/issues/1"]);
  assert.deepEqual(found(`group/other.site#7, ~bug and ${SHA.slice(4, 13)}.`), [
    "group/other.site#7 /group/other.site/-/issues/7",
    "~bug /a/b/-/issues?labels=bug",
    `${SHA.slice(4, 13)} /a/b/-/commit/${SHA.slice(4, 13)}`,
  ]);
  assert.deepEqual(found('Fixed in %17.0. See %"Spring release", ~"needs a test" (%v1-rc.2)'), [
    "%17.0 /a/b/-/issues?milestone=17.0",
    '%"Spring release" /a/b/-/issues?milestone=Spring+release',
    '~"needs a test" /a/b/-/issues?labels=needs+a+test',
    "%v1-rc.2 /a/b/-/issues?milestone=v1-rc.2",
  ]);
  // what a title has stays within its parameter
  assert.deepEqual(found('%"a&state=all#x?<b>/%2F" ~"\u{1f41b} \\ b"'), [
    '%"a&state=all#x?<b>/%2F" /a/b/-/issues?milestone=a%26state%3Dall%23x%3F%3Cb%3E%2F%252F',
    '~"\u{1f41b} \\ b" /a/b/-/issues?labels=%F0%9F%90%9B+%5C+b',
  ]);
  const [one, two] = [SHA, SHA.slice(4, 13)];
  for (const dots of ["..", "..."])
    assert.deepEqual(found(`(${one}${dots}${two}).`), [`${one}${dots}${two} /a/b/-/compare/${one}${dots}${two}`]);
  for (const text of [
    "a#1",
    "a/#1",
    "&#1",
    "#1a",
    "#1234567890",
    "ann@example.com",
    "/@ann",
    "@-",
    `${SHA}0`,
    "1234567",
    "effaced",
    "HEAD~2",
    "~2",
    "~/x",
    "a~b",
    "x/a/b#1",
    "#",
    "@",
    '~"a, b"',
    '~"a\nb"',
    '%"a',
    '%""',
    '%" "',
    'a%"b"',
    '50%"b"',
    '%%"b"',
    '\\%"b"',
    `%"${"a".repeat(256)}"`,
    `%${"a".repeat(70)}`,
    "100%sure",
    "100 % sure",
    "%12 %2027, %7.",
    "%d of %s",
    "%Y-%m-%d",
    "a%20b %20 %2F.",
    "%PATH%",
    "%a/b",
  ])
    assert.deepEqual(found(text), [], text);
});

/** Milliseconds of processor time. Other work of the machine does not count. */
const used = () => process.cpuUsage().user / 1000;

// a time that grows with the square of the length would be hours
test("marks that begin no reference take the time of their length", () => {
  for (const mark of ['%"', '~"', "%a", "%a-", '%"a" ', "%.", '%"a'.repeat(9)]) {
    const began = used();
    references(mark.repeat(1_000_000 / mark.length), "a/b");
    const took = used() - began;
    assert.ok(took < 20_000, `${mark}: ${took.toFixed()} ms`);
  }
});

test("the pieces around references are the whole text", () => {
  for (const [name, text] of texts(20_000))
    assert.equal(
      references(text, "a/b")
        .map((piece) => piece.text)
        .join(""),
      text,
      name,
    );
});

test("a footnote is one element, also where marked would read an address of a link", () => {
  const html = (text) => new Marked({ gfm: true }, { extensions: [footnote] }).parse(text, { async: false });
  assert.equal(
    html("a[^1]\n\n[^1]: https://a.example"),
    '<p>a[^1]</p>\n<x-note title="1"><a href="https://a.example">https://a.example</a></x-note>',
  );
  assert.equal(
    html("[^a-b]: *one*\n    more\n[^ü]: two\n\nthree"),
    '<x-note title="a-b"><em>one</em>\n    more</x-note><x-note title="ü">two</x-note><p>three</p>\n',
  );
  for (const text of ['[^"]: a', "[^<b>]: a", "[^]: a", `[^${"a".repeat(41)}]: a b`, "a [^1]: b", "    [^1]: a"])
    assert.doesNotMatch(html(text), /x-note/, text);
});
