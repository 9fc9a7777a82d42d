// `/search`: issues and projects, of all that the user may see.
import { useFilled, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Answer, Empty, Heading } from "../parts/feedback.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { to } from "../route.mjs";
import { ProjectList } from "./home.jsx";
import { IssueList, SearchesOn } from "./issues.jsx";

const SIZE = 20;
const STATES = [
  ["all", "Issues"],
  ["opened", "Open issues"],
  ["projects", "Projects"],
];

export function SearchPage({ search, session }) {
  const { filter, place } = listQuery(search);
  const words = (filter.search ?? "").trim();
  const find = (event) => {
    event.preventDefault();
    goTo(to.search({ search: String(new FormData(event.currentTarget).get("search")).trim(), in: filter.in }));
  };
  return (
    <>
      <Heading title={words ? `${words} · Search` : "Search"}>Search</Heading>
      <form class="filters" role="search" onSubmit={find}>
        <label class="grow">
          In all projects that you can see
          <input type="search" name="search" defaultValue={words} key={words} ref={words ? undefined : focus} />
        </label>
        <button class="primary">Find</button>
      </form>
      {words ? (
        <Found words={words} kind={filter.in ?? "all"} place={place} session={session} />
      ) : (
        <Empty title="Write a word of an issue or a project.">
          Issues are searched by the beginnings of the words in their titles and descriptions, projects by any part of their names.
        </Empty>
      )}
    </>
  );
}

function Found({ words, kind, place, session }) {
  const issues = { search: words, scope: "all" };
  const projects = useApi("/projects", {
    search: words,
    order_by: "last_activity_at",
    per_page: kind === "projects" ? SIZE : 1,
    ...(kind === "projects" && place),
  });
  const { data } = useApi("/issues_statistics", issues);
  const counts = { ...data?.statistics.counts, projects: projects.total };
  return (
    <>
      <nav class="tabs small" aria-label="What is found">
        {STATES.map(([key, title]) => (
          <a
            key={key}
            href={to.search({ search: words, in: key === "all" ? undefined : key })}
            aria-current={key === kind ? "true" : undefined}
          >
            {title} {Number.isInteger(counts[key]) && <span class="count">{counts[key].toLocaleString("en")}</span>}
          </a>
        ))}
      </nav>
      {kind === "projects" ? (
        <Projects of={projects} session={session} />
      ) : (
        <Issues
          key={kind}
          query={{ ...issues, state: kind === "opened" ? "opened" : undefined, with_labels_details: true, per_page: SIZE }}
          place={place}
          count={counts[kind]}
        />
      )}
    </>
  );
}

const Projects = ({ of, session }) => (
  <Answer of={of} what="Searching projects">
    {(found) =>
      found.length ? (
        <>
          <ProjectList projects={found} session={session} />
          <Pager next={of.next} total={of.total} shown={found.length} />
        </>
      ) : (
        <Empty title="No project that you can see has this in its name." />
      )
    }
  </Answer>
);

function Issues({ query, place, count }) {
  const answer = useFilled("/issues", { ...query, ...place }, SIZE);
  return (
    <Answer of={answer} what="Searching issues">
      {(found) => (
        <>
          {found.length > 0 && <IssueList issues={found} mixed />}
          <SearchesOn of={answer} />
          {!found.length && !answer.searching && !answer.goOn && (
            <Empty title="No issue that you can see has these words.">
              A word is found by its beginning: “rout” finds “routes”, “outes” does not.
            </Empty>
          )}
          {!answer.searching && <Pager next={answer.next} total={Object.keys(place).length ? null : count} shown={found.length} />}
        </>
      )}
    </Answer>
  );
}
