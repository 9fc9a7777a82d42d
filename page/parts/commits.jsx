// Lists of commits, with their builds.
import { useMemo } from "preact/hooks";
import { inProject, useApi } from "../api.mjs";
import { to } from "../route.mjs";
import { useKnown } from "./known.mjs";
import { later } from "./later.jsx";
import { Build, Face, Sha } from "./marks.jsx";
import { useSeen } from "./seen.mjs";
import { dayOf, Time } from "./time.jsx";

/** The build of one commit, asked for when it becomes visible. */
export function CommitBuild({ project, sha }) {
  const [element, seen] = useSeen();
  const { data } = useApi(seen ? inProject(project, `/repository/commits/${sha}`) : null, { stats: false });
  return (
    <span class="build" ref={element}>
      {data && <Build state={data.status} />}
    </span>
  );
}

/** The state of a commit with these pipelines, by the rule of the API. */
function together(states) {
  const only = (...some) => states.every((state) => some.includes(state));
  if (only("success")) return "success";
  if (only("pending")) return "pending";
  if (only("success", "canceled")) return "canceled";
  return states.some((state) => ["running", "pending"].includes(state)) ? "running" : "failed";
}

/**
 * Returns `(commit) =>` its build. Lists of commits have none, so the newest pipelines are asked for once. Only a commit that may have
 * an older pipeline is asked for by itself.
 */
export function useBuilds(project, wanted = true) {
  const { known } = useKnown(project, wanted);
  const isBuilt = wanted && known && known.jobs_enabled !== false;
  const { data, next, error } = useApi(isBuilt && inProject(project, "/pipelines"), { per_page: 100 });
  const states = useMemo(() => Map.groupBy(data ?? [], ({ sha }) => sha), [data]);
  const oldest = next ? data?.at(-1)?.created_at : null;
  return ({ id, committed_date: at }) => {
    const builds = states.get(id);
    const isOlder = oldest && !builds && Date.parse(at) < Date.parse(oldest);
    if (error || isOlder) return <CommitBuild project={project} sha={id} />;
    return <span class="build">{builds && <Build state={together(builds.map(({ status }) => status))} />}</span>;
  };
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
export function CommitList({ commits, project, builds = false }) {
  const build = useBuilds(project, builds);
  return byDay(commits).map(([day, list]) => (
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
              {builds && build(commit)}
              <Sha project={project} sha={commit.id} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  ));
}

export const NoCommits = later("browsing", "FirstCommits", true);
