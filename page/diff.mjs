const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Parses a unified diff into rows: `{ kind: "hunk" | "same" | "add" | "del" | "note", old, new, text }`. */
export function rows(diff) {
  const found = [];
  let [before, after, inside] = [0, 0, false];
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const line of lines) {
    // `---`, `+++` and other lines before the first hunk are left out
    const hunk = HUNK.exec(line);
    if (hunk) {
      [before, after, inside] = [Number(hunk[1]), Number(hunk[2]), true];
      found.push({ kind: "hunk", text: line });
      continue;
    }
    if (!inside) continue;
    if (line.startsWith("+")) found.push({ kind: "add", new: after++, text: line.slice(1) });
    else if (line.startsWith("-")) found.push({ kind: "del", old: before++, text: line.slice(1) });
    else if (line.startsWith("\\")) found.push({ kind: "note", text: line.slice(2) });
    else found.push({ kind: "same", old: before++, new: after++, text: line.slice(1) });
  }
  return found;
}

/** How many lines of the file one click shows. */
export const STEP = 20;

/**
 * The rows with lines of the new file that the diff leaves out. `opened`: how many above each hunk and, under "end", below the
 * last row; `lines`: those of the file, null if it was not read. A row of a hunk gets `hidden`, how many more are above it, and
 * `gap`, its number. A last row "end" follows unless the file is known to end there.
 */
export function expanded(list, lines, opened) {
  const found = [];
  let [before, after, gap] = [1, 1, 0];
  const same = (old, at) => ({ kind: "same", old, new: at, text: lines[at - 1] });
  for (const row of list) {
    const hunk = row.kind === "hunk" && HUNK.exec(row.text);
    if (hunk) {
      // an empty side begins at 0
      const [old, start] = [Math.max(1, Number(hunk[1])), Math.max(1, Number(hunk[2]))];
      const count = lines ? Math.min(opened[gap] ?? 0, start - after) : 0;
      const hidden = start - after - count;
      if (hidden > 0 || !count) found.push({ ...row, hidden, gap });
      for (let at = count; at > 0; at--) found.push(same(old - at, start - at));
      gap++;
      [before, after] = [old, start];
    } else {
      found.push(row);
      if (row.old !== undefined) before = row.old + 1;
      if (row.new !== undefined) after = row.new + 1;
    }
  }
  const count = lines ? Math.min(opened.end ?? 0, lines.length - after + 1) : 0;
  for (let at = 0; at < count; at++) found.push(same(before + at, after + at));
  if (!lines || after + count <= lines.length) found.push({ kind: "end", text: "", gap: "end" });
  return found;
}

/**
 * Returns pairs `[left, right]`, with removed lines beside the lines that replaced them. A hunk or note is on both sides. Rows
 * of two that replaced each other get `mate`.
 */
export function pairs(list) {
  const found = [];
  /** @type {any[][]} */
  let [removed, added] = [[], []];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [left, right] = [removed[at] ?? null, added[at] ?? null];
      if (left && right) [left.mate, right.mate] = [right, left];
      found.push([left, right]);
    }
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

export const counted = (list) => ({
  added: list.filter((row) => row.kind === "add").length,
  removed: list.filter((row) => row.kind === "del").length,
});

/** "Binary files a/x and b/x differ", as git writes it. */
const isBinary = ({ diff }) => diff.startsWith("Binary files ") || diff.includes("\nBinary files ");
const KINDS = { 120000: "symbolic link", 160000: "submodule" };

/** For example `{ new: { what: "empty" }, deleted: { what: "large", lines: 40 } }`: what new and deleted files without lines are, by the commit's counts. */
function guesses(files, stats, isWhole) {
  const known = files.reduce((sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }), {
    added: 0,
    removed: 0,
  });
  const bare = files.filter(({ file, list }) => !list.length && !isBinary(file) && !file.too_large);
  const guess = (isOne, missing) => {
    if (!isWhole || !stats) return null;
    if (missing === 0) return { what: "empty" };
    return bare.filter(({ file }) => isOne(file)).length === 1 && !files.some(({ file }) => file.too_large)
      ? { what: "large", lines: missing }
      : null;
  };
  return {
    new: guess((file) => file.new_file, stats ? stats.additions - known.added : 0),
    deleted: guess((file) => file.deleted_file, stats ? stats.deletions - known.removed : 0),
  };
}

const LARGE = "Too large to be shown here";

function reasonOf({ file, list }, guessed) {
  const { new_file, deleted_file, renamed_file, a_mode, b_mode } = file;
  const reasons = [];
  if (renamed_file) reasons.push(`Renamed from ${file.old_path}${list.length ? "" : " without a change of its lines"}.`);
  if (!new_file && !deleted_file && a_mode !== b_mode) reasons.push(`Mode changed: ${a_mode} → ${b_mode}.`);
  if (KINDS[b_mode] && new_file) reasons.push(`This is a ${KINDS[b_mode]}.`);
  if (list.length) return reasons;
  if (isBinary(file)) reasons.push("A binary file has no lines to show.");
  else if (file.too_large) reasons.push(`${LARGE}. Use git to see it.`);
  else if (new_file || deleted_file) {
    const guess = guessed[new_file ? "new" : "deleted"];
    if (guess?.what === "empty") reasons.push("An empty file.");
    else if (guess)
      reasons.push(`${LARGE}: ${guess.lines.toLocaleString("en")} lines were ${new_file ? "added" : "removed"}. Use git to see them.`);
    else reasons.push("Empty, or too large to be shown here.");
  }
  return reasons;
}

const parsed = new WeakMap();

/** The rows of each file and their numbers, `{ file, list, added, removed }`. Each file is parsed once. */
function parse(file) {
  if (!parsed.has(file)) {
    const list = rows(file.diff);
    parsed.set(file, { file, list, ...counted(list) });
  }
  return parsed.get(file);
}

/**
 * The files of a commit with `reasons`: sentences about what the lines do not show. `stats`: the commit's counts. `isWhole`:
 * these are all files of the commit.
 */
export function changedFiles(files, stats, isWhole) {
  const all = files.map(parse);
  const guessed = guesses(all, stats, isWhole);
  return all.map((one, at) => ({ ...one, id: `file-${at + 1}`, reasons: reasonOf(one, guessed) }));
}

/** Files by folder, `{ folders: [[name, tree]], files }`. A folder that has only one other is joined with that. */
export function treeOf(files, depth = 0) {
  const folders = new Map();
  const own = /** @type {any[]} */ ([]);
  for (const one of files) {
    const parts = one.file.new_path.split("/");
    if (parts.length - 1 === depth) own.push(one);
    else folders.set(parts[depth], [...(folders.get(parts[depth]) ?? []), one]);
  }
  return {
    files: own,
    folders: [...folders].map(([name, inside]) => {
      const tree = treeOf(inside, depth + 1);
      const [only] = tree.folders;
      return tree.folders.length === 1 && !tree.files.length ? [`${name}/${only[0]}`, only[1]] : [name, tree];
    }),
  };
}
