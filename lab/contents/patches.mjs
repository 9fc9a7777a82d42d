// Whether a patch leads from one file to another.

/** The text after a patch, or null if the patch does not fit. */
function applied(before, patch) {
  const old = before.split(/(?<=\n)/).filter(Boolean);
  const made = [];
  let [at, isNew] = [0, false];
  for (const line of patch
    .split(/(?<=\n)/)
    .filter(Boolean)
    .slice(2)) {
    const head = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    const rest = line.slice(1);
    if (head) {
      const start = Number(head[1]) - (head[2] === "0" ? 0 : 1);
      made.push(...old.slice(at, start));
      at = start;
    } else if (line[0] === "\\") {
      if (isNew && made.length) made.push(made.pop().replace(/\n$/, ""));
    } else if (line[0] === "+") {
      made.push(rest);
      isNew = true;
    } else {
      if (old[at]?.replace(/\n$/, "") !== rest.replace(/\n$/, "")) return null;
      if (line[0] === " ") made.push(rest);
      isNew = line[0] === " ";
      at++;
    }
  }
  return [...made, ...old.slice(at)].join("");
}

const changed = (patch) => (patch.match(/^[+-]/gm) ?? []).length;

/** How many lines it has more than git's, as a share of git's. Null: it leads to another file. */
export function excess(patch, gits, before, after) {
  if (!patch.startsWith("--- ") || applied(before, patch) !== after) return null;
  return changed(patch) / changed(gits) - 1;
}
