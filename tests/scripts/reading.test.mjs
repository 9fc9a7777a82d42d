// What the page of a commit makes of its message and its diff.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFiles, pairs, rows } from "../../page/diff.mjs";
import { linked, parts } from "../../page/parts/message.mjs";
import { bytesOf, linesOf, splitPlace, textOf } from "../../page/parts/places.mjs";
import { changedWords } from "../../page/words.mjs";

const SHA = "0123456789abcdef0123456789abcdef01234567";
const links = (text) =>
  linked(text, "a/b")
    .filter(({ address }) => address)
    .map(({ text: found, address }) => [found, address]);

test("a message links issues, people, commits and addresses, of other projects too", () => {
  assert.deepEqual(links(`Fix #7 and group/x.y#8, by @ann, after 8f99756f and ${SHA}; see https://example.com/a?b=c#d.`), [
    ["#7", "/a/b/-/issues/7"],
    ["group/x.y#8", "/group/x.y/-/issues/8"],
    ["@ann", "/ann"],
    ["8f99756f", "/a/b/-/commit/8f99756f"],
    [SHA, `/a/b/-/commit/${SHA}`],
    ["https://example.com/a?b=c#d", "https://example.com/a?b=c#d"],
  ]);
});

test("words, numbers, parts of names and of addresses are no references", () => {
  for (const text of [
    "defaced",
    "1234567",
    "ann@example.com",
    "x#1",
    "v1-8f99756f",
    "a-8f99756f-b",
    "file.8f99756f",
    "javascript:alert(1)",
    "https://",
  ])
    assert.deepEqual(links(text), [], text);
  assert.deepEqual(
    links("https://example.com/#1/@ann").map(([found]) => found),
    ["https://example.com/#1/@ann"],
  );
});

test("the pieces of a message are the message", () => {
  for (const text of ["", "plain", "#1", `a #1 b/c#2 ${SHA} (https://x.example/y). @bob!`, "<b>#1</b>"])
    assert.equal(
      linked(text, "a/b")
        .map((piece) => piece.text)
        .join(""),
      text,
    );
});

test("the subject is the whole first line, however long", () => {
  const long = "word ".repeat(40).trim();
  assert.deepEqual(parts(`\n${long}\n\nAnd more\nlines\n`), { subject: long, rest: "And more\nlines" });
  assert.deepEqual(parts("only\n"), { subject: "only", rest: "" });
  assert.deepEqual(parts(" \n"), { subject: "", rest: "" });
});

const marked = (before, after) =>
  changedWords(before, after)?.map((side) => side.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(""));

test("changed words are marked on both sides, and a line that shares little has no marks", () => {
  assert.deepEqual(marked("let a = compute(1, true);", "let a = calculate(1, false);"), [
    "let a = [compute](1, [true]);",
    "let a = [calculate](1, [false]);",
  ]);
  assert.deepEqual(marked("one two three four", "one four"), ["one [two three ]four", "one four"]);
  assert.deepEqual(marked("größer als", "größer wie"), ["größer [als]", "größer [wie]"]);
  assert.equal(marked("something", "else entirely"), undefined);
  assert.equal(marked("same", "same"), undefined);
  assert.equal(marked("x".repeat(6000), `${"x".repeat(6000)}y`), undefined, "very long lines are not compared");
});

test("marked lines are the lines", () => {
  const words = (count, word) =>
    Array.from({ length: count }, (_, at) => (at % 3 ? "same" : `${word}${at}`))
      .join(" ")
      .slice(0, 5000);
  for (let at = 0; at < 100; at++) {
    const [before, after] = [words(800, "a"), words(800, "b")];
    const found = changedWords(before, after);
    if (found)
      assert.deepEqual(
        found.map((side) => side.map(({ text }) => text).join("")),
        [before, after],
      );
  }
});

test("a replaced line knows the line that replaced it", () => {
  const list = rows("@@ -1,2 +1,2 @@\n-a\n-b\n+c\n d\n+e\n");
  pairs(list);
  assert.deepEqual(
    list.map(({ text, mate }) => [text, mate?.text]),
    [
      ["@@ -1,2 +1,2 @@", undefined],
      ["a", "c"],
      ["b", undefined],
      ["c", "a"],
      ["d", undefined],
      ["e", undefined],
    ],
  );
});

const file = (more) => ({
  diff: "",
  new_path: "x",
  old_path: "x",
  a_mode: "100644",
  b_mode: "100644",
  new_file: false,
  deleted_file: false,
  renamed_file: false,
  too_large: false,
  ...more,
});
const fresh = (more) => file({ new_file: true, a_mode: "0", ...more });
const reasons = (files, stats, isWhole = true) => changedFiles(files, stats, isWhole).map((one) => one.reasons.join(" "));

test("a file without lines says why", () => {
  assert.deepEqual(reasons([file({ diff: "Binary files a/x and b/x differ\n" })]), ["A binary file has no lines to show."]);
  assert.deepEqual(reasons([file({ b_mode: "100755" })]), ["Mode changed: 100644 → 100755."]);
  assert.deepEqual(reasons([file({ old_path: "y", renamed_file: true })]), ["Renamed from y without a change of its lines."]);
  assert.deepEqual(reasons([file({ old_path: "y", renamed_file: true, b_mode: "100755", diff: "@@ -1 +1 @@\n-a\n+b\n" })]), [
    "Renamed from y. Mode changed: 100644 → 100755.",
  ]);
  assert.deepEqual(reasons([file({ too_large: true })]), ["Too large to be shown here. Use git to see it."]);
  assert.deepEqual(reasons([fresh({ b_mode: "120000", diff: "@@ -0,0 +1 @@\n+x\n" })]), ["This is a symbolic link."]);
});

test("a new file without lines is empty or too large, as the commit's counts show", () => {
  const other = file({ diff: "@@ -1 +1,2 @@\n-a\n+b\n+c\n" });
  const of = (additions) => ({ additions, deletions: 1 });
  assert.equal(reasons([fresh(), other], of(2))[0], "An empty file.");
  assert.equal(reasons([fresh(), other], of(6002))[0], "Too large to be shown here: 6,000 lines were added. Use git to see them.");
  const unknown = "Empty, or too large to be shown here.";
  assert.deepEqual(reasons([fresh(), fresh(), other], of(6002)).slice(0, 2), [unknown, unknown], "either may be the large one");
  assert.equal(reasons([fresh(), other], of(6002), false)[0], unknown, "there are more files");
  assert.equal(reasons([fresh(), other], undefined)[0], unknown, "nobody counted");
  assert.equal(reasons([fresh(), file({ too_large: true })], of(6002))[0], unknown, "another file may have the lines");
  assert.equal(
    reasons([file({ deleted_file: true, b_mode: "0" })], { additions: 0, deletions: 9 })[0],
    "Too large to be shown here: 9 lines were removed. Use git to see them.",
  );
});

test("of an address the longest branch or tag that exists is the ref", () => {
  assert.deepEqual(splitPlace("release/1/src/a.c", ["release", "release/1", "rel"]), { ref: "release/1", path: "src/a.c" });
  assert.deepEqual(splitPlace("main", []), { ref: "main", path: "" });
  assert.deepEqual(splitPlace("main/src/", ["mainly"]), { ref: "main", path: "src" });
});

test("a file is text if it is UTF-8 without a zero byte", () => {
  assert.equal(textOf(bytesOf(btoa("a\nb"))), "a\nb");
  assert.equal(textOf(new TextEncoder().encode("grüß 👋")), "grüß 👋");
  assert.equal(textOf(new Uint8Array([97, 0, 98])), null);
  assert.equal(textOf(new Uint8Array([0xff, 0xfe])), null);
});

test("a fragment names lines of a file", () => {
  assert.deepEqual(
    [linesOf("#L7"), linesOf("#L7-12"), linesOf("#L7-L12"), linesOf("#L9-3")],
    [
      [7, 7],
      [7, 12],
      [7, 12],
      [9, 9],
    ],
  );
  for (const other of ["", "#l7", "#L", "#L7x", "#file-1"]) assert.equal(linesOf(other), null);
});
