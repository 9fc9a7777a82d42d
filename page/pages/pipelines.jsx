// `/:namespace/:project/-/pipelines`
import { useMemo } from "preact/hooks";
import { inProject, useApi } from "../api.mjs";
import { Answer, Empty } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Live, newer } from "../parts/live.jsx";
import { Build, Face, Sha } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Choice } from "../parts/search.jsx";
import { useSeen } from "../parts/seen.mjs";
import { span, Time } from "../parts/time.jsx";
import { to, withQuery } from "../route.mjs";

const STATES = [
  ["all", "All"],
  ["failed", "Failed"],
  ["running", "Running"],
  ["pending", "Pending"],
  ["success", "Passed"],
];

export function PipelinesPage({ project, search }) {
  const { filter, place } = listQuery(search);
  const status = STATES.some(([state]) => state === filter.status) && filter.status !== "all" ? filter.status : undefined;
  const answer = useApi(inProject(project, "/pipelines"), { status, ref: filter.ref, per_page: 30, ...place });
  const subjects = useSubjects(project, filter.ref, answer.data);
  if (answer.error && !answer.data) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="commits" />
      <TitleRow
        title={`Pipelines · ${project}`}
        heading="Pipelines"
        beside={
          <>
            <Beneath project={project} tab="commits" sub="pipelines" />
            <Choice label="State" name="status" choices={STATES} filter={filter} />
          </>
        }
      />
      {filter.ref && (
        <p class="chips">
          <span class="chip">
            Branch or tag: {filter.ref}
            <a href={withQuery(location.pathname, { ...filter, ref: undefined })} aria-label={`Remove the filter ${filter.ref}`}>
              ×
            </a>
          </span>
        </p>
      )}
      <Live of={answer} words={newer("new or changed pipeline", "new or changed pipelines")} />
      <Answer of={answer.data?.length && !subjects ? {} : answer} what="Loading pipelines">
        {(pipelines) =>
          pipelines.length ? (
            <>
              <ul class="rows hashes">
                {pipelines.map((pipeline) => (
                  <Pipeline key={pipeline.id} pipeline={pipeline} project={project} filter={filter} subjects={subjects} />
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={pipelines.length} />
            </>
          ) : (
            <Empty title={status || filter.ref ? "No pipeline is like this." : "No builds yet."}>
              {!status && !filter.ref && (
                <p>A pipeline is all the builds of a commit on a branch or tag. It appears when your CI posts their statuses.</p>
              )}
            </Empty>
          )
        }
      </Answer>
    </>
  );
}

/** The subjects of the newest commits by hash, null while they are asked for. Lists of pipelines have only hashes. */
function useSubjects(project, ref, pipelines) {
  const { data, error } = useApi(pipelines?.length && inProject(project, "/repository/commits"), { ref_name: ref, per_page: 100 });
  return useMemo(() => (data || error ? new Map((data ?? []).map(({ id, title }) => [id, title])) : null), [data, error]);
}

/** Author and duration are in the answer of one pipeline, so it is asked for when it becomes visible. */
function Pipeline({ pipeline: { id, iid, status, ref, sha, updated_at }, project, filter, subjects }) {
  const [element, seen] = useSeen();
  const { data } = useApi(seen && inProject(project, `/pipelines/${id}`));
  const isOther = seen && subjects && !subjects.has(sha);
  const commit = useApi(isOther && inProject(project, `/repository/commits/${sha}`), { stats: false });
  return (
    <li class="row" ref={element}>
      <Build state={status} />
      <div class="row-main">
        <a class="row-title" dir="auto" href={to.pipeline(project, id)}>
          {subjects?.get(sha) ?? commit.data?.title ?? `#${iid}`}
        </a>
        {ref && (
          <a class="tag" href={to.pipelines(project, { status: filter.status, ref })} title="Only its pipelines">
            <Icon name="branch" />
            {ref}
          </a>
        )}
        <p class="row-text">
          #{iid}
          {data?.user && ` by ${data.user.name}`}, <Time at={updated_at} />
        </p>
      </div>
      <div class="row-side">
        <span class="ran">
          {data && data.duration !== null && span(0, data.duration * 1000)}
          {data?.user && <Face name={data.user.name} />}
        </span>
        <Sha project={project} sha={sha} />
      </div>
    </li>
  );
}
