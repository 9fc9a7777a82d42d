// The changed files of a commit or a comparison: their list with a filter, and their lines.
import { useEffect, useMemo, useState } from "preact/hooks";
import { useApi } from "../api.mjs";
import { changedFiles } from "../diff.mjs";
import { FileDiff } from "./diff.jsx";
import { useMore } from "./draft.jsx";
import { Answer, Empty, Problem } from "./feedback.jsx";
import { FileTree, useRead } from "./file-tree.jsx";
import { remarks } from "./problems.mjs";

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

/** @param {{ path: string, project: string, sha: string, stats: any, comments?: any[] | null, comment?: any, problems?: any }} props */
export const Changes = ({ path, ...given }) => (
  <ChangedFiles {...given} {...useFiles(path)}>
    <p>This is a merge without changes of its own, or an empty commit.</p>
  </ChangedFiles>
);

const NONE = [];

/**
 * `answer`: that of the API with the files; `sha`: the commit that has the new ones; `comments`: null until they are here, then `problems`
 * are, too. `children`: why there may be none.
 * @param {{ answer: any, busy?: boolean, error?: any, more?: () => unknown, project: string, sha: string, stats: any, comments?: any[] | null, comment?: any, problems?: any, children?: any }} props
 */
export function ChangedFiles({ answer, busy, error, more, project, sha, stats, comments = NONE, comment, problems, children }) {
  // comments between the lines would push them
  const shown = comments ? answer : {};
  const [sided, setSided] = useState(() => (localStorage.getItem(SIDED) ?? "yes") === "yes" && wide());
  const [turned, setTurned] = useState({});
  const files = useMemo(() => changedFiles(answer.data ?? [], stats, !answer.next), [answer.data, answer.next, stats]);
  const collapsed = useMemo(() => collapsedAtFirst(files), [files]);
  const remarked = useMemo(() => Map.groupBy(remarks(problems), ({ path }) => path), [problems]);
  // scrolls to the fragment, because the browser did so before the files were there
  useEffect(() => {
    if (location.hash.startsWith("#file-")) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [files.length > 0]);
  const [read, mark] = useRead(`${project}@${sha}`);
  const isOpen = ({ id, file }) => turned[id] ?? !(collapsed.has(id) || read.has(file.new_path));
  const turn = (id, open) => setTurned((before) => ({ ...before, [id]: open }));
  const total = Math.max(answer.total ?? 0, files.length);
  const places = total > 1 ? files.map((_, at) => `${at + 1} of ${total.toLocaleString("en")}`) : [];
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
              {total.toLocaleString("en")} {total === 1 ? "file" : "files"}
            </span>
          )}
        </h2>
        {comment && <small>To comment on a changed line, click its number.</small>}
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
      <Answer of={shown} what="Loading changes">
        {() =>
          files.length ? (
            <div class="with-files">
              {files.length > 1 && <FileTree files={files} total={total} read={read} open={(id) => turn(id, true)} />}
              <div>
                {files.map((changed, at) => (
                  <FileDiff
                    key={changed.id}
                    changed={changed}
                    open={isOpen(changed)}
                    turn={(open) => turn(changed.id, open)}
                    read={read.has(changed.file.new_path)}
                    mark={(isRead) => {
                      mark(changed.file.new_path, isRead);
                      turn(changed.id, !isRead);
                    }}
                    place={places[at]}
                    sided={sided}
                    project={project}
                    sha={sha}
                    comment={comment}
                    comments={(comments ?? NONE).filter((one) => one.path === changed.file.new_path)}
                    remarks={remarked.get(changed.file.new_path) ?? NONE}
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
