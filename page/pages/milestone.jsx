// `/:namespace/:project/-/milestones/:iid`
import { inProject, useApi } from "../api.mjs";
import { Answer, Empty } from "../parts/feedback.jsx";
import { Markdown } from "../parts/markdown.jsx";
import { useKnown } from "../parts/known.mjs";
import { MilestoneActions, MilestoneFacts, Progress } from "../parts/milestone.jsx";
import { Pager, listQuery } from "../parts/pager.jsx";
import { NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { goTo } from "../navigate.mjs";
import { withheld } from "../rights.mjs";
import { to } from "../route.mjs";
import { userOf } from "../session.mjs";
import { IssueList } from "./issues.jsx";

export function MilestonePage({ project, iid, search, session }) {
  const user = userOf(session);
  const found = useApi(inProject(project, "/milestones"), { "iids[]": iid });
  const milestone = found.data?.[0];
  const missing = found.data && !milestone ? { status: 404 } : null;
  if (found.error ?? missing) return <NotThere error={found.error ?? missing} what="milestone" retry={found.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="issues">
        <a href={to.milestones(project)}>Milestones</a>
      </ProjectHead>
      <Answer of={found}>
        {() => <Milestone milestone={milestone} project={project} search={search} user={user} change={(next) => found.set([next])} />}
      </Answer>
    </>
  );
}

function Milestone({ milestone, project, search, user, change }) {
  const { known } = useKnown(project, Boolean(user));
  const { place } = listQuery(search);
  const issues = useApi(inProject(project, "/issues"), { milestone: milestone.title, with_labels_details: true, per_page: 50, ...place });
  return (
    <>
      <TitleRow title={`${milestone.title} · ${project}`} heading={milestone.title}>
        {known && !withheld("ManageMilestones", known, user) && (
          <MilestoneActions milestone={milestone} project={project} changed={change} deleted={() => goTo(to.milestones(project))} />
        )}
      </TitleRow>
      <p class="byline quiet">
        <span>
          <MilestoneFacts milestone={milestone} />
        </span>
        <Progress project={project} milestone={milestone} />
      </p>
      {milestone.description && <Markdown text={milestone.description} project={project} />}
      <Answer of={issues} what="Loading issues">
        {(list) =>
          list.length ? (
            <>
              <IssueList issues={list} project={project} within={milestone.title} />
              <Pager next={issues.next} total={issues.total} shown={list.length} />
            </>
          ) : (
            <Empty title="No issues in this milestone.">
              {user && (
                <p>
                  To add one, choose this milestone when you <a href={to.newIssue(project)}>write an issue</a>.
                </p>
              )}
            </Empty>
          )
        }
      </Answer>
    </>
  );
}
