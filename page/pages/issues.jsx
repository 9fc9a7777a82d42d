// `/:namespace/:project/-/issues`. The address contains the filters.
import { useRef, useState } from "preact/hooks";
import { inProject, useFilled } from "../api.mjs";
import { useDensity } from "../parts/density.jsx";
import { Answer, Empty, Loading } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { useKnown } from "../parts/known.mjs";
import { later } from "../parts/later.jsx";
import { Live, newer } from "../parts/live.jsx";
import { Face, Labels, rememberLabels, State } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Time } from "../parts/time.jsx";
import { to } from "../route.mjs";
import { DueDay } from "./issue-fields.jsx";
import { apiQuery, Filters, useCounts } from "./issue-filters.jsx";

const Bulk = later("working", "Bulk", true);

/** `references.full` is for example `group/project#7`. */
export const projectOf = (issue) => issue.references.full.slice(0, issue.references.full.lastIndexOf("#"));

/**
 * Without `project` the issues are of several. `within`: the title of a milestone that need not be named. `choice`: `{ chosen, turn }`, the ids that the user chose.
 * @param {{ issues: any[], project?: string, brief?: boolean, within?: string, mixed?: boolean, choice?: { chosen: Set<number>, turn: (id: number) => void } }} props
 */
export function IssueList({ issues, project, brief, within, mixed = !brief, choice }) {
  return (
    <ul class={choice?.chosen.size ? "rows one-line choosing" : "rows one-line"}>
      {issues.map((issue) => (
        <IssueRow
          key={issue.id}
          issue={issue}
          project={project ?? projectOf(issue)}
          isElsewhere={!project}
          brief={brief}
          within={within}
          mixed={mixed}
          choice={choice}
        />
      ))}
    </ul>
  );
}

function IssueRow({ issue, project, isElsewhere, brief, within, mixed, choice }) {
  rememberLabels(project, issue.labels);
  return (
    <li class="row">
      {choice && (
        <input
          type="checkbox"
          class="choose"
          aria-label={`Choose ${issue.title}`}
          checked={choice.chosen.has(issue.id)}
          onChange={() => choice.turn(issue.id)}
        />
      )}
      <div class="row-main">
        <span class="number">{isElsewhere ? issue.references.full : `#${issue.iid}`}</span>
        <a class="row-title" dir="auto" href={to.issue(project, issue.iid)}>
          {issue.title}
        </a>
        {issue.confidential && (
          <span class="tag">
            <Icon name="lock" /> Confidential
          </span>
        )}
        <Labels labels={issue.labels} project={project} />
        <p class="row-text">
          by {issue.author.name}
          {!brief && issue.milestone && issue.milestone.title !== within && <> · {issue.milestone.title}</>}
          {!brief && issue.due_date && (
            <>
              {" "}
              · due <DueDay issue={issue} />
            </>
          )}
        </p>
      </div>
      <div class="row-side columned">
        {mixed && <State state={issue.state} />}
        <span class="talk">
          {issue.user_notes_count > 0 && (
            <span title="Comments">
              <Icon name="comment" /> {issue.user_notes_count}
              <span class="unseen"> comments</span>
            </span>
          )}
        </span>
        <span class="ago">
          <Time at={issue.created_at} />
        </span>
        <span class="who" title={issue.assignee ? `Assigned to ${issue.assignee.name}` : undefined}>
          {issue.assignee && (
            <>
              <Face name={issue.assignee.name} />
              <span class="unseen">assigned to {issue.assignee.name}</span>
            </>
          )}
        </span>
      </div>
    </li>
  );
}

/** The issues that the user has chosen in this list: `{ chosen, turn, set, clear }`. */
function useChoice() {
  const [chosen, setChosen] = useState(() => new Set());
  const turn = (id) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return { chosen, turn, set: (ids) => setChosen(new Set(ids)), clear: () => setChosen(new Set()) };
}

/** Chooses all issues of the page, or none. */
function ChooseAll({ issues, choice }) {
  const count = issues.filter(({ id }) => choice.chosen.has(id)).length;
  const isAll = count > 0 && count === issues.length;
  return (
    <input
      type="checkbox"
      class="choose"
      aria-label="Choose all"
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      onChange={() => choice.set(isAll ? [] : issues.map(({ id }) => id))}
    />
  );
}

const STATES = [
  ["opened", "Open"],
  ["closed", "Closed"],
  ["all", "All"],
];

/**
 * Links to the open and the closed issues, and with `all` to those of both. `address(state)`: where one leads, of the first without a state.
 * @param {{ state: string, counts: Record<string, number>, address: (state?: string) => string, all?: boolean }} props
 */
export const States = ({ state, counts, address, all }) => (
  <nav class="tabs small" aria-label="State">
    {STATES.filter(([key]) => all || key !== "all").map(([key, words], at) => (
      <a key={key} href={address(at ? key : undefined)} aria-current={key === state ? "true" : undefined}>
        {words} {Number.isInteger(counts[key]) && <span class="count">{counts[key].toLocaleString("en")}</span>}
      </a>
    ))}
  </nav>
);

/** Entries of a page if each has one line. */
const DENSE = 50;

export function IssuesPage({ project, search, session }) {
  const { filter: given, place } = listQuery(search);
  // the name of a view is that of its filters, and ends with them
  const { view, ...filter } = given;
  const [dense, density] = useDensity();
  const query = apiQuery({ ...filter, per_page: filter.per_page ?? (dense ? DENSE : undefined) });
  const answer = useFilled(inProject(project, "/issues"), { ...query, ...place }, Number(query.per_page));
  const { counts, recount } = useCounts(inProject(project, "/issues_statistics"), filter);
  const choice = useChoice();
  // after a new filter the old list stays until the new one has arrived
  const last = useRef([]);
  if (answer.data) last.current = answer.data;
  // tabs and filters stay while the server fails for a moment
  if ([401, 403, 404].includes(answer.error?.status)) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  const state = filter.state ?? "opened";
  const user = session?.id && !session.user.reads ? session.user : null;
  const { known } = useKnown(project, Boolean(user));
  const again = () => {
    answer.reload();
    recount();
  };
  const [worked, setWorked] = useState(false);
  if (choice.chosen.size && !worked) setWorked(true);
  return (
    <>
      <ProjectHead project={project} tab="issues" />
      <TitleRow
        title={`${view ?? "Issues"} · ${project}`}
        heading={
          view ? (
            <>
              Issues <span class="number">{view}</span>
            </>
          ) : (
            "Issues"
          )
        }
        beside={
          <>
            <Beneath project={project} tab="issues" />
            <States state={state} counts={counts} address={(state) => to.issues(project, { ...filter, state })} all />
          </>
        }
      >
        {user && known?.issues_enabled !== false && (
          <a class="button primary" href={to.newIssue(project)}>
            <Icon name="plus" /> New issue
          </a>
        )}
      </TitleRow>
      <Filters
        project={project}
        filter={filter}
        view={view}
        user={user}
        density={density}
        all={user && <ChooseAll issues={last.current} choice={choice} />}
      />
      <Live of={answer} words={newer("new or changed issue", "new or changed issues")} show={again} />
      <Answer of={answer} what="Loading issues">
        {(issues) =>
          issues.length ? (
            <>
              <IssueList issues={issues} project={project} mixed={state === "all"} choice={user && choice} />
              <SearchesOn of={answer} />
              {!answer.searching && (
                <Pager
                  next={answer.next}
                  total={answer.total ?? (Object.keys(place).length ? null : counts[state])}
                  shown={issues.length}
                />
              )}
            </>
          ) : answer.searching || answer.goOn ? (
            <SearchesOn of={answer} />
          ) : (
            <Nothing project={project} filter={filter} session={session} />
          )
        }
      </Answer>
      {worked && user && (
        <Bulk
          issues={last.current.filter(({ id }) => choice.chosen.has(id))}
          project={project}
          user={user}
          clear={choice.clear}
          changed={again}
        />
      )}
    </>
  );
}

/** A search looks at a part of the issues at a time. */
export function SearchesOn({ of: { searching, goOn } }) {
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
