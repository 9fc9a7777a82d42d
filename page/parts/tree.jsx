// The files of a folder, and its README.
import { useMemo, useState } from "preact/hooks";
import { inProject, useApi } from "../api.mjs";
import { to } from "../route.mjs";
import { useMore } from "./draft.jsx";
import { Answer, Empty, Problem } from "./feedback.jsx";
import { Icon } from "./icons.jsx";
import { later } from "./later.jsx";
import { Markdown } from "./markdown.jsx";
import { Build, Face, Sha } from "./marks.jsx";
import { bytesOf, textOf } from "./places.mjs";
import { Time } from "./time.jsx";

/** In characters. A longer file is not shown. */
export const LONGEST = 1_000_000;
export const MARKDOWN = /\.(?:md|markdown|mdown)$/i;
const README = /^readme(?:\.(?:md|markdown|mdown|txt|rst))?$/i;
const LICENSE = /^(?:licen[cs]e|copying)(?:\.\w+)?$/i;
const FileFacts = later("browsing", "FileFacts", true);
/** Whether this browser's reader wants them. */
const FACTS = "edgeforge-file-facts";
const ORDER = { tree: 0, blob: 1, commit: 2 };

export const fileOf = (project, path) => inProject(project, `/repository/files/${encodeURIComponent(path)}`);

/** The answer with the entries of a folder, and `rest`: what `useMore` returns. */
export function useFolder(project, ref, path, wanted = true) {
  const list = inProject(project, "/repository/tree");
  const query = { ref, path, per_page: 100 };
  const answer = useApi(wanted && list, query);
  return { answer, rest: useMore(answer, list, query) };
}

const named = (answer, names) => answer.data?.find(({ type, name }) => type === "blob" && names.test(name));
export const licenseIn = (answer) => named(answer, LICENSE);

/** `commit`: the newest one that changed something in the folder, null if none is known, undefined until then. */
export function Folder({ project, ref_: ref, folder: { answer, rest }, commit, path = "" }) {
  const { more, busy, error } = rest;
  const [facts, setFacts] = useState(() => localStorage.getItem(FACTS) !== null);
  const newest = useApi(facts && inProject(project, "/repository/commits"), {
    ref_name: ref === "HEAD" ? undefined : ref,
    per_page: 100,
  });
  const known = newest.error ? [] : (newest.data ?? null);
  const turn = () => {
    if (facts) localStorage.removeItem(FACTS);
    else localStorage.setItem(FACTS, "1");
    setFacts(!facts);
  };
  const readme = named(answer, README);
  return (
    <>
      <Answer of={answer} what="Loading files">
        {(entries) =>
          entries.length ? (
            <ul class={facts ? "rows dense files facts-shown" : "rows dense files"} aria-label="Files">
              <Last commit={commit} project={project} ref_={ref} path={path}>
                <button class="small" aria-pressed={facts} onClick={turn} title="The newest commit and the size of each file">
                  Changes
                </button>
              </Last>
              {[...entries]
                .sort((one, other) => ORDER[one.type] - ORDER[other.type])
                .map((entry) => (
                  <Entry key={entry.path} entry={entry} project={project} ref_={ref}>
                    {facts && <FileFacts entry={entry} project={project} ref_={ref} known={known} />}
                  </Entry>
                ))}
            </ul>
          ) : (
            <Empty title="This folder has no files." />
          )
        }
      </Answer>
      {error && <Problem error={error} retry={more} />}
      {answer.next && !error && (
        <p class="actions">
          <button onClick={more} disabled={busy}>
            {busy ? "Loading …" : "More files"}
          </button>
        </p>
      )}
      {readme && <Readme project={project} ref_={ref} path={readme.path} />}
    </>
  );
}

/** The newest commit, null if none is known, undefined while it is asked for. */
const Last = ({ commit, project, ref_: ref, path, children }) =>
  commit === undefined ? (
    <li class="row last" />
  ) : (
    <li class="row last">
      {commit && <Face name={commit.author_name} />}
      <div class="row-main">
        {commit ? (
          <a href={to.commit(project, commit.id)}>{commit.title || "(no message)"}</a>
        ) : (
          <span class="quiet">Changed longer ago than was looked</span>
        )}
      </div>
      <div class="row-side">
        {commit && (
          <>
            <Build state={commit.status} />
            <Sha project={project} sha={commit.id} />
            <Time at={commit.committed_date} />
          </>
        )}
        <a href={path ? to.history(project, ref, path) : to.commits(project, ref)}>History</a>
        {children}
      </div>
    </li>
  );

const MODES = { 100755: "executable", 120000: "link" };

const Entry = ({ entry: { type, name, path, mode, id }, project, ref_: ref, children }) => (
  <li class="row">
    <div class="row-main">
      <Icon name={type === "tree" ? "folder" : "file"} />
      {type === "commit" ? (
        <span>
          {name} <span class="quiet">submodule at {id.slice(0, 8)}</span>
        </span>
      ) : (
        <a class="row-title" href={type === "tree" ? to.tree(project, ref, path) : to.blob(project, ref, path)}>
          {name}
        </a>
      )}
      {MODES[mode] && <span class="tag">{MODES[mode]}</span>}
    </div>
    {type !== "commit" && children}
  </li>
);

function Readme({ project, ref_: ref, path }) {
  const { data } = useApi(fileOf(project, path), { ref });
  const text = useMemo(() => (data && data.size <= LONGEST ? textOf(bytesOf(data.content)) : null), [data]);
  if (text === null) return null;
  return (
    <section class="card readme" aria-label={path}>
      <p class="quiet">
        <a href={to.blob(project, ref, path)}>{path}</a>
      </p>
      {MARKDOWN.test(path) ? <Markdown text={text} project={project} base={to.blob(project, ref, path)} /> : <pre tabIndex={0}>{text}</pre>}
    </section>
  );
}
