// `/`
import { inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Answer, Empty } from "../parts/feedback.jsx";
import { remember } from "../parts/known.mjs";
import { Build, Visibility } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { TitleRow } from "../parts/project.jsx";
import { useSeen } from "../parts/seen.mjs";
import { Time } from "../parts/time.jsx";
import { seesCommits } from "../rights.mjs";
import { to, withQuery } from "../route.mjs";
import { userOf } from "../session.mjs";
import { Mine } from "./mine.jsx";

function LastBuild({ project, user }) {
  const [element, seen] = useSeen();
  const branch = project.default_branch;
  const path =
    seen && branch && seesCommits(project, user)
      ? inProject(project.path_with_namespace, `/repository/commits/${encodeURIComponent(branch)}`)
      : null;
  const { data } = useApi(path, { stats: false });
  return (
    <span class="build" ref={element}>
      {data ? <Build state={data.status} /> : <span class="quiet">{branch ? "" : "no commits yet"}</span>}
    </span>
  );
}

/** Lists for visitors have no counts, so their projects are counted when they become visible. */
function OpenIssues({ project: { open_issues_count, issues_enabled, path_with_namespace: path } }) {
  const [element, seen] = useSeen();
  const isUnknown = open_issues_count === undefined && issues_enabled !== false;
  const { data } = useApi(seen && isUnknown && inProject(path, "/issues_statistics"));
  const count = open_issues_count ?? data?.statistics.counts.opened;
  return (
    <span ref={element}>
      {count !== undefined && (
        <a href={to.issues(path)}>
          {count.toLocaleString("en")} open {count === 1 ? "issue" : "issues"}
        </a>
      )}
    </span>
  );
}

export function ProjectRow({ project, user }) {
  remember(project);
  return (
    <li class="row">
      <div class="row-main">
        <a class="row-title" href={to.project(project.path_with_namespace)}>
          {project.namespace && <span class="number">{project.namespace.full_path} / </span>}
          {project.name}
        </a>
        <Visibility of={project.visibility} />
        {project.archived && <span class="tag">Archived</span>}
        {project.description && <p class="row-text">{project.description}</p>}
      </div>
      <div class="row-side">
        <LastBuild project={project} user={user} />
        <OpenIssues project={project} />
        <span class="quiet">
          <Time at={project.last_activity_at} />
        </span>
      </div>
    </li>
  );
}

export const ProjectList = ({ projects, session }) => (
  <ul class="rows one-line">
    {projects.map((project) => (
      <ProjectRow key={project.id} project={project} user={userOf(session)} />
    ))}
  </ul>
);

export function HomePage({ search, session }) {
  const { filter, place } = listQuery(search);
  const answer = useApi("/projects", {
    order_by: "last_activity_at",
    search: filter.search,
    membership: filter.mine ? true : undefined,
    per_page: 20,
    ...place,
  });
  const find = (event) => {
    event.preventDefault();
    goTo(withQuery("/", Object.fromEntries(new FormData(event.currentTarget))));
  };
  const mayMake = session?.id && !session.user.reads;
  const isFirst = !Object.keys({ ...filter, ...place }).length;
  return (
    <>
      {session?.id && isFirst && <Mine user={session.user} />}
      {!session && isFirst && (
        <p class="lead">
          This server has the issues, commits, builds and releases of projects, whose git repositories are elsewhere. Programs that speak
          GitLab's API work with it: see <a href="/docs">the API</a>. What is public is below; sign in to see what is yours.
        </p>
      )}
      <TitleRow title="Projects" heading="Projects">
        {mayMake && (
          <div class="actions">
            <a class="button" href={to.newGroup()}>
              New group
            </a>
            <a class="button primary" href={to.newProject()}>
              New project
            </a>
          </div>
        )}
      </TitleRow>
      <form class="filters" role="search" onSubmit={find}>
        <label>
          <span class="unseen">Search</span>
          <input type="search" name="search" maxLength={255} placeholder="Search" defaultValue={filter.search ?? ""} key={filter.search} />
        </label>
        {session && (
          <label class="check">
            <input type="checkbox" name="mine" value="1" defaultChecked={Boolean(filter.mine)} key={filter.mine} />
            Only mine
          </label>
        )}
        <button>Find</button>
      </form>
      <Answer of={answer} what="Loading projects">
        {(projects) =>
          projects.length ? (
            <>
              <ProjectList projects={projects} session={session} />
              <Pager next={answer.next} total={answer.total} shown={projects.length} />
            </>
          ) : (
            <Empty title={filter.search ? "No project matches your search. Try another word." : "No projects yet."}>
              <p>
                {mayMake ? (
                  <a href={to.newProject()}>Create one</a>
                ) : (
                  !session && "Public projects are visible to everybody. Sign in to see your own."
                )}
              </p>
            </Empty>
          )
        }
      </Answer>
    </>
  );
}
