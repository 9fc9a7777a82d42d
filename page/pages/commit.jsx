// `/:namespace/:project/-/commit/:sha`
import { useState } from "preact/hooks";
import { ask, get, inProject, useApi } from "../api.mjs";
import { FileDiff, CommitComment } from "../parts/diff.jsx";
import { CommentForm, useSending } from "../parts/draft.jsx";
import { Answer, Empty, ForMembers, Heading, Problem } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Outside } from "../parts/markdown.jsx";
import { Build, Deployed, Person, Sha } from "../parts/marks.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { span, Time } from "../parts/time.jsx";
import { to } from "../route.mjs";

export function CommitPage({ project, sha, session }) {
  const path = inProject(project, `/repository/commits/${encodeURIComponent(sha)}`);
  const answer = useApi(path);
  if (answer.error) return <NotThere error={answer.error} what="commit" retry={answer.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="commits" />
      <Answer of={answer} what="Loading the commit">
        {(commit) => <Commit commit={commit} path={path} project={project} session={session} />}
      </Answer>
    </>
  );
}

/** The first line of the message is the heading. */
const rest = ({ message }) => message.split("\n").slice(1).join("\n").trim();

function Commit({ commit, path, project, session }) {
  const signedIn = Boolean(session?.token);
  const comments = useApi(`${path}/comments`, { per_page: 100 });
  const comment = async (body, once) => {
    const { data } = await ask("POST", `${path}/comments`, { body, once });
    comments.set((before) => [...(before ?? []), data]);
  };
  const written = comments.data ?? [];
  return (
    <>
      <Heading title={commit.title}>{commit.title || "(no message)"}</Heading>
      <p class="byline">
        <Build state={commit.status} />
        <span>
          {commit.author_name} wrote this <Time at={commit.authored_date} />
          {commit.committer_name !== commit.author_name && (
            <>
              , {commit.committer_name} committed it <Time at={commit.committed_date} />
            </>
          )}
        </span>
      </p>
      {rest(commit) && (
        <pre class="message" tabIndex={0} role="region" aria-label="Message">
          {rest(commit)}
        </pre>
      )}
      <p class="byline quiet">
        <code class="whole">{commit.id}</code>
        {commit.parent_ids.length > 0 && (
          <span>
            {commit.parent_ids.length > 1 ? "Parents" : "Parent"}{" "}
            {commit.parent_ids.map((parent) => (
              <span key={parent}>
                <Sha project={project} sha={parent} />{" "}
              </span>
            ))}
          </span>
        )}
        {commit.stats && (
          <span>
            <b class="plus">+{commit.stats.additions}</b> <b class="minus">−{commit.stats.deletions}</b>
          </span>
        )}
      </p>
      <Statuses path={path} project={project} sha={commit.id} signedIn={signedIn} />
      {signedIn && <Deployments project={project} commit={commit} />}
      <Files path={path} project={project} sha={commit.id} comments={written} comment={signedIn ? comment : null} />
      <section aria-labelledby="comments">
        <h2 id="comments">Comments</h2>
        {comments.error && <Problem error={comments.error} retry={comments.reload} />}
        {written.filter((one) => !one.path).map((one) => (
          <CommitComment key={`${one.created_at}${one.note}`} comment={one} project={project} />
        ))}
        <CommentForm name={`${project}@${commit.id}`} project={project} post={(note, once) => comment({ note }, once)} />
      </section>
    </>
  );
}

function Statuses({ path, project, sha, signedIn }) {
  const answer = useApi(signedIn ? `${path}/statuses` : null, { per_page: 100 });
  return (
    <section aria-labelledby="builds">
      <h2 id="builds">Builds</h2>
      <ForMembers what="how it was built" />
      {signedIn && (
        <Answer of={answer} what="Loading builds">
          {(statuses) =>
            statuses.length ? (
              <ul class="rows">
                {statuses.map((status) => (
                  <li class="row" key={status.id}>
                    <div class="row-main">
                      <Build state={status.status} />
                      {status.target_url ? (
                        <Outside href={status.target_url}>
                          {status.name}
                          <Icon name="out" />
                        </Outside>
                      ) : (
                        <span>{status.name}</span>
                      )}
                      {status.description && <p class="row-text">{status.description}</p>}
                    </div>
                    <div class="row-side quiet">
                      {status.ref && <span>{status.ref}</span>}
                      {status.coverage !== null && <span>{status.coverage} % covered</span>}
                      {status.started_at && status.finished_at && <span>{span(status.started_at, status.finished_at)}</span>}
                      <Time at={status.finished_at ?? status.started_at ?? status.created_at} />
                    </div>
                  </li>
                ))}
              </ul>
            ) : (
              <Empty title="No statuses yet. Post the first one:" curl={{ path: inProject(project, `/statuses/${sha}`), fields: { state: "success", name: "ci/build" } }} />
            )
          }
        </Answer>
      )}
    </section>
  );
}

/** A deployment before the commit cannot be of this commit. One day is added for wrong clocks. */
const isBefore = (deployment, commit) => Date.parse(deployment.created_at) < Date.parse(commit.committed_date) - 86_400_000;

/** The API cannot filter deployments by commit. The page reads the project's deployments back to the commit's time, 100 at a time. */
function Deployments({ project, commit }) {
  const query = { order_by: "id", sort: "desc", per_page: 100 };
  const answer = useApi(inProject(project, "/deployments"), query);
  const { busy, error, send } = useSending();
  const all = answer.data ?? [];
  const here = all.filter((deployment) => deployment.sha === commit.id);
  const hasMore = answer.next && !isBefore(all.at(-1), commit);
  const more = () => send(answer.next, () => get(inProject(project, "/deployments"), { ...query, ...answer.next }).then(({ data, next }) => answer.set((before) => [...before, ...data], next)));
  if (!here.length && !hasMore) return null;
  return (
    <section aria-labelledby="deployments">
      <h2 id="deployments">Deployments</h2>
      {!here.length && <p class="quiet">None of the project's last {all.length} deployments is of this commit. Look further back to find older ones.</p>}
      {error && <Problem error={error} />}
      {here.length > 0 && <ul class="rows">
        {here.map((deployment) => (
          <li class="row" key={deployment.id}>
            <div class="row-main">
              <Deployed state={deployment.status} />
              <a href={to.environment(project, deployment.environment.id)}>{deployment.environment.name}</a>
            </div>
            <div class="row-side">
              <Person user={deployment.user} />
              <Time at={deployment.created_at} />
            </div>
          </li>
        ))}
      </ul>}
      {hasMore && (
        <p class="actions">
          <button class="small" disabled={busy} onClick={more}>
            {busy ? "Loading …" : "Look further back"}
          </button>
        </p>
      )}
    </section>
  );
}

const SIDED = "edgeforge-diff-sided";
const wide = () => matchMedia("(min-width: 62rem)").matches;

function Files({ path, project, sha, comments, comment }) {
  const answer = useApi(`${path}/diff`, { per_page: 20 });
  const [sided, setSided] = useState(() => (localStorage.getItem(SIDED) ?? "yes") === "yes" && wide());
  const [busy, setBusy] = useState(false);
  const choose = (value) => {
    localStorage.setItem(SIDED, value ? "yes" : "no");
    setSided(value);
  };
  const more = async () => {
    setBusy(true);
    try {
      const { data, next } = await get(`${path}/diff`, { per_page: 20, ...answer.next });
      answer.set((before) => [...before, ...data], next);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section aria-labelledby="changes" class="changes">
      <div class="title-row">
        <h2 id="changes">Changes</h2>
        <div class="choice" role="group" aria-label="How changes are shown">
          <button class="small" aria-pressed={!sided} onClick={() => choose(false)}>
            In line
          </button>
          <button class="small" aria-pressed={sided} onClick={() => choose(true)}>
            Side by side
          </button>
        </div>
      </div>
      {comment && answer.data?.length > 0 && <small>To comment on a changed line, click its number.</small>}
      <Answer of={answer} what="Loading changes">
        {(files) =>
          files.length ? (
            files.map((file) => (
              <FileDiff key={`${file.old_path} ${file.new_path}`} file={file} sided={sided} project={project} sha={sha} comment={comment} comments={comments.filter((one) => one.path === file.new_path)} />
            ))
          ) : (
            <Empty title="No changes.">
              <p>This is a merge without changes of its own, or an empty commit.</p>
            </Empty>
          )
        }
      </Answer>
      {answer.next && (
        <button onClick={more} disabled={busy}>
          {busy ? "Loading …" : "More files"}
        </button>
      )}
    </section>
  );
}
