// The changed files of a commit or a comparison: their list with a filter, and their lines.
import { useEffect, useMemo, useState } from "preact/hooks";
import { useApi } from "../api.mjs";
import { changedFiles } from "../diff.mjs";
import { Counts, FileDiff } from "./diff.jsx";
import { useMore } from "./draft.jsx";
import { Answer, Empty, Problem } from "./feedback.jsx";

const SIDED = "edgeforge-diff-sided";
const wide = () => matchMedia("(min-width: 62rem)").matches;

/** In lines. A longer file, and files after so many lines, begin collapsed. */
const LONG_FILE = 1500;
const MOST_LINES = 20_000;
/** Files that are fetched without being asked for. */
const MOST_FILES = 300;

/** All pages of the files up to MOST_FILES, and `more` for the next one. */
function useFiles(path) {
  const query = { per_page: 100 };
  const answer = useApi(`${path}/diff`, query);
  const { more, busy, error } = useMore(answer, `${path}/diff`, query);
  const count = answer.data?.length ?? 0;
  useEffect(() => {
    if (answer.next && count < MOST_FILES) more();
  }, [count]);
  return { answer, busy, error, more };
}

/** The ids of files that begin collapsed. */
function collapsedAtFirst(files) {
  let lines = 0;
  return new Set(files.filter(({ list }) => list.length > LONG_FILE || (lines += list.length) > MOST_LINES).map(({ id }) => id));
}

/** @param {{ path: string, project: string, sha: string, stats: any, comments?: any[], comment?: any }} props */
export const Changes = ({ path, ...given }) => (
  <ChangedFiles {...given} {...useFiles(path)}>
    <p>This is a merge without changes of its own, or an empty commit.</p>
  </ChangedFiles>
);

const NONE = [];

/**
 * `answer`: that of the API with the files; `sha`: the commit that has the new ones. `children`: why there may be none.
 * @param {{ answer: any, busy?: boolean, error?: any, more?: () => unknown, project: string, sha: string, stats: any, comments?: any[], comment?: any, children?: any }} props
 */
export function ChangedFiles({ answer, busy, error, more, project, sha, stats, comments = NONE, comment, children }) {
  const [sided, setSided] = useState(() => (localStorage.getItem(SIDED) ?? "yes") === "yes" && wide());
  const [turned, setTurned] = useState({});
  const files = useMemo(() => changedFiles(answer.data ?? [], stats, !answer.next), [answer.data, answer.next, stats]);
  const collapsed = useMemo(() => collapsedAtFirst(files), [files]);
  // the browser looked for the fragment before the files were there
  useEffect(() => {
    if (location.hash.startsWith("#file-")) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [files.length > 0]);
  const isOpen = ({ id }) => turned[id] ?? !collapsed.has(id);
  const turnAll = (open) => setTurned(Object.fromEntries(files.map(({ id }) => [id, open])));
  const choose = (value) => {
    localStorage.setItem(SIDED, value ? "yes" : "no");
    setSided(value);
  };
  const anyOpen = files.some(isOpen);
  return (
    <section aria-labelledby="changes" class="changes">
      <div class="title-row">
        <h2 id="changes">
          Changes{" "}
          {answer.data && (
            <span class="count">
              {(answer.total ?? files.length).toLocaleString("en")} {answer.total === 1 ? "file" : "files"}
            </span>
          )}
        </h2>
        <div class="choice" role="group" aria-label="How changes are shown">
          {files.length > 1 && (
            <button class="small" onClick={() => turnAll(!anyOpen)}>
              {anyOpen ? "Collapse all" : "Expand all"}
            </button>
          )}
          <button class="small" aria-pressed={!sided} onClick={() => choose(false)}>
            In line
          </button>
          <button class="small" aria-pressed={sided} onClick={() => choose(true)}>
            Side by side
          </button>
        </div>
      </div>
      <Answer of={answer} what="Loading changes">
        {() =>
          files.length ? (
            <div class="with-files">
              {files.length > 1 && <FileList files={files} open={(id) => setTurned((before) => ({ ...before, [id]: true }))} />}
              <div>
                {comment && <small>To comment on a changed line, click its number.</small>}
                {files.map((changed) => (
                  <FileDiff
                    key={changed.id}
                    changed={changed}
                    open={isOpen(changed)}
                    turn={(open) => setTurned((before) => ({ ...before, [changed.id]: open }))}
                    sided={sided}
                    project={project}
                    sha={sha}
                    comment={comment}
                    comments={comments.filter((one) => one.path === changed.file.new_path)}
                  />
                ))}
                {error && <Problem error={error} retry={more} />}
                {answer.next && !error && (
                  <button onClick={more} disabled={busy}>
                    {busy ? "Loading …" : "More files"}
                  </button>
                )}
              </div>
            </div>
          ) : (
            <Empty title="No changes.">{children}</Empty>
          )
        }
      </Answer>
    </section>
  );
}

const MARKS = { new_file: "added", deleted_file: "deleted", renamed_file: "renamed" };
const markOf = (file) => Object.entries(MARKS).find(([name]) => file[name])?.[1];

/** A click on a file opens it and goes there. */
function FileList({ files, open }) {
  const [words, setWords] = useState("");
  const wanted = words.trim().toLowerCase();
  const shown = files.filter(
    ({ file }) => !wanted || file.new_path.toLowerCase().includes(wanted) || file.old_path.toLowerCase().includes(wanted),
  );
  return (
    <nav class="file-list" aria-label="Changed files">
      <label>
        <span class="unseen">Filter files</span>
        <input type="search" placeholder="Filter files" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
      </label>
      <p class="unseen" role="status">
        {wanted && `${shown.length} of ${files.length} files`}
      </p>
      {shown.length ? (
        <ol>
          {shown.map(({ file, id, list, added, removed }) => (
            <li key={id}>
              <a href={`#${id}`} title={file.new_path} onClick={() => open(id)}>
                <bdi>{file.new_path}</bdi>
              </a>
              {markOf(file) && <span class="quiet">{markOf(file)}</span>}
              {list.length > 0 && <Counts added={added} removed={removed} />}
            </li>
          ))}
        </ol>
      ) : (
        <p class="quiet">No file has this in its name.</p>
      )}
    </nav>
  );
}
