// `/:namespace/:project/-/commits/:ref`
import { inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Answer, Empty, Heading } from "../parts/feedback.jsx";
import { Build, Sha } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { useSeen } from "../parts/seen.mjs";
import { Time } from "../parts/time.jsx";
import { keepTrail } from "../parts/trail.mjs";
import { to } from "../route.mjs";

/** Lists of commits contain no builds, so each commit is fetched when it becomes visible. */
export function CommitBuild({ project, sha }) {
  const [element, seen] = useSeen();
  const { data } = useApi(seen ? inProject(project, `/repository/commits/${sha}`) : null, { stats: false });
  return <span ref={element}>{data && <Build state={data.status} />}</span>;
}

export const CommitList = ({ commits, project, builds }) => (
  <ul class="rows">
    {commits.map((commit) => (
      <li class="row" key={commit.id}>
        <div class="row-main">
          <a class="row-title" href={to.commit(project, commit.id)}>
            {commit.title || "(no message)"}
          </a>
          <p class="row-text">
            {commit.author_name}, <Time at={commit.committed_date} />
          </p>
        </div>
        <div class="row-side">
          {builds && <CommitBuild project={project} sha={commit.id} />}
          <Sha project={project} sha={commit.id} />
        </div>
      </li>
    ))}
  </ul>
);

export const NoCommits = ({ project }) => (
  <Empty title="No commits yet.">
    <p>The hook has not sent any commits. Install it in the git server, or send the commits of a clone:</p>
    <pre tabIndex={0} role="region" aria-label="Command">{`EDGEFORGE_TOKEN=$TOKEN edgeforge-mirror sync --repository . \\\n  --server ${location.origin} --project ${project}`}</pre>
  </Empty>
);

function Branches({ project, current }) {
  const { data } = useApi(inProject(project, "/repository/branches"), { per_page: 100 });
  if (!data?.length) return null;
  const names = data.map((branch) => branch.name);
  const chosen = names.includes(current) ? names : [current, ...names];
  return (
    <label class="inline">
      Branch
      <select value={current} onChange={(event) => goTo(to.commits(project, event.target.value))}>
        {chosen.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

export function CommitsPage({ project: path, branch: named, search }) {
  const project = useApi(named ? null : inProject(path));
  const branch = named ?? project.data?.default_branch;
  const { filter, place } = listQuery(search);
  const list = inProject(path, "/repository/commits");
  const query = { ref_name: branch, author: filter.author, path: filter.path, per_page: 20 };
  const answer = useApi(branch ? list : null, { ...query, ...place });
  if (answer.data) keepTrail(list, query, place, { commits: answer.data, next: answer.next });
  const error = project.error ?? answer.error;
  if (error) return <NotThere error={error} what="branch or project" retry={answer.reload} />;
  const empty = project.data && !branch;
  return (
    <>
      <ProjectHead project={path} tab="commits" />
      <Heading title={`Commits${branch ? ` of ${branch}` : ""} · ${path}`}>Commits{branch && ` of ${branch}`}</Heading>
      {empty ? (
        <NoCommits project={path} />
      ) : (
        <>
          {branch && (
            <div class="filters">
              <Branches project={path} current={branch} />
            </div>
          )}
          <Answer of={answer} what="Loading commits">
            {(commits) =>
              commits.length ? (
                <>
                  <CommitList commits={commits} project={path} builds />
                  <Pager next={answer.next} total={null} shown={commits.length} />
                </>
              ) : (
                <Empty title="There are no commits to show." />
              )
            }
          </Answer>
        </>
      )}
    </>
  );
}
