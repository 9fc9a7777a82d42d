// `/:namespace/:project/-/pipelines/:id`: the jobs of one pipeline, by stage.
import { inProject, useApi } from "../api.mjs";
import { useMore } from "../parts/draft.jsx";
import { Answer, Problem } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { later } from "../parts/later.jsx";
import { Live } from "../parts/live.jsx";
import { Build, Person, Sha } from "../parts/marks.jsx";
import { Outside } from "../parts/markdown.jsx";
import { useProblems } from "../parts/problems.mjs";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { span, Time } from "../parts/time.jsx";
import { to } from "../route.mjs";

export function PipelinePage({ project, id }) {
  const path = inProject(project, `/pipelines/${id}`);
  const answer = useApi(path);
  const commit = useApi(answer.data && inProject(project, `/repository/commits/${answer.data.sha}`), { stats: false });
  if (answer.error && !answer.data) return <NotThere error={answer.error} what="pipeline" retry={answer.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="commits" />
      <Live of={answer} words={(before, now) => (before.updated_at === now.updated_at ? null : "This pipeline has changed")} />
      <Answer of={answer} what="Loading the pipeline">
        {(pipeline) => (
          <>
            <TitleRow
              title={`Pipeline ${pipeline.iid} · ${project}`}
              heading={
                <>
                  Pipeline <span class="number">#{pipeline.iid}</span>
                </>
              }
              beside={<Beneath project={project} tab="commits" sub="pipelines" inside />}
            />
            <p class="byline">
              <Build state={pipeline.status} />
              <span>
                <Person user={pipeline.user} /> began it <Time at={pipeline.created_at} />
              </span>
              <span>
                of <Sha project={project} sha={pipeline.sha} /> {commit.data?.title}
              </span>
              {pipeline.ref && (
                <a class="tag" href={to.commits(project, pipeline.ref)}>
                  <Icon name={pipeline.tag ? "tag" : "branch"} />
                  {pipeline.ref}
                </a>
              )}
              {pipeline.duration !== null && <span class="quiet">ran {span(0, pipeline.duration * 1000)}</span>}
              {pipeline.coverage !== null && <span class="quiet">{pipeline.coverage} % covered</span>}
            </p>
            <Jobs key={pipeline.updated_at} path={path} project={project} />
          </>
        )}
      </Answer>
    </>
  );
}

const Reports = later("reporting", "Reports", true);

/** The jobs, and before them what their reports say. */
function Jobs({ path, project }) {
  const query = { per_page: 100 };
  const answer = useApi(`${path}/jobs`, query);
  const { more, busy, error } = useMore(answer, `${path}/jobs`, query);
  const isReported = answer.data?.some(({ artifacts }) => artifacts.length > 0);
  const { problems, error: unread, isHere } = useProblems(isReported && path);
  return (
    <Answer of={isHere ? answer : {}} what="Loading jobs">
      {(jobs) => {
        const stages = [...new Set(jobs.map((job) => job.stage))];
        if (!jobs.length) return <p class="quiet">This pipeline has no jobs.</p>;
        return (
          <>
            {unread && <Problem error={unread} />}
            {problems && <Reports problems={problems} project={project} />}
            {stages.map((stage) => (
              <section key={stage} aria-label={`Stage ${stage}`}>
                <h2>Stage {stage}</h2>
                <ul class="rows dense">
                  {jobs
                    .filter((job) => job.stage === stage)
                    .map((job) => (
                      <Job key={job.id} job={job} />
                    ))}
                </ul>
              </section>
            ))}
            {answer.next && (
              <button disabled={busy} onClick={more}>
                More jobs
              </button>
            )}
            {error && <Problem error={error} />}
          </>
        );
      }}
    </Answer>
  );
}

/** Its `web_url` is the page of the CI, or that of the pipeline where the status names none. */
const Job = ({ job }) => (
  <li class="row">
    <div class="row-main">
      <Build state={job.status} />
      {job.web_url === job.pipeline.web_url ? (
        <span>{job.name}</span>
      ) : (
        <Outside href={job.web_url}>
          {job.name} <Icon name="out" />
        </Outside>
      )}
    </div>
    <div class="row-side quiet">
      {job.coverage !== null && <span>{job.coverage} % covered</span>}
      {job.duration !== null && <span>{span(0, job.duration * 1000)}</span>}
      <Time at={job.finished_at ?? job.started_at ?? job.created_at} />
    </div>
  </li>
);
