// `/:namespace/:project/-/milestones/:iid`
import { inProject, useApi, useFilled } from "../api.mjs";
import { Answer, Empty } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Markdown } from "../parts/markdown.jsx";
import { useKnown } from "../parts/known.mjs";
import { Bar, MilestoneActions, MilestoneFacts } from "../parts/milestone.jsx";
import { Pager, listQuery } from "../parts/pager.jsx";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { goTo } from "../navigate.mjs";
import { refusal, withheld } from "../rights.mjs";
import { to, withQuery } from "../route.mjs";
import { userOf } from "../session.mjs";
import { apiQuery, useCounts } from "./issue-filters.jsx";
import { IssueList, SearchesOn, States } from "./issues.jsx";
import { AddIssues } from "./milestone-add.jsx";

export function MilestonePage({ project, iid, search, session }) {
  const user = userOf(session);
  const found = useApi(inProject(project, "/milestones"), { "iids[]": iid });
  const milestone = found.data?.[0];
  const missing = found.data && !milestone ? { status: 404 } : null;
  if (found.error ?? missing) return <NotThere error={found.error ?? missing} what="milestone" retry={found.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="issues" />
      <Answer of={found}>
        {() => <Milestone milestone={milestone} project={project} search={search} user={user} change={(next) => found.set([next])} />}
      </Answer>
    </>
  );
}

const SHOWN = 50;

function Milestone({ milestone, project, search, user, change }) {
  const { known } = useKnown(project, Boolean(user));
  const { filter, place } = listQuery(search);
  const state = filter.state === "closed" ? "closed" : "opened";
  const { title } = milestone;
  const issues = useFilled(inProject(project, "/issues"), { ...apiQuery({ milestone: title, state, per_page: SHOWN }), ...place }, SHOWN);
  const { counts, recount } = useCounts(inProject(project, "/issues_statistics"), { milestone: title });
  // a user who may not set the milestone would create the issue without it
  const writes = user && known && !refusal.write(known, user) && !refusal.plan(known, user);
  return (
    <>
      <TitleRow
        title={`${title} · ${project}`}
        heading={title}
        beside={
          <>
            <Beneath project={project} tab="issues" sub="milestones" inside />
            <States state={state} counts={counts} address={(state) => withQuery(location.pathname, { state })} />
          </>
        }
      >
        {known && !withheld("ManageMilestones", known, user) && (
          <MilestoneActions milestone={milestone} project={project} changed={change} deleted={() => goTo(to.milestones(project))} />
        )}
        {writes && (
          <a class="button primary" href={to.newIssue(project, { milestone: title })}>
            <Icon name="plus" /> New issue
          </a>
        )}
      </TitleRow>
      <div class="byline quiet">
        <span>
          <MilestoneFacts milestone={milestone} />
        </span>
        <Bar milestone={milestone} counts={counts} />
        {writes && (
          <AddIssues
            milestone={milestone}
            project={project}
            changed={() => {
              issues.reload();
              recount();
            }}
          />
        )}
      </div>
      {milestone.description && <Markdown text={milestone.description} project={project} />}
      <Answer of={issues} what="Loading issues">
        {(list) =>
          list.length ? (
            <>
              <IssueList issues={list} project={project} within={title} mixed={false} />
              <SearchesOn of={issues} />
              {!issues.searching && <Pager next={issues.next} total={issues.total} shown={list.length} />}
            </>
          ) : issues.searching || issues.goOn ? (
            <SearchesOn of={issues} />
          ) : (
            <Empty title={`No ${state === "closed" ? "closed" : "open"} issues in this milestone.`}>
              {writes && (
                <p>
                  <a href={to.newIssue(project, { milestone: title })}>Write one here</a>, or add some that are there.
                </p>
              )}
            </Empty>
          )
        }
      </Answer>
    </>
  );
}
