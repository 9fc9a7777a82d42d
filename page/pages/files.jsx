// `/:namespace/:project/-/tree/:ref/:path` and `/:namespace/:project/-/blob/:ref/:path`
import { useEffect, useMemo, useState } from "preact/hooks";
import { get, inProject, useApi } from "../api.mjs";
import { saved } from "../parts/bytes.mjs";
import { Answer, Copy, Empty, Heading, Problem } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Markdown } from "../parts/markdown.jsx";
import { useKnown } from "../parts/known.mjs";
import { bytesOf, linesOf, sized, splitPlace, textOf } from "../parts/places.mjs";
import { NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Take } from "../parts/take.jsx";
import { fileOf, Folder, LONGEST, MARKDOWN, useFolder } from "../parts/tree.jsx";
import { to } from "../route.mjs";
import { NoCommits } from "../parts/commits.jsx";
import { Lines } from "./file-lines.jsx";

const HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

async function find(project, rest, signal) {
  const first = rest.split("/")[0];
  if (first === rest || HASH.test(first)) return splitPlace(rest, [first]);
  const lists = await Promise.all(
    ["branches", "tags"].map((list) => get(inProject(project, `/repository/${list}`), { search: `^${first}`, per_page: 100 }, { signal })),
  );
  return splitPlace(
    rest,
    lists.flatMap(({ data }) => data.map(({ name }) => name)),
  );
}

/** `{ place, error }`: `place` is null until it is known. */
function usePlace(project, rest) {
  const [state, setState] = useState(/** @type {{ place: any, error?: any }} */ ({ place: null }));
  useEffect(() => {
    const aborter = new AbortController();
    setState({ place: null });
    find(project, rest, aborter.signal).then(
      (place) => setState({ place }),
      (error) => error.name === "AbortError" || setState({ place: null, error }),
    );
    return () => aborter.abort();
  }, [project, rest]);
  return state;
}

export function TreePage({ project, place: rest }) {
  return (
    <Placed project={project} rest={rest} what={(place) => <Tree key={`${place.ref} ${place.path}`} project={project} {...place} />} />
  );
}

export function BlobPage({ project, place: rest }) {
  return (
    <Placed project={project} rest={rest} what={(place) => <Blob key={`${place.ref} ${place.path}`} project={project} {...place} />} />
  );
}

function Placed({ project, rest, what }) {
  const { place, error } = usePlace(project, rest);
  if (error) return <NotThere error={error} what="project" />;
  return (
    <>
      <ProjectHead project={project} tab="files" />
      <Answer of={{ data: place }}>{() => what(place)}</Answer>
    </>
  );
}

/** The parts of the path, each a link but the last. */
function Path({ project, ref_: ref, path }) {
  const parts = path ? path.split("/") : [];
  return (
    <nav class="path place" aria-label="Path of the file">
      <a class="tag" href={to.commits(project, ref)} title="Its commits">
        <Icon name="branch" />
        {ref}
      </a>
      {parts.length > 0 && <a href={to.tree(project, ref)}>{project.split("/")[1]}</a>}
      {parts.map((name, at) => (
        <span key={at}>
          <span aria-hidden="true">/ </span>
          {at < parts.length - 1 ? <a href={to.tree(project, ref, parts.slice(0, at + 1).join("/"))}>{name}</a> : <b>{name}</b>}
        </span>
      ))}
    </nav>
  );
}

/** The newest commit that changed the folder, null if none is known, undefined until then. For the whole tree it costs the server one row, so it is fetched with its build. */
function useLast(project, ref, path, wanted) {
  const list = inProject(project, "/repository/commits");
  const tip = useApi(wanted && !path && `${list}/${encodeURIComponent(ref)}`, { stats: false });
  const found = useApi(wanted && path && list, { ref_name: ref === "HEAD" ? undefined : ref, path, per_page: 1 });
  const { data, error } = path ? found : tip;
  return error ? null : path ? data && (data[0] ?? null) : data;
}

function Tree({ project, ref, path }) {
  const folder = useFolder(project, ref, path);
  const { known } = useKnown(project, true);
  const last = useLast(project, ref, path, Boolean(folder.answer.data));
  const title = path || project.split("/")[1];
  const { error } = folder.answer;
  if (error)
    return (
      <Lacking
        error={error}
        project={project}
        ref_={ref}
        retry={folder.answer.reload}
        what={path ? "folder" : "branch, tag or commit"}
        isEmpty={ref === "HEAD" && !path}
      />
    );
  return (
    <>
      <TitleRow title={`${path || "Files"} at ${ref} · ${project}`} heading={title}>
        <Take project={project} ref_={ref} clone={known?.http_url_to_repo} />
      </TitleRow>
      <Path project={project} ref_={ref} path={path} />
      <Folder project={project} ref_={ref} folder={folder} commit={last} path={path} />
    </>
  );
}

/**
 * The server answers 503 for files that are on their way, and 422 for files that it does not store.
 * @param {{ error: any, project: string, ref_: string, retry: () => unknown, what: string, isEmpty?: boolean }} props
 */
function Lacking({ error, project, ref_: ref, retry, what, isEmpty }) {
  if (isEmpty && error.status === 404) {
    return (
      <>
        <Heading title={`Files · ${project}`}>Files</Heading>
        <NoCommits project={project} />
      </>
    );
  }
  if (error.status !== 503 && error.status !== 422) return <NotThere error={error} what={what} retry={retry} />;
  return (
    <>
      <Heading title={`Files · ${project}`}>Files</Heading>
      <Empty title={error.status === 503 ? "The files of this commit have not arrived yet." : "This server does not keep this file."}>
        <p>{error.status === 503 ? "The hook of the git server sends them after a push. Its commits are here already." : error.message}</p>
        <p class="actions">
          <button onClick={() => retry()}>Try again</button>
          <a href={to.commits(project, ref)}>Commits of {ref}</a>
        </p>
      </Empty>
    </>
  );
}

function Blob({ project, ref, path }) {
  const answer = useApi(fileOf(project, path), { ref });
  const [failed, setFailed] = useState(/** @type {any} */ (null));
  const [asSource, setAsSource] = useState(linesOf(location.hash) !== null);
  const file = answer.data;
  const text = useMemo(() => (file && file.size <= LONGEST ? textOf(bytesOf(file.content)) : null), [file]);
  const bytes = `/api/v4${fileOf(project, path)}/raw?${new URLSearchParams({ ref })}`;
  const save = () => saved(bytes, path.split("/").at(-1)).then(() => setFailed(null), setFailed);
  const isMarkdown = MARKDOWN.test(path);
  const button = (
    <button class="small" onClick={save}>
      Download
    </button>
  );
  if (answer.error && answer.error.status !== 413)
    return <Lacking error={answer.error} project={project} ref_={ref} retry={answer.reload} what="file" />;
  return (
    <>
      <Heading title={`${path} at ${ref} · ${project}`}>{path.split("/").at(-1)}</Heading>
      <Path project={project} ref_={ref} path={path} />
      {failed && <Problem error={failed} />}
      {answer.error ? (
        <Empty title="This file is too large to show.">
          <p class="actions">{button}</p>
        </Empty>
      ) : (
        <Answer of={answer} what="Loading the file">
          {() => (
            <>
              <p class="byline quiet">
                <span>{sized(file.size)}</span>
                {file.execute_filemode && <span class="tag">executable</span>}
                {text !== null && <Copy text={text} what="the file" />}
                {button}
                {isMarkdown && text !== null && (
                  <button class="small" aria-pressed={asSource} onClick={() => setAsSource(!asSource)}>
                    Source
                  </button>
                )}
                <a href={to.history(project, ref, path)}>History</a>
                {ref !== file.commit_id && <a href={to.blob(project, file.commit_id, path)}>Permanent link</a>}
                {file.last_commit_id && (
                  <a class="sha" href={to.commit(project, file.last_commit_id)} title="The newest commit that changed it">
                    <code>{file.last_commit_id.slice(0, 8)}</code>
                  </a>
                )}
              </p>
              {text === null ? (
                <Empty title={file.size > LONGEST ? "This file is too large to show." : "A binary file has no lines to show."} />
              ) : isMarkdown && !asSource ? (
                <div class="card">
                  <Markdown text={text} project={project} base={location.pathname} />
                </div>
              ) : (
                <Lines text={text} path={path} />
              )}
            </>
          )}
        </Answer>
      )}
    </>
  );
}
