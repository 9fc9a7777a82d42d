// `/:namespace/:project/-/issues`. The address contains the filters.
import { useRef } from "preact/hooks";
import { inProject, useFilled } from "../api.mjs";
import { Answer, Empty, Heading, Loading } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Face, Labels, rememberLabels, State } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { Time } from "../parts/time.jsx";
import { to } from "../route.mjs";
import { DueDay } from "./issue-fields.jsx";
import { apiQuery, Filters, useCounts } from "./issue-filters.jsx";

export function IssueList({ issues, project, brief, mixed = !brief }) {
  issues.forEach((issue) => rememberLabels(project, issue.labels));
  return (
    <ul class="rows">
      {issues.map((issue) => (
        <li class="row" key={issue.id}>
          <div class="row-main">
            <a class="row-title" href={to.issue(project, issue.iid)}>
              {issue.title}
            </a>
            {issue.confidential && (
              <span class="tag">
                <Icon name="lock" /> Confidential
              </span>
            )}
            <Labels labels={issue.labels} project={project} />
            <p class="row-text">
              #{issue.iid} by {issue.author.name}, <Time at={issue.created_at} />
              {!brief && issue.milestone && <> · {issue.milestone.title}</>}
              {!brief && issue.due_date && (
                <>
                  {" "}
                  · due <DueDay issue={issue} />
                </>
              )}
            </p>
          </div>
          <div class="row-side">
            {mixed && <State state={issue.state} />}
            {issue.assignee && (
              <span title={`Assigned to ${issue.assignee.name}`}>
                <Face name={issue.assignee.name} />
                <span class="unseen">assigned to {issue.assignee.name}</span>
              </span>
            )}
            {issue.user_notes_count > 0 && (
              <span class="quiet" title="Comments">
                <Icon name="comment" /> {issue.user_notes_count}
                <span class="unseen"> comments</span>
              </span>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

const STATES = [
  ["opened", "Open"],
  ["closed", "Closed"],
  ["all", "All"],
];

export function IssuesPage({ project, search, session }) {
  const { filter, place } = listQuery(search);
  const query = apiQuery(filter);
  const answer = useFilled(inProject(project, "/issues"), { ...query, ...place }, Number(query.per_page));
  const counts = useCounts(inProject(project, "/issues_statistics"), filter);
  // a new filter keeps the list until its own is there
  const last = useRef([]);
  if (answer.data) last.current = answer.data;
  // a server that fails for a moment takes neither tabs nor filters away
  if ([401, 403, 404].includes(answer.error?.status)) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  const state = filter.state ?? "opened";
  return (
    <>
      <ProjectHead project={project} tab="issues" />
      <div class="title-row">
        <Heading title={`Issues · ${project}`}>Issues</Heading>
        {session?.token && (
          <a class="button primary" href={to.newIssue(project)}>
            <Icon name="plus" /> New issue
          </a>
        )}
      </div>
      <nav class="tabs small" aria-label="State">
        {STATES.map(([key, words]) => (
          <a key={key} href={to.issues(project, { ...filter, state: key === "opened" ? undefined : key })} aria-current={key === state ? "true" : undefined}>
            {words} {Number.isInteger(counts[key]) && <span class="count">{counts[key].toLocaleString("en")}</span>}
          </a>
        ))}
      </nav>
      <Filters project={project} filter={filter} session={session} issues={last.current} />
      <Answer of={answer} what="Loading issues">
        {(issues) =>
          issues.length ? (
            <>
              <IssueList issues={issues} project={project} mixed={state === "all"} />
              <SearchesOn of={answer} />
              {!answer.searching && <Pager next={answer.next} total={answer.total ?? (Object.keys(place).length ? null : counts[state])} shown={issues.length} />}
            </>
          ) : answer.searching || answer.goOn ? (
            <SearchesOn of={answer} />
          ) : (
            <Nothing project={project} filter={filter} session={session} />
          )
        }
      </Answer>
    </>
  );
}

/** A search looks at a part of the issues at a time. */
function SearchesOn({ of: { searching, goOn } }) {
  if (searching) return <Loading what="Searching older issues" />;
  return goOn ? (
    <p class="actions">
      <span class="quiet">Only a part of the issues has been searched yet.</span>
      <button onClick={goOn}>Search older issues</button>
    </p>
  ) : null;
}

function Nothing({ project, filter, session }) {
  if (Object.keys(filter).length) return <Empty title="No issue matches these filters.">Remove a filter to see more issues.</Empty>;
  return (
    <Empty title="No open issues." curl={session && { path: inProject(project, "/issues"), fields: { title: "What is wrong" } }}>
      <p>An issue is a bug, a wish or a question. {session ? "Write one here, or from a script:" : "Sign in to write one."}</p>
    </Empty>
  );
}
