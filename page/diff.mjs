// A unified diff as rows, in line or side by side. Pure: no element is made here.

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Rows of a diff without its head: `{ kind: "hunk" | "same" | "add" | "del" | "note", old, new, text }`. */
export function rows(diff) {
  const found = [];
  let [before, after, inside] = [0, 0, false];
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      [before, after, inside] = [Number(hunk[1]), Number(hunk[2]), true];
      found.push({ kind: "hunk", text: line });
    } else if (!inside) {
      // `---`, `+++` and what else stands before the first part
      continue;
    } else if (line.startsWith("+")) found.push({ kind: "add", new: after++, text: line.slice(1) });
    else if (line.startsWith("-")) found.push({ kind: "del", old: before++, text: line.slice(1) });
    else if (line.startsWith("\\")) found.push({ kind: "note", text: line.slice(2) });
    else found.push({ kind: "same", old: before++, new: after++, text: line.slice(1) });
  }
  return found;
}

/** Pairs of rows, `[left, right]`: removed lines stand beside those that took their place. A hunk or note is alone. */
export function pairs(list) {
  const found = [];
  let [gone, come] = [[], []];
  const flush = () => {
    for (let at = 0; at < Math.max(gone.length, come.length); at++) found.push([gone[at] ?? null, come[at] ?? null]);
    [gone, come] = [[], []];
  };
  for (const row of list) {
    if (row.kind === "del") {
      // a line that is removed after one was added begins another change
      if (come.length) flush();
      gone.push(row);
    } else if (row.kind === "add") come.push(row);
    // that the last line has no end belongs to the line before it, and divides no pair
    else if (row.kind === "note" && (gone.length || come.length)) continue;
    else {
      flush();
      found.push([row, row]);
    }
  }
  flush();
  return found;
}

/** How many lines were added and removed. */
export const counted = (list) => ({ added: list.filter((row) => row.kind === "add").length, removed: list.filter((row) => row.kind === "del").length });
