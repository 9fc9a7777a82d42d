// `/search`: finds words in all that the user may see, or in one project.
import { inProject, useApi, useFilled } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Answer, Empty, Heading, Loading } from "../parts/feedback.jsx";
import { Person } from "../parts/marks.jsx";
import { MilestoneFacts } from "../parts/milestone.jsx";
import { focus } from "../parts/opening.mjs";
import { listQuery, Pager } from "../parts/pager.jsx";
import { Time } from "../parts/time.jsx";
import { typed } from "../parts/typed.mjs";
import { to } from "../route.mjs";
import { userOf } from "../session.mjs";
import { apiQuery } from "./issue-filters.jsx";
import { CommitList } from "../parts/commits.jsx";
import { ProjectList } from "./home.jsx";
import { IssueList, SearchesOn } from "./issues.jsx";

const SIZE = 20;

/** In the order of the tabs. `everywhere`, `inside`: where it can be searched. `open`: for visitors, too. */
const KINDS = {
  issues: { title: "Issues", everywhere: true, inside: true, open: true, none: "No issue that you can see has these words." },
  projects: { title: "Projects", everywhere: true, open: true, none: "No project that you can see has this in its name." },
  users: { title: "People", everywhere: true, inside: true, none: "Nobody has this in their name." },
  milestones: { title: "Milestones", everywhere: true, inside: true, none: "No milestone has this in its title or description." },
  commits: { title: "Commits", inside: true, none: "No commit has this in its message." },
  notes: { title: "Comments", inside: true, none: "No comment has these words." },
};

export function SearchPage({ search, session }) {
  const { filter, place } = listQuery(search);
  const words = (filter.search ?? "").trim();
  const { project } = filter;
  const find = (event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    goTo(to.search({ search: String(given.get("search")).trim(), project: given.get("project") ?? undefined }));
  };
  return (
    <>
      <Heading title={words ? `${words} · Search` : "Search"}>Search</Heading>
      <form class="filters" role="search" onSubmit={find}>
        <label class="grow">
          {project ? "Words" : "In all projects that you can see"}
          <input type="search" name="search" maxLength={255} defaultValue={words} key={words} ref={words ? undefined : focus} />
        </label>
        {project && (
          <label class="check">
            <input type="checkbox" name="project" value={project} defaultChecked />
            Only in {project}
          </label>
        )}
        <button class="primary">Find</button>
      </form>
      {words ? (
        <Found key={`${words} ${project}`} words={words} project={project} kind={filter.in} place={place} session={session} />
      ) : (
        <Empty title="Write a word of an issue, a project, a person or a milestone.">
          Words of issues are found by their beginnings, names by any part of them. In a project, commits and comments are searched, too.
        </Empty>
      )}
    </>
  );
}

/**
 * The request for a kind: a visitor may not use the API's search.
 * @returns {[string, Record<string, any>]}
 */
function source(kind, words, project, signedIn, me) {
  if (signedIn && kind !== "issues" && kind !== "projects")
    return [project ? inProject(project, "/search") : "/search", { scope: kind, search: words }];
  if (kind === "projects") return ["/projects", { search: words, order_by: "last_activity_at" }];
  const { filter } = typed(words, me);
  if (filter) return [project ? inProject(project, "/issues") : "/issues", { ...apiQuery(filter), scope: "all" }];
  const number = project && /^#?(\d{1,9})$/.exec(words)?.[1];
  const query = { ...(number ? { "iids[]": number } : { search: words }), scope: "all", with_labels_details: true };
  return [project ? inProject(project, "/issues") : "/issues", query];
}

/** Whether there is something of each kind, by the first entry of each: `{ known, first }`, the counts and the first kind that has any. */
function useKinds(words, project, me) {
  const signedIn = Boolean(me);
  const isTyped = Boolean(typed(words, me).filter);
  const shown = Object.keys(KINDS).filter(
    (kind) => (!isTyped || kind === "issues") && KINDS[kind][project ? "inside" : "everywhere"] && (signedIn || KINDS[kind].open),
  );
  const known = Object.fromEntries(
    Object.keys(KINDS).map((kind) => {
      const [path, query] = source(kind, words, project, signedIn, me);
      const { data, total, error } = useApi(shown.includes(kind) && path, { ...query, per_page: 1 });
      // null: there are some, and the API does not count them
      return [kind, error ? 0 : data && (total ?? (data.length ? null : 0))];
    }),
  );
  const waits = shown.findIndex((kind) => known[kind] === undefined);
  const at = shown.findIndex((kind) => known[kind] !== 0);
  return { shown, known, first: at < 0 ? shown[0] : waits >= 0 && waits <= at ? undefined : shown[at] };
}

function Found({ words, project, kind, place, session }) {
  const me = userOf(session)?.username;
  const { shown, known, first } = useKinds(words, project, me);
  const current = shown.includes(kind) ? kind : first;
  const [path, query] = source(current ?? "issues", words, project, Boolean(me), me);
  return (
    <>
      <nav class="tabs small" aria-label="What is found">
        {shown.map((one) => (
          <a key={one} href={to.search({ search: words, project, in: one })} aria-current={one === current ? "true" : undefined}>
            {KINDS[one].title} {Number.isInteger(known[one]) && <span class="count">{known[one].toLocaleString("en")}</span>}
          </a>
        ))}
      </nav>
      {current ? (
        <List
          key={current}
          kind={current}
          path={path}
          query={{ ...query, per_page: SIZE }}
          place={place}
          project={project}
          session={session}
          count={known[current]}
        />
      ) : (
        <Loading what="Searching" />
      )}
    </>
  );
}

const LISTS = {
  projects: ({ found, session }) => <ProjectList projects={found} session={session} />,
  users: ({ found }) => (
    <ul class="rows">
      {found.map((user) => (
        <li class="row" key={user.id}>
          <div class="row-main">
            <Person user={user} />
            <span class="quiet">@{user.username}</span>
          </div>
        </li>
      ))}
    </ul>
  ),
  milestones: ({ found }) => (
    <ul class="rows">
      {found.map((milestone) => (
        <li class="row" key={milestone.id}>
          <div class="row-main">
            <a class="row-title" href={new URL(milestone.web_url).pathname}>
              {milestone.title}
            </a>
            <MilestoneFacts milestone={milestone} />
          </div>
        </li>
      ))}
    </ul>
  ),
  commits: ({ found, project }) => <CommitList commits={found} project={project} />,
  notes: ({ found, project }) => (
    <ul class="rows">
      {found.map((note) => (
        <li class="row" key={note.id}>
          <div class="row-main">
            <a class="row-title" href={`${to.issue(project, note.noteable_iid)}#note_${note.id}`}>
              {note.body.slice(0, 200)}
            </a>
            <p class="row-text">
              {note.author.name} on #{note.noteable_iid}, <Time at={note.created_at} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  ),
};

function List({ kind, path, query, place, project, session, count }) {
  const answer = useFilled(path, { ...query, ...place }, kind === "issues" ? SIZE : 1);
  const Rows = LISTS[kind];
  return (
    <Answer of={answer} what="Searching">
      {(found) => (
        <>
          {found.length > 0 &&
            (kind === "issues" ? <IssueList issues={found} mixed /> : <Rows found={found} project={project} session={session} />)}
          {answer.hint && <p class="quiet">Not everything was searched: {answer.hint}.</p>}
          <SearchesOn of={answer} />
          {!found.length && !answer.searching && !answer.goOn && (
            <Empty title={KINDS[kind].none}>
              {kind === "issues" && "A word is found by its beginning: “rout” finds “routes”, “outes” does not."}
            </Empty>
          )}
          {!answer.searching && <Pager next={answer.next} total={Object.keys(place).length ? null : count} shown={found.length} />}
        </>
      )}
    </Answer>
  );
}
