const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Parses a unified diff into rows: `{ kind: "hunk" | "same" | "add" | "del" | "note", old, new, text }`. */
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
      // `---`, `+++` and other lines before the first hunk
      continue;
    } else if (line.startsWith("+")) found.push({ kind: "add", new: after++, text: line.slice(1) });
    else if (line.startsWith("-")) found.push({ kind: "del", old: before++, text: line.slice(1) });
    else if (line.startsWith("\\")) found.push({ kind: "note", text: line.slice(2) });
    else found.push({ kind: "same", old: before++, new: after++, text: line.slice(1) });
  }
  return found;
}

/** Returns pairs `[left, right]`, with removed lines beside the lines that replaced them. A hunk or note is on both sides. */
export function pairs(list) {
  const found = [];
  let [removed, added] = [[], []];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) found.push([removed[at] ?? null, added[at] ?? null]);
    [removed, added] = [[], []];
  };
  for (const row of list) {
    if (row.kind === "del") {
      // a removed line after an added one begins another change
      if (added.length) flush();
      removed.push(row);
    } else if (row.kind === "add") added.push(row);
    // the note "No newline at end of file" must not split a pair
    else if (row.kind === "note" && (removed.length || added.length)) continue;
    else {
      flush();
      found.push([row, row]);
    }
  }
  flush();
  return found;
}

export const counted = (list) => ({ added: list.filter((row) => row.kind === "add").length, removed: list.filter((row) => row.kind === "del").length });
