// `/:namespace/:project/-/commit/:sha`
import { useState } from "preact/hooks";
import { inProject, useApi } from "../api.mjs";
import { Changes } from "../parts/changes.jsx";
import { CommentForm, useMore } from "../parts/draft.jsx";
import { Answer, Copy, Empty, Loading, Problem } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { useKnown } from "../parts/known.mjs";
import { later } from "../parts/later.jsx";
import { Outside } from "../parts/markdown.jsx";
import { Build, Counts, Deployed, Face, Sha } from "../parts/marks.jsx";
import { linked, parts } from "../parts/message.mjs";
import { useProblems } from "../parts/problems.mjs";
import { NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { CommitComment, useTalk } from "../parts/talk.jsx";
import { span, Time } from "../parts/time.jsx";
import { useNeighbours } from "../parts/trail.mjs";
import { withheld } from "../rights.mjs";
import { to } from "../route.mjs";
import { userOf } from "../session.mjs";

export function CommitPage({ project, sha, session }) {
  const path = inProject(project, `/repository/commits/${encodeURIComponent(sha)}`);
  const answer = useApi(path);
  return (
    <>
      <ProjectHead project={project} tab="commits" />
      {answer.error && (
        <NotThere error={answer.error} what="commit" retry={answer.reload}>
          A commit is here once the hook of the git server has sent it.
        </NotThere>
      )}
      {!answer.error && (
        <Answer of={answer} what="Loading the commit">
          {(commit) => <Commit commit={commit} path={path} project={project} session={session} />}
        </Answer>
      )}
    </>
  );
}

/** In characters. A longer message has no links, and a longer first line is only in the message. */
const MOST_LINKED = 20_000;
const LONGEST_HEADING = 500;

const Linked = ({ text, project }) =>
  text.length > MOST_LINKED
    ? text
    : linked(text, project).map(({ text: piece, address, outside }, at) =>
        outside ? (
          <Outside key={at} href={address}>
            {piece}
          </Outside>
        ) : address ? (
          <a key={at} href={address}>
            {piece}
          </a>
        ) : (
          piece
        ),
      );

function Message({ commit, project }) {
  const { subject, rest } = parts(commit.message);
  const fits = subject.length <= LONGEST_HEADING;
  const body = fits ? rest : commit.message.trim();
  return (
    <>
      <TitleRow
        title={`${commit.title || "No message"} · ${project}`}
        heading={subject ? <Linked text={fits ? subject : commit.title} project={project} /> : "(no message)"}
      >
        <Neighbours commit={commit} project={project} />
      </TitleRow>
      {body && (
        <pre class="message" tabIndex={0} role="region" aria-label="Message">
          <Linked text={body} project={project} />
        </pre>
      )}
    </>
  );
}

/** The commits before and after this one in the list that the user came from. */
function Neighbours({ commit, project }) {
  const { newer, older } = useNeighbours(inProject(project, "/repository/commits"), commit);
  if (!newer && !older) return null;
  return (
    <nav class="actions" aria-label="Neighbouring commits">
      {newer && (
        <a class="button small" href={to.commit(project, newer)}>
          Newer<span class="unseen"> commit</span>
        </a>
      )}
      {older && (
        <a class="button small" href={to.commit(project, older)}>
          Older<span class="unseen"> commit</span>
        </a>
      )}
    </nav>
  );
}

/** The branches and tags that contain the commit. */
function Refs({ path, project }) {
  const answer = useApi(`${path}/refs`, { per_page: 20 });
  const { more, busy } = useMore(answer, `${path}/refs`, { per_page: 100 });
  if (!answer.data) return null;
  if (!answer.data.length) return <p class="byline quiet">No branch or tag contains this commit.</p>;
  return (
    <p class="byline quiet refs">
      In
      {answer.data.map(({ type, name }) => (
        <a class="tag" key={`${type} ${name}`} href={to.commits(project, name)} title={type === "tag" ? "Tag" : "Branch"}>
          <Icon name={type === "tag" ? "tag" : "branch"} />
          {name}
        </a>
      ))}
      {answer.next && (
        <button class="small" disabled={busy} onClick={more}>
          More
        </button>
      )}
    </p>
  );
}

const Summary = later("reporting", "Summary", true);

function Commit({ commit, path, project, session }) {
  const user = userOf(session);
  const { known } = useKnown(project, Boolean(user));
  const refused = user && known && withheld("CommentCommit", known, user, "comment on its commits");
  const mayComment = user && known && !refused;
  const talk = useTalk(path, known, user);
  const pipeline = commit.last_pipeline?.id;
  const { problems, isHere } = useProblems(pipeline && inProject(project, `/pipelines/${pipeline}`));
  // a phone shows title, state and hash, so that the changes are near
  const [whole, setWhole] = useState(false);
  return (
    <>
      <div class={whole ? undefined : "brief"}>
        <Message commit={commit} project={project} />
        <p class="byline quiet">
          <Build state={commit.status} />
          <span class="person">
            <Face name={commit.author_name} />
          </span>
          <span>
            {commit.author_name} wrote this <Time at={commit.authored_date} />
            {commit.committer_name !== commit.author_name && (
              <>
                , {commit.committer_name} committed it <Time at={commit.committed_date} />
              </>
            )}
          </span>
          {commit.stats && <Counts added={commit.stats.additions} removed={commit.stats.deletions} />}
          <span class="hash">
            <code title={commit.id}>{commit.id.slice(0, 12)}</code> <Copy text={commit.id} what="the hash" />
          </span>
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
          <button class="small on-phone" aria-expanded={whole} onClick={() => setWhole(!whole)}>
            {whole ? "Less" : "More"}
          </button>
        </p>
        <div class="around">
          <Refs path={path} project={project} />
          <Statuses path={path} project={project} sha={commit.id} signedIn={Boolean(user)} />
          {isHere ? problems && <Summary problems={problems} project={project} pipeline={pipeline} /> : <Loading what="Loading reports" />}
          <Deployments project={project} commit={commit} />
        </div>
      </div>
      <Changes
        path={path}
        project={project}
        sha={commit.id}
        stats={commit.stats}
        comments={talk.isHere && isHere ? talk.comments : null}
        problems={problems}
        comment={mayComment ? talk.add : null}
      />
      <section aria-labelledby="comments">
        <h2 id="comments">Comments</h2>
        {talk.error && <Problem error={talk.error} retry={talk.reload} />}
        {talk.comments
          .filter((one) => !one.path)
          .map((one) => (
            <CommitComment key={one.id} comment={one} project={project} />
          ))}
        {(!user || known) && (
          <CommentForm
            name={`${project}@${commit.id}`}
            project={project}
            refused={refused}
            post={(note, once) => talk.add({ note }, once)}
          />
        )}
      </section>
    </>
  );
}

/** How many builds one line names. */
const NAMED = 6;
const FIRST = ["failed", "running", "pending"];
const rank = ({ status }) => (FIRST.includes(status) ? FIRST.indexOf(status) : FIRST.length);

/** The builds in a line, those that failed first, and all about them when it is opened. */
function Statuses({ path, project, sha, signedIn }) {
  const answer = useApi(`${path}/statuses`, { per_page: 100 });
  if (!signedIn && !answer.data?.length) return null;
  return (
    <Answer of={answer} what="Loading builds">
      {(statuses) => (
        <details class="builds">
          {statuses.length ? (
            <>
              <summary>
                Builds
                {[...statuses]
                  .sort((one, other) => rank(one) - rank(other))
                  .slice(0, NAMED)
                  .map((status) => (
                    <span key={status.id}>
                      <Build state={status.status} /> {status.name}
                    </span>
                  ))}
                {statuses.length > NAMED && <span>and {statuses.length - NAMED} more</span>}
              </summary>
              <ul class="rows">
                {statuses.map((status) => (
                  <Status key={status.id} status={status} />
                ))}
              </ul>
            </>
          ) : (
            <>
              <summary>No builds yet. How to report one</summary>
              <Empty
                title="Post a status:"
                curl={{ path: inProject(project, `/statuses/${sha}`), fields: { state: "success", name: "ci/build" } }}
              />
            </>
          )}
        </details>
      )}
    </Answer>
  );
}

const Status = ({ status }) => (
  <li class="row">
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
    <div class="row-side">
      {status.ref && <span>{status.ref}</span>}
      {status.coverage !== null && <span>{status.coverage} % covered</span>}
      {status.started_at && status.finished_at && <span>{span(status.started_at, status.finished_at)}</span>}
      <Time at={status.finished_at ?? status.started_at ?? status.created_at} />
    </div>
  </li>
);

/** A deployment before the commit cannot be of this commit. One day is added for wrong clocks. */
const isBefore = (deployment, commit) => Date.parse(deployment.created_at) < Date.parse(commit.committed_date) - 86_400_000;

/** The API cannot filter deployments by commit. The page reads the project's deployments back to the commit's time, 100 at a time. */
function Deployments({ project, commit }) {
  const query = { order_by: "id", sort: "desc", per_page: 100 };
  const path = inProject(project, "/deployments");
  const answer = useApi(path, query);
  const { more, busy, error } = useMore(answer, path, query);
  const all = answer.data ?? [];
  const here = all.filter((deployment) => deployment.sha === commit.id);
  const hasMore = answer.next && !isBefore(all.at(-1), commit);
  if (!here.length && !hasMore) return null;
  return (
    <section class="byline" aria-labelledby="deployments">
      <h2 id="deployments" class="unseen">
        Deployments
      </h2>
      {here.map((deployment) => (
        <span key={deployment.id}>
          <Deployed state={deployment.status} /> to{" "}
          <a href={to.environment(project, deployment.environment.id)}>{deployment.environment.name}</a> by{" "}
          {deployment.user?.name ?? "somebody"}, <Time at={deployment.created_at} />
        </span>
      ))}
      {!here.length && (
        <p class="quiet">None of the project's last {all.length} deployments is of this commit. Look further back to find older ones.</p>
      )}
      {hasMore && (
        <button class="small" disabled={busy} onClick={more}>
          {busy ? "Loading …" : "Look further back"}
        </button>
      )}
      {error && <Problem error={error} />}
    </section>
  );
}
