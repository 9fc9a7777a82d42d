// `/:namespace/:project`
import { inProject, useApi } from "../api.mjs";
import { Answer, Empty, ForMembers, Heading } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { remember } from "../parts/known.mjs";
import { Build, Visibility } from "../parts/marks.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { Time } from "../parts/time.jsx";
import { refusal, seesCommits, seesDeployments } from "../rights.mjs";
import { to } from "../route.mjs";
import { CommitList, NoCommits } from "./commits.jsx";
import { deployedIn, EnvironmentTable } from "./environments.jsx";
import { IssueList } from "./issues.jsx";

export function ProjectPage({ project: path, session }) {
  const answer = useApi(inProject(path));
  if (answer.error) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  if (answer.data) remember(answer.data);
  return <Answer of={answer}>{(project) => <Overview project={project} path={path} user={session?.token ? session.user : null} />}</Answer>;
}

function Overview({ project, path, user }) {
  return (
    <>
      <ProjectHead project={path} tab="project" />
      <Heading title={path}>
        {project.name} <Visibility of={project.visibility} />
      </Heading>
      {project.description && <p class="lead">{project.description}</p>}
      {project.archived && <p class="notice">This project is archived and no longer maintained.</p>}
      {project.http_url_to_repo && (
        <p>
          <code>git clone {project.http_url_to_repo}</code>
        </p>
      )}
      <div class="columns">
        <LastCommits project={project} path={path} sees={seesCommits(project, user)} />
        <div>
          <OpenIssues project={project} path={path} writes={user && !refusal.write(project, user)} />
          {project.jobs_enabled !== false && <Deployed path={path} signedIn={Boolean(user)} sees={seesDeployments(project, user)} />}
        </div>
      </div>
    </>
  );
}

function LastCommits({ project, path, sees }) {
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
      <h2 id="issues">Open issues {count !== undefined && count !== null && <span class="count">{count}</span>}</h2>
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
            <Empty title="No open issues.">{writes && <p><a href={to.newIssue(path)}>Write a new issue</a></p>}</Empty>
          )
        }
      </Answer>
    </section>
  );
}

function Deployed({ path, signedIn, sees }) {
  const answer = useApi(sees && inProject(path, "/environments"), { per_page: 10 });
  const deployments = useApi(sees && inProject(path, "/deployments"), { status: "success", order_by: "id", sort: "desc", per_page: 50 });
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
