// Lines around a diff, which the reader asks for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { expanded, rows, STEP, treeOf } from "../../page/diff.mjs";
import { cut } from "../../page/words.mjs";

const FILE = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`);
/** Line 30 was changed, and 80 and 81 added. */
const LIST = rows(
  `@@ -27,7 +27,7 @@\n line 27\n line 28\n line 29\n-old\n+line 30\n line 31\n line 32\n line 33\n@@ -77,6 +77,8 @@\n line 77\n line 78\n line 79\n+line 80\n+line 81\n line 82\n line 83\n line 84\n`,
);
const numbers = (list) => list.map(({ kind, old, new: now }) => (kind === "hunk" || kind === "end" ? kind : `${old ?? ""}:${now ?? ""}`));

test("a_diff_says_how_many_lines_are_above_each_of_its_parts", () => {
  const list = expanded(LIST, null, {});
  assert.deepEqual(
    list.filter(({ kind }) => kind === "hunk").map(({ hidden, gap }) => [hidden, gap]),
    [
      [26, 0],
      [43, 1],
    ],
  );
  assert.equal(list.at(-1).kind, "end", "what follows is not known before the file is read");
  assert.equal(list.length, LIST.length + 1);
});

test("lines_that_were_asked_for_have_their_numbers_in_both_files", () => {
  const list = expanded(LIST, FILE, { 1: STEP, end: STEP });
  const second = list.findLastIndex(({ kind }) => kind === "hunk");
  assert.equal(list[second].hidden, 43 - STEP);
  assert.deepEqual(numbers(list.slice(second + 1, second + 3)), ["57:57", "58:58"]);
  assert.equal(list[second + STEP].text, "line 76");
  const last = numbers(list).indexOf("82:84");
  assert.deepEqual(
    numbers(list.slice(last + 1)),
    Array.from({ length: 16 }, (_, at) => `${83 + at}:${85 + at}`),
    "up to the end of the file, behind which nothing is",
  );
  for (const row of list)
    if (row.kind === "same" && row.new) assert.ok(row.text === FILE[row.new - 1] || row.new > 81, `${row.new} is ${row.text}`);
});

test("a_gap_that_is_all_shown_has_no_mark_and_no_line_twice", () => {
  const list = expanded(LIST, FILE, { 0: 40, 1: 60 });
  assert.equal(list.filter(({ kind }) => kind === "hunk").length, 0);
  const shown = list.filter((row) => row.new).map((row) => row.new);
  assert.deepEqual(shown, Array.from({ length: 86 }, (_, at) => at + 1).slice(0, shown.length));
  assert.equal(new Set(shown).size, shown.length);
});

test("an_empty_file_has_no_lines_around_its_diff", () => {
  const list = expanded(rows("@@ -1,2 +0,0 @@\n-a\n-b\n"), [], {});
  assert.deepEqual(numbers(list), ["hunk", "1:", "2:"]);
  assert.ok(!(list[0].hidden > 0));
});

test("changed_files_are_in_their_folders_and_folders_with_one_folder_alone_are_one", () => {
  const names = ({ files, folders }) => [
    ...folders.map(([name, tree]) => ({ [name]: names(tree) })),
    ...files.map(({ file }) => file.new_path.split("/").at(-1)),
  ];
  const tree = treeOf(
    ["src/a/b/one.rs", "src/a/b/two.rs", "src/a/three.rs", "guide/four.md", "five"].map((new_path) => ({ file: { new_path } })),
  );
  assert.deepEqual(names(tree), [{ "src/a": [{ b: ["one.rs", "two.rs"] }, "three.rs"] }, { guide: ["four.md"] }, "five"]);
});

test("a_line_is_cut_where_its_colours_and_its_changed_words_begin_and_end", () => {
  const colours = [{ text: "let ", kind: "keyword" }, { text: "after = 1;" }];
  const words = [
    { text: "let a", changed: false },
    { text: "fter", changed: true },
    { text: " = 1;", changed: false },
  ];
  assert.deepEqual(
    cut(colours, words).map(({ text, kind, changed }) => [text, kind, changed]),
    [
      ["let ", "keyword", false],
      ["a", undefined, false],
      ["fter", undefined, true],
      [" = 1;", undefined, false],
    ],
  );
});
