// `/:namespace/:project`
import { useState } from "preact/hooks";
import { inProject, useApi } from "../api.mjs";
import { deployedIn, EnvironmentTable } from "../parts/environments.jsx";
import { Answer, Copy, Empty } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { remember } from "../parts/known.mjs";
import { Markdown } from "../parts/markdown.jsx";
import { Build, Visibility } from "../parts/marks.jsx";
import { sized } from "../parts/places.mjs";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Take } from "../parts/take.jsx";
import { Folder, licenseIn, useFolder } from "../parts/tree.jsx";
import { refusal, seesCommits, seesDeployments } from "../rights.mjs";
import { to } from "../route.mjs";
import { userOf } from "../session.mjs";
import { CommitList, NoCommits } from "../parts/commits.jsx";
import { IssueList } from "./issues.jsx";

export function ProjectPage({ project: path, session }) {
  // the API counts commits and bytes only for those who may see them
  const answer = useApi(inProject(path), { statistics: true });
  if (answer.error) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  if (answer.data) remember(answer.data);
  return (
    <>
      <ProjectHead project={path} tab="project" asks={false} />
      <Answer of={answer} what="Loading the project">
        {(project) => <Overview project={project} path={path} user={userOf(session)} />}
      </Answer>
    </>
  );
}

function Overview({ project, path, user }) {
  const sees = seesCommits(project, user);
  const branch = sees ? project.default_branch : null;
  const folder = useFolder(path, branch, "", Boolean(branch));
  const tip = useApi(branch && inProject(path, `/repository/commits/${encodeURIComponent(branch)}`), { stats: false });
  const license = licenseIn(folder.answer);
  const isBuilt = project.jobs_enabled !== false;
  return (
    <>
      <TitleRow
        title={path}
        heading={
          <>
            {project.name} <Visibility of={project.visibility} />
          </>
        }
        beside={<Beneath project={path} tab="project" />}
      />
      <div class="overview">
        <div>
          {branch ? (
            <Files project={path} branch={branch} folder={folder} commit={tip.error ? null : tip.data} />
          ) : sees ? (
            <NoCommits project={path} />
          ) : (
            <Empty title="Only reporters of the project can see its commits." />
          )}
        </div>
        <div>
          <section aria-labelledby="about">
            <h2 id="about">About</h2>
            {project.description ? (
              <Description text={project.description} project={path} />
            ) : (
              <p class="quiet">This project has no description.</p>
            )}
            {branch && (
              <Take project={path} ref_={branch} clone={project.http_url_to_repo}>
                {project.statistics && (
                  <span class="quiet">
                    {project.statistics.commit_count.toLocaleString("en")} {project.statistics.commit_count === 1 ? "commit" : "commits"} in{" "}
                    {sized(project.statistics.repository_size)}
                  </span>
                )}
              </Take>
            )}
            <p class="byline">
              {sees && (
                <>
                  <a href={to.branches(path)}>Branches</a>
                  <a href={to.tags(path)}>Tags</a>
                </>
              )}
              {isBuilt && sees && <a href={to.pipelines(path)}>Pipelines</a>}
              {license && <a href={to.blob(path, branch, license.path)}>License</a>}
            </p>
          </section>
          {branch && isBuilt && (
            <section aria-label="Builds">
              {project.visibility === "public" && <Badge project={project} path={path} />}
              {tip.data?.status && <Jobs path={path} sha={tip.data.id} />}
            </section>
          )}
          <OpenIssues project={project} path={path} writes={user && !refusal.write(project, user)} />
          {isBuilt && <Deployed path={path} sees={seesDeployments(project, user)} />}
        </div>
      </div>
    </>
  );
}

/** More characters are surely more than two lines of a phone. */
const TWO_LINES = 100;

/** On a phone its first two lines, until the reader wants more. */
function Description({ text, project }) {
  const [whole, setWhole] = useState(text.length < TWO_LINES && !text.includes("\n"));
  return (
    <>
      <div class={whole ? undefined : "two-lines"}>
        <Markdown text={text} project={project} />
      </div>
      {!whole && (
        <button class="small on-phone" onClick={() => setWhole(true)}>
          More
        </button>
      )}
    </>
  );
}

/** The files of the newest commit. If they have not arrived, it shows the newest commits instead. */
function Files({ project, branch, folder, commit }) {
  const { error } = folder.answer;
  const commits = useApi(error && inProject(project, "/repository/commits"), { ref_name: branch, per_page: 8 });
  if (!error) return <Folder project={project} ref_={branch} folder={folder} commit={commit} />;
  return (
    <section aria-labelledby="commits">
      <h2 id="commits">
        <Icon name="branch" /> {branch}
      </h2>
      <p class="quiet">The files of the newest commit are not on this server. Its commits are:</p>
      <Answer of={commits} what="Loading commits">
        {(list) => <CommitList commits={list} project={project} />}
      </Answer>
    </section>
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

function OpenIssues({ project, path, writes }) {
  const enabled = project.issues_enabled !== false;
  const answer = useApi(enabled && inProject(path, "/issues"), { state: "opened", with_labels_details: true, per_page: 5 });
  if (!enabled) return null;
  const count = project.open_issues_count ?? answer.total;
  return (
    <section aria-labelledby="issues">
      <div class="title-row">
        <h2 id="issues">Open issues {count !== undefined && count !== null && <span class="count">{count.toLocaleString("en")}</span>}</h2>
        {writes && (
          <a class="button small" href={to.newIssue(path)}>
            <Icon name="plus" /> New issue
          </a>
        )}
      </div>
      <Answer of={answer} what="Loading issues">
        {(issues) =>
          issues.length ? (
            <>
              <IssueList issues={issues} project={path} brief />
              <p>
                <a href={to.issues(path)}>All issues</a>
              </p>
            </>
          ) : (
            <Empty title="No open issues." />
          )
        }
      </Answer>
    </section>
  );
}

function Deployed({ path, sees }) {
  const answer = useApi(sees && inProject(path, "/environments"), { per_page: 10 });
  const deployments = useApi(sees && inProject(path, "/deployments"), { order_by: "id", sort: "desc", per_page: 50 });
  return (
    <section aria-labelledby="environments">
      <h2 id="environments">Environments</h2>
      {!sees && <Empty title="Only reporters of the project can see its environments." />}
      {sees && (
        <Answer of={answer} what="Loading environments">
          {(environments) => <EnvironmentTable environments={environments} last={deployedIn(deployments.data ?? [])} project={path} />}
        </Answer>
      )}
    </section>
  );
}
