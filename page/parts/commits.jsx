// Lists of commits, with their builds.
import { inProject, useApi } from "../api.mjs";
import { to } from "../route.mjs";
import { later } from "./later.jsx";
import { Build, Face, Sha } from "./marks.jsx";
import { useSeen } from "./seen.mjs";
import { dayOf, Time } from "./time.jsx";

/** Lists of commits contain no builds, so each commit is fetched when it becomes visible. */
export function CommitBuild({ project, sha }) {
  const [element, seen] = useSeen();
  const { data } = useApi(seen ? inProject(project, `/repository/commits/${sha}`) : null, { stats: false });
  return (
    <span class="build" ref={element}>
      {data && <Build state={data.status} />}
    </span>
  );
}

/** The commits that follow one another on one day: `[day, commits]`. */
function byDay(commits) {
  const days = [];
  for (const commit of commits) {
    const day = dayOf(commit.committed_date);
    if (days.at(-1)?.[0] !== day) days.push([day, []]);
    days.at(-1)[1].push(commit);
  }
  return days;
}

/**
 * A list for each day.
 * @param {{ commits: any[], project: string, builds?: boolean }} props
 */
export const CommitList = ({ commits, project, builds }) =>
  byDay(commits).map(([day, list]) => (
    <section key={list[0].id} aria-label={day}>
      <p class="day">{day}</p>
      <ul class="rows one-line hashes">
        {list.map((commit) => (
          <li class="row" key={commit.id}>
            <Face name={commit.author_name} />
            <div class="row-main">
              <a class="row-title" dir="auto" href={to.commit(project, commit.id)}>
                {commit.title || "(no message)"}
              </a>
              <p class="row-text">
                {commit.author_name}, <Time at={commit.committed_date} />
              </p>
            </div>
            <div class="row-side">
              {builds && <CommitBuild project={project} sha={commit.id} />}
              <Sha project={project} sha={commit.id} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  ));

export const NoCommits = later("browsing", "FirstCommits", true);
