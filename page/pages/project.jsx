// `/:namespace/:project`
import { inProject, useApi } from "../api.mjs";
import { Answer, Copy, Empty, ForMembers, Heading } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { remember } from "../parts/known.mjs";
import { Markdown } from "../parts/markdown.jsx";
import { Build, Visibility } from "../parts/marks.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { refusal, seesCommits, seesDeployments } from "../rights.mjs";
import { to } from "../route.mjs";
import { CommitList, NoCommits } from "./commits.jsx";
import { deployedIn, EnvironmentTable } from "./environments.jsx";
import { IssueList } from "./issues.jsx";

export function ProjectPage({ project: path, session }) {
  const answer = useApi(inProject(path));
  if (answer.error) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  if (answer.data) remember(answer.data);
  return (
    <>
      <ProjectHead project={path} tab="project" />
      <Answer of={answer} what="Loading the project">
        {(project) => <Overview project={project} path={path} user={session?.token ? session.user : null} />}
      </Answer>
    </>
  );
}

function Overview({ project, path, user }) {
  return (
    <>
      <Heading title={path}>
        {project.name} <Visibility of={project.visibility} />
      </Heading>
      {project.description && (
        <div class="lead">
          <Markdown text={project.description} project={path} />
        </div>
      )}
      {project.archived && <p class="notice">This project is archived and no longer maintained.</p>}
      {project.http_url_to_repo && (
        <p class="hash">
          <code>git clone {project.http_url_to_repo}</code> <Copy text={`git clone ${project.http_url_to_repo}`} what="the command" />
        </p>
      )}
      <nav class="byline" aria-label="Of this project">
        <a href={to.branches(path)}>Branches</a>
        <a href={to.tags(path)}>Tags</a>
        {project.jobs_enabled !== false && <a href={to.pipelines(path)}>Pipelines</a>}
        <a href={to.labels(path)}>Labels</a>
        <a href={to.milestones(path)}>Milestones</a>
        {project.visibility === "public" && project.default_branch && project.jobs_enabled !== false && (
          <Badge project={project} path={path} />
        )}
      </nav>
      <div class="columns">
        <LastCommits project={project} path={path} user={user} sees={seesCommits(project, user)} />
        <div>
          <OpenIssues project={project} path={path} writes={user && !refusal.write(project, user)} />
          {project.jobs_enabled !== false && <Deployed path={path} signedIn={Boolean(user)} sees={seesDeployments(project, user)} />}
        </div>
      </div>
    </>
  );
}

/** The picture of the newest build, with the Markdown of it to copy. */
function Badge({ project, path }) {
  const address = `/${path}/badges/${project.default_branch.split("/").map(encodeURIComponent).join("/")}/pipeline.svg`;
  return (
    <span class="hash">
      <img src={address} alt="Badge of the newest build" height="20" />
      <Copy text={`[![pipeline](${location.origin}${address})](${location.origin}${to.project(path)})`} what="the badge's Markdown" />
    </span>
  );
}

/** The builds of the newest commit, those that failed first: one word for all would hide them. */
function Jobs({ path, sha }) {
  const { data } = useApi(inProject(path, `/repository/commits/${sha}/statuses`), { per_page: 100 });
  if (!data?.length) return null;
  const order = ["failed", "running", "pending"];
  const rank = ({ status }) => (order.includes(status) ? order.indexOf(status) : order.length);
  return (
    <p class="byline jobs">
      {[...data]
        .sort((one, other) => rank(one) - rank(other))
        .slice(0, 8)
        .map((job) => (
          <span key={job.id}>
            <Build state={job.status} /> {job.name}
          </span>
        ))}
      {data.length > 8 && <a href={to.commit(path, sha)}>{data.length - 8} more</a>}
    </p>
  );
}

function LastCommits({ project, path, user, sees }) {
  const branch = sees && project.default_branch;
  const answer = useApi(branch && inProject(path, "/repository/commits"), { ref_name: branch, per_page: 8 });
  const tip = useApi(branch && inProject(path, `/repository/commits/${encodeURIComponent(branch)}`), { stats: false });
  return (
    <section aria-labelledby="commits">
      <h2 id="commits">
        {branch ? (
          <>
            <Icon name="branch" /> {branch} {tip.data && <Build state={tip.data.status} />}
          </>
        ) : (
          "Commits"
        )}
      </h2>
      {user && tip.data?.status && <Jobs path={path} sha={tip.data.id} />}
      {branch ? (
        <Answer of={answer} what="Loading commits">
          {(commits) => (
            <>
              <CommitList commits={commits} project={path} />
              <p>
                <a href={to.commits(path, branch)}>All commits of {branch}</a>
              </p>
            </>
          )}
        </Answer>
      ) : !sees ? (
        <Empty title="Only reporters of the project can see its commits." />
      ) : (
        <NoCommits project={path} />
      )}
    </section>
  );
}

function OpenIssues({ project, path, writes }) {
  const enabled = project.issues_enabled !== false;
  const answer = useApi(enabled && inProject(path, "/issues"), { state: "opened", with_labels_details: true, per_page: 6 });
  if (!enabled) return null;
  const count = project.open_issues_count ?? answer.total;
  return (
    <section aria-labelledby="issues">
      <h2 id="issues">Open issues {count !== undefined && count !== null && <span class="count">{count.toLocaleString("en")}</span>}</h2>
      <Answer of={answer} what="Loading issues">
        {(issues) =>
          issues.length ? (
            <>
              <IssueList issues={issues} project={path} brief />
              <p>
                <a href={to.issues(path)}>All issues</a>
                {writes && (
                  <>
                    {" · "}
                    <a href={to.newIssue(path)}>New issue</a>
                  </>
                )}
              </p>
            </>
          ) : (
            <Empty title="No open issues.">
              {writes && (
                <p>
                  <a href={to.newIssue(path)}>Write a new issue</a>
                </p>
              )}
            </Empty>
          )
        }
      </Answer>
    </section>
  );
}

function Deployed({ path, signedIn, sees }) {
  const answer = useApi(sees && inProject(path, "/environments"), { per_page: 10 });
  const deployments = useApi(sees && inProject(path, "/deployments"), { order_by: "id", sort: "desc", per_page: 50 });
  return (
    <section aria-labelledby="environments">
      <h2 id="environments">Environments</h2>
      <ForMembers what="what is deployed where" />
      {signedIn && !sees && <Empty title="Only reporters of the project can see its environments." />}
      {sees && (
        <Answer of={answer} what="Loading environments">
          {(environments) => <EnvironmentTable environments={environments} last={deployedIn(deployments.data ?? [])} project={path} />}
        </Answer>
      )}
    </section>
  );
}
