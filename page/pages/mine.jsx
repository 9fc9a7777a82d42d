// What concerns the user, at the top of `/`.
import { inProject, useApi } from "../api.mjs";
import { Answer } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Build } from "../parts/marks.jsx";
import { Day, isOverdue, Time } from "../parts/time.jsx";
import { seesCommits } from "../rights.mjs";
import { to } from "../route.mjs";
import { projectOf } from "./issues.jsx";

const SHOWN = 5;
/** Projects whose newest builds are looked at, and how many of each. */
const PROJECTS = 5;
const BUILDS = 20;

export const Mine = ({ user }) => (
  <>
    <div class="columns even">
      <Section
        id="assigned"
        title="Issues assigned to you"
        path="/issues"
        query={{ scope: "assigned_to_me", state: "opened" }}
        none="none"
        row={IssueRow}
      />
      <Section id="todo" title="To do" path="/todos" query={{ state: "pending" }} none="nothing" row={TodoRow} all="/todos" />
    </div>
    <FailedBuilds user={user} />
  </>
);

/** The failed builds of the user's projects that changed last. The section is there only if a build failed. */
function FailedBuilds({ user }) {
  const { data: projects } = useApi("/projects", { membership: true, order_by: "last_activity_at", per_page: PROJECTS });
  const built = (projects ?? []).filter(
    (project) => project.default_branch && project.jobs_enabled !== false && seesCommits(project, user),
  );
  return (
    <section class="failed-builds" aria-labelledby="failed">
      <h2 id="failed">Failed builds</h2>
      <ul class="rows dense">
        {built.map((project) => (
          <FailedOf key={project.id} project={project} />
        ))}
      </ul>
    </section>
  );
}

/** The newest pipeline of each branch and tag, where it failed. */
function FailedOf({ project }) {
  const path = project.path_with_namespace;
  const { data } = useApi(inProject(path, "/pipelines"), { per_page: BUILDS });
  const refs = new Map();
  for (const pipeline of data ?? []) if (!refs.has(pipeline.ref)) refs.set(pipeline.ref, pipeline);
  return [...refs.values()]
    .filter(({ status }) => status === "failed")
    .map(({ id, iid, ref, sha, updated_at }) => (
      <li class="row" key={id}>
        <div class="row-main">
          <Build state="failed" />
          <a class="row-title" href={to.pipeline(path, id)}>
            {path} <span class="number">#{iid}</span>
          </a>
          {ref && (
            <a class="tag" href={to.commits(path, ref)}>
              <Icon name="branch" />
              {ref}
            </a>
          )}
        </div>
        <div class="row-side quiet">
          <a class="sha" href={to.commit(path, sha)}>
            <code>{sha.slice(0, 8)}</code>
          </a>
          <Time at={updated_at} />
        </div>
      </li>
    ));
}

/** @param {{ id: string, title: string, path: string, query: any, "none": string, row: any, all?: string }} props */
function Section({ id, title, path, query, none, row: Row, all }) {
  const answer = useApi(path, { ...query, per_page: SHOWN });
  return (
    <section aria-labelledby={id} class={answer.data?.length ? undefined : "none"}>
      <h2 id={id}>
        {title} {answer.total > 0 && <span class="count">{answer.total.toLocaleString("en")}</span>}
      </h2>
      <Answer of={answer}>
        {(list) =>
          list.length ? (
            <ul class="rows dense">
              {list.map((one) => (
                <Row key={one.id} one={one} />
              ))}
            </ul>
          ) : (
            <p class="quiet">{none}</p>
          )
        }
      </Answer>
      {all && answer.next && (
        <p>
          <a href={all}>All of them</a>
        </p>
      )}
    </section>
  );
}

const IssueRow = ({ one: issue }) => (
  <li class="row">
    <div class="row-main">
      <a class="row-title" dir="auto" href={to.issue(projectOf(issue), issue.iid)}>
        {issue.title}
      </a>
    </div>
    <div class="row-side quiet">
      {issue.due_date && (
        <span class={isOverdue(issue) ? "overdue" : undefined}>
          due <Day at={issue.due_date} />
        </span>
      )}
      <span>{issue.references.full}</span>
    </div>
  </li>
);

const TodoRow = ({ one: { project, target, action_name } }) => (
  <li class="row">
    <div class="row-main">
      {action_name === "build_failed" && (
        <span class="mark build-failed">
          <Icon name="failed" /> failed
        </span>
      )}
      <a class="row-title" dir="auto" href={to.issue(project.path_with_namespace, target.iid)}>
        {target.title}
      </a>
    </div>
    <div class="row-side quiet">
      <span>
        {project.path_with_namespace}#{target.iid}
      </span>
    </div>
  </li>
);
