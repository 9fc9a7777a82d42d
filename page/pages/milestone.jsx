// `/:namespace/:project/-/milestones/:iid`
import { inProject, useApi } from "../api.mjs";
import { Answer, Empty, ForMembers, Heading } from "../parts/feedback.jsx";
import { Markdown } from "../parts/markdown.jsx";
import { Pager, listQuery } from "../parts/pager.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { Day } from "../parts/time.jsx";
import { to } from "../route.mjs";
import { IssueList } from "./issues.jsx";

export function MilestonePage({ project, iid, search, session }) {
  const signedIn = Boolean(session?.token);
  const found = useApi(signedIn ? inProject(project, "/milestones") : null, { "iids[]": iid });
  const milestone = found.data?.[0];
  const missing = found.data && !milestone ? { status: 404 } : null;
  if (found.error ?? missing) return <NotThere error={found.error ?? missing} what="milestone" retry={found.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="issues" />
      {!signedIn && <Heading title="Milestone">Milestone</Heading>}
      <ForMembers what="this milestone" />
      {signedIn && <Answer of={found}>{() => <Milestone milestone={milestone} project={project} search={search} />}</Answer>}
    </>
  );
}

function Milestone({ milestone, project, search }) {
  const { place } = listQuery(search);
  const issues = useApi(inProject(project, "/issues"), { milestone: milestone.title, with_labels_details: true, per_page: 50, ...place });
  const open = issues.data?.filter((issue) => issue.state === "opened").length;
  return (
    <>
      <Heading title={milestone.title}>{milestone.title}</Heading>
      <p class="byline">
        <span class="tag">{milestone.state}</span>
        {milestone.due_date && (
          <span>
            due <Day at={milestone.due_date} />
            {milestone.expired && milestone.state === "active" && " (overdue)"}
          </span>
        )}
        {issues.data && !issues.next && (
          <span>
            {issues.data.length - open} of {issues.data.length} issues closed
          </span>
        )}
      </p>
      {milestone.description && (
        <div class="card">
          <Markdown text={milestone.description} project={project} />
        </div>
      )}
      <Answer of={issues} what="Loading issues">
        {(list) =>
          list.length ? (
            <>
              <IssueList issues={list} project={project} />
              <Pager next={issues.next} total={issues.total} shown={list.length} />
            </>
          ) : (
            <Empty title="No issues in this milestone.">
              <p>
                To add one, choose this milestone when you <a href={to.newIssue(project)}>write an issue</a>.
              </p>
            </Empty>
          )
        }
      </Answer>
    </>
  );
}
