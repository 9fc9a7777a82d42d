// `/:namespace/:project/-/pipelines`
import { inProject, useApi } from "../api.mjs";
import { Answer, Empty, Heading } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Build, Sha } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { Choice } from "../parts/search.jsx";
import { Time } from "../parts/time.jsx";
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
  if (answer.error && !answer.data) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="commits" sub="pipelines" />
      <Heading title={`Pipelines · ${project}`}>Pipelines</Heading>
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
      <Choice label="State" name="status" choices={STATES} filter={filter} />
      <Answer of={answer} what="Loading pipelines">
        {(pipelines) =>
          pipelines.length ? (
            <>
              <ul class="rows dense">
                {pipelines.map((pipeline) => (
                  <Pipeline key={pipeline.id} pipeline={pipeline} project={project} filter={filter} />
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

const Pipeline = ({ pipeline: { id, iid, status, ref, sha, updated_at }, project, filter }) => (
  <li class="row">
    <div class="row-main">
      <Build state={status} />
      <a class="row-title" href={to.pipeline(project, id)}>
        #{iid}
      </a>
      {ref && (
        <a class="tag" href={to.pipelines(project, { status: filter.status, ref })} title="Only its pipelines">
          <Icon name="branch" />
          {ref}
        </a>
      )}
    </div>
    <div class="row-side">
      <Sha project={project} sha={sha} />
      <Time at={updated_at} />
    </div>
  </li>
);
