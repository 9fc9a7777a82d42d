// The changed files as a tree of folders, and which of them the reader has read.
import { useState } from "preact/hooks";
import { treeOf } from "../diff.mjs";
import { Counts } from "./marks.jsx";

const READ = "edgeforge-read";
/** Commits whose marks a browser keeps. */
const MOST = 100;

function kept() {
  try {
    return JSON.parse(localStorage.getItem(READ) ?? "") ?? {};
  } catch {
    return {};
  }
}

/**
 * The paths that the reader of `name` has read: `[paths, mark(path, isRead)]`. This browser keeps them.
 * @param {string} name
 * @returns {[Set<string>, (path: string, isRead: boolean) => void]}
 */
export function useRead(name) {
  const [read, setRead] = useState(() => new Set(kept()[name] ?? []));
  const mark = (path, isRead) => {
    const next = new Set(read);
    next[isRead ? "add" : "delete"](path);
    setRead(next);
    const { [name]: _, ...others } = kept();
    const all = [...Object.entries(others), ...(next.size ? [[name, [...next]]] : [])].slice(-MOST);
    try {
      localStorage.setItem(READ, JSON.stringify(Object.fromEntries(all)));
    } catch {
      // the storage is full: the marks last as long as the page
    }
  };
  return [read, mark];
}

const MARKS = { new_file: "added", deleted_file: "deleted", renamed_file: "renamed" };
const markOf = (file) => Object.entries(MARKS).find(([name]) => file[name])?.[1];

const Tree = ({ tree: { folders, files }, open, read }) => (
  <ul>
    {folders.map(([name, tree]) => (
      <li key={name}>
        <span class="quiet">{name}</span>
        <Tree tree={tree} open={open} read={read} />
      </li>
    ))}
    {files.map(({ file, id, list, added, removed }) => (
      <li key={id} class="leaf">
        <a href={`#${id}`} title={file.new_path} onClick={() => open(id)}>
          {read.has(file.new_path) && (
            <>
              <span aria-hidden="true">✓ </span>
              <span class="unseen">read: </span>
            </>
          )}
          {file.new_path.split("/").at(-1)}
        </a>
        {markOf(file) && <span class="quiet">{markOf(file)}</span>}
        {list.length > 0 && <Counts added={added} removed={removed} />}
      </li>
    ))}
  </ul>
);

/** A click on a file opens it and goes there. `total`: the number of all files, of which some may not be here yet. */
export function FileTree({ files, total, open, read }) {
  const [words, setWords] = useState("");
  const [isWide] = useState(() => matchMedia("(min-width: 68.75rem)").matches);
  const wanted = words.trim().toLowerCase();
  const shown = files.filter(
    ({ file }) => !wanted || file.new_path.toLowerCase().includes(wanted) || file.old_path.toLowerCase().includes(wanted),
  );
  return (
    <nav class="file-list" aria-label="Changed files">
      <details open={isWide}>
        <summary>
          {total.toLocaleString("en")} files{read.size > 0 && `, ${read.size.toLocaleString("en")} read`}
        </summary>
        <label>
          <span class="unseen">Filter files</span>
          <input type="search" placeholder="Filter files" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
        </label>
        <p class="unseen" role="status">
          {wanted && `${shown.length} of ${files.length} files`}
        </p>
        {shown.length ? <Tree tree={treeOf(shown)} open={open} read={read} /> : <p class="quiet">No file has this in its name.</p>}
      </details>
    </nav>
  );
}
