// The task boxes of a text in Markdown.

const TASK = /^(\s*(?:>\s?)*\s*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[([ xX])\](?=[ \t])/;
const FENCE = /^\s*(?:>\s?)*\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})(.*)/;

/** The tasks of a text in their order: `{ line, done, words }`, the number of the line and its text without the mark. */
export function tasksOf(text) {
  /** @type {string | null} */
  let fence = null;
  return text.split("\n").flatMap((written, line) => {
    const [, mark, behind] = FENCE.exec(written) ?? [];
    if (mark) {
      if (!fence) fence = mark;
      else if (mark[0] === fence[0] && mark.length >= fence.length && !behind.trim()) fence = null;
      return [];
    }
    const task = fence ? null : TASK.exec(written);
    return task ? [{ line, done: task[2] !== " ", words: written.replace(TASK, "$1[ ]") }] : [];
  });
}

/**
 * `text` with a task that is done or not. `words` are those of `tasksOf`, and `at` is its place among the tasks. Returns null
 * if the text has no such task, or several and none at this place.
 */
export function withTask(text, { at, words }, done) {
  const tasks = tasksOf(text);
  const alike = tasks.filter((task) => task.words === words);
  const task = tasks[at]?.words === words ? tasks[at] : alike.length === 1 ? alike[0] : null;
  if (!task) return null;
  const lines = text.split("\n");
  lines[task.line] = lines[task.line].replace(TASK, `$1[${done ? "x" : " "}]`);
  return lines.join("\n");
}
