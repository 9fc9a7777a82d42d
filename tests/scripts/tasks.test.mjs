// Task boxes: which lines of a text have one, and what a tick changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tasksOf, withTask } from "../../page/parts/tasks.mjs";

const TEXT =
  "- [ ] first\n* [x] second\n  1. [X] inner\n> - [ ] said\n\n```\n- [ ] code\n```\n- [] none\n-[ ] none\n[ ] none\n~~~~\n- [ ] code\n~~~\n- [ ] code\n~~~~\n+ [ ] first";

test("a task is a mark at the beginning of an item, outside of code", () => {
  assert.deepEqual(
    tasksOf(TEXT).map(({ line, done }) => [line, done]),
    [
      [0, false],
      [1, true],
      [2, true],
      [3, false],
      [16, false],
    ],
  );
  assert.deepEqual(tasksOf(""), []);
});

test("a fence ends at one that is as long and has no text behind it", () => {
  const lines = (text) => tasksOf(text).map(({ line }) => line);
  assert.deepEqual(lines("`````\n```\n- [ ] code\n`````\n- [ ] a"), [4]);
  assert.deepEqual(lines("```\n```` text\n- [ ] code\n```\n- [ ] a"), [4]);
  assert.deepEqual(lines("``` a`b\n- [ ] a"), [1], "no fence");
});

test("a tick changes the mark alone", () => {
  for (const [at, task] of tasksOf(TEXT).entries()) {
    const ticked = withTask(TEXT, { at, words: task.words }, !task.done);
    assert.deepEqual(
      tasksOf(ticked).map(({ done }) => done),
      tasksOf(TEXT).map(({ done }, other) => (other === at ? !done : done)),
    );
    assert.equal(ticked.length, TEXT.length);
    assert.equal(withTask(ticked, { at, words: task.words }, task.done).toLowerCase(), TEXT.toLowerCase());
  }
});

test("in a text that others changed, a tick finds its task by its words, or does nothing", () => {
  const task = { at: 1, words: "- [ ] b" };
  assert.equal(withTask("- [ ] new\n- [ ] a\n- [ ] b", task, true), "- [ ] new\n- [ ] a\n- [x] b");
  assert.equal(withTask("- [ ] a\n- [ ] c", task, true), null);
  assert.equal(withTask("- [ ] b\n- [ ] a\n- [ ] b", task, true), null, "two of them, and none at its place");
});
