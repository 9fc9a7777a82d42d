// `/:namespace/:project/-/issues`. The address contains the filters.
import { useState } from "preact/hooks";
import { inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Answer, Empty, Heading } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Face, Labels, rememberLabels, State } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { Day, Time } from "../parts/time.jsx";
import { to } from "../route.mjs";

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
                  · due <Day at={issue.due_date} />
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
const SORTS = [
  ["created_at desc", "Newest"],
  ["created_at asc", "Oldest"],
  ["updated_at desc", "Recently changed"],
  ["updated_at asc", "Least recently changed"],
];

/** Converts the address's parameters into the API's. */
function apiQuery({ state = "opened", sort = "created_at desc", labels, milestone, author, assignee, search, per_page }) {
  const [order_by, direction] = (SORTS.some(([key]) => key === sort) ? sort : "created_at desc").split(" ");
  return {
    state: state === "all" ? undefined : state,
    labels,
    milestone,
    author_username: author,
    ...(["None", "Any"].includes(assignee) ? { assignee_id: assignee } : { assignee_username: assignee }),
    search,
    order_by,
    sort: direction,
    with_labels_details: true,
    per_page: per_page ?? 20,
  };
}

/** Loads its suggestions when it gets the focus. */
function FieldWithSuggestions({ label, name, value, path, word, session, multiple }) {
  const [wanted, setWanted] = useState(false);
  const { data } = useApi(wanted && session?.token ? path : null, { per_page: 100 });
  const list = `list-${name}`;
  const words = data?.map(word) ?? [];
  return (
    <label>
      {label}
      <input name={name} defaultValue={value ?? ""} key={value} list={list} onFocus={() => setWanted(true)} placeholder={multiple ? "one, another" : ""} autocomplete="off" />
      <datalist id={list}>
        {[...words, "None", "Any"].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  );
}

function Filters({ project, filter, session }) {
  const active = ["labels", "milestone", "author", "assignee", "sort"].some((name) => filter[name]);
  const submit = (event) => {
    event.preventDefault();
    const words = Object.fromEntries([...new FormData(event.currentTarget)].filter(([, value]) => String(value).trim()));
    if (words.sort === SORTS[0][0]) delete words.sort;
    goTo(to.issues(project, { state: filter.state, per_page: filter.per_page, ...words }));
  };
  const offer = { session };
  return (
    <form class="filters" role="search" aria-label="Issues" onSubmit={submit}>
      <label class="grow">
        Search
        <input type="search" name="search" defaultValue={filter.search ?? ""} key={filter.search} />
      </label>
      <button>Find</button>
      <details open={active}>
        <summary>More filters</summary>
        <div class="filters">
          <FieldWithSuggestions {...offer} label="Labels" name="labels" value={filter.labels} path={inProject(project, "/labels")} word={(label) => label.name} multiple />
          <FieldWithSuggestions {...offer} label="Milestone" name="milestone" value={filter.milestone} path={inProject(project, "/milestones")} word={(one) => one.title} />
          <FieldWithSuggestions {...offer} label="Assignee" name="assignee" value={filter.assignee} path={inProject(project, "/members/all")} word={(member) => member.username} />
          <label>
            Author
            <input name="author" defaultValue={filter.author ?? ""} key={filter.author} autocomplete="off" />
          </label>
          <label>
            Order
            <select name="sort" defaultValue={filter.sort ?? SORTS[0][0]} key={filter.sort}>
              {SORTS.map(([key, words]) => (
                <option key={key} value={key} selected={key === (filter.sort ?? SORTS[0][0])}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        </div>
      </details>
    </form>
  );
}

export function IssuesPage({ project, search, session }) {
  const { filter, place } = listQuery(search);
  const answer = useApi(inProject(project, "/issues"), { ...apiQuery(filter), ...place });
  if (answer.error && answer.error.status !== 400) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  const state = filter.state ?? "opened";
  const isFiltered = Object.keys(filter).some((name) => !["state", "sort", "per_page"].includes(name));
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
            {words}
          </a>
        ))}
      </nav>
      <Filters project={project} filter={filter} session={session} />
      {isFiltered && (
        <p>
          <a href={to.issues(project, { state: filter.state })}>Clear the filters</a>
        </p>
      )}
      <Answer of={answer} what="Loading issues">
        {(issues) =>
          issues.length ? (
            <>
              <IssueList issues={issues} project={project} mixed={state === "all"} />
              <Pager next={answer.next} total={answer.total} shown={issues.length} />
            </>
          ) : (
            <Nothing project={project} filter={filter} session={session} next={answer.next} />
          )
        }
      </Answer>
    </>
  );
}

function Nothing({ project, filter, session, next }) {
  if (next) {
    return (
      <>
        <Empty title="No matches so far. Go to the next page to continue the search." />
        <Pager next={next} total={null} shown={0} />
      </>
    );
  }
  if (Object.keys(filter).length) return <Empty title="No issue matches these filters.">Remove a filter to see more issues.</Empty>;
  return (
    <Empty title="No open issues." curl={session && { path: inProject(project, "/issues"), fields: { title: "What is wrong" } }}>
      <p>An issue is a bug, a wish or a question. {session ? "Write one here, or from a script:" : "Sign in to write one."}</p>
    </Empty>
  );
}
