// `/:namespace/:project/-/environments`
import { inProject, useApi } from "../api.mjs";
import { deployedIn, EnvironmentTable } from "../parts/environments.jsx";
import { Answer, Empty } from "../parts/feedback.jsx";
import { Outside } from "../parts/markdown.jsx";
import { Deployed, Person, Sha } from "../parts/marks.jsx";
import { Pager, listQuery } from "../parts/pager.jsx";
import { NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Time } from "../parts/time.jsx";

export function EnvironmentsPage({ project, id, search }) {
  return (
    <>
      <ProjectHead project={project} tab="environments" />
      {id ? <OneEnvironment project={project} id={id} search={search} /> : <AllEnvironments project={project} search={search} />}
    </>
  );
}

function AllEnvironments({ project, search }) {
  const { place } = listQuery(search);
  const answer = useApi(inProject(project, "/environments"), { per_page: 20, ...place });
  const deployments = useApi(inProject(project, "/deployments"), { order_by: "id", sort: "desc", per_page: 100 });
  if (answer.error) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  return (
    <>
      <TitleRow title={`Environments · ${project}`} heading="Environments" />
      <Answer of={answer} what="Loading environments">
        {(environments) => (
          <>
            <EnvironmentTable environments={environments} last={deployedIn(deployments.data ?? [])} project={project} />
            <Pager next={answer.next} total={answer.total} shown={environments.length} />
          </>
        )}
      </Answer>
    </>
  );
}

function OneEnvironment({ project, id, search }) {
  const { place } = listQuery(search);
  const answer = useApi(inProject(project, `/environments/${id}`));
  const name = answer.data?.name;
  const deployments = useApi(name ? inProject(project, "/deployments") : null, {
    environment: name,
    order_by: "id",
    sort: "desc",
    per_page: 20,
    ...place,
  });
  if (answer.error) return <NotThere error={answer.error} what="environment" retry={answer.reload} />;
  return (
    <Answer of={answer} what="Loading the environment">
      {(environment) => (
        <>
          <TitleRow title={`${environment.name} · ${project}`} heading={environment.name} />
          <p class="byline">
            <span class="tag">{environment.tier}</span>
            <span class="tag">{environment.state}</span>
            {environment.external_url && <Outside href={environment.external_url} />}
            {environment.last_deployment && (
              <span>
                <Sha project={project} sha={environment.last_deployment.sha} /> of {environment.last_deployment.ref} is deployed here, since{" "}
                <Time at={environment.last_deployment.created_at} />
              </span>
            )}
          </p>
          <h2>Deployments</h2>
          <Answer of={deployments} what="Loading deployments">
            {(list) => (
              <>
                <Deployments list={list} project={project} />
                <Pager next={deployments.next} total={deployments.total} shown={list.length} />
              </>
            )}
          </Answer>
        </>
      )}
    </Answer>
  );
}

const Deployments = ({ list, project }) =>
  list.length ? (
    <ul class="rows">
      {list.map((deployment) => (
        <li class="row" key={deployment.id}>
          <div class="row-main">
            <Deployed state={deployment.status} /> <Sha project={project} sha={deployment.sha} />{" "}
            <span class="quiet">{deployment.ref}</span>
          </div>
          <div class="row-side">
            <Person user={deployment.user} />
            <Time at={deployment.created_at} />
          </div>
        </li>
      ))}
    </ul>
  ) : (
    <Empty title="Nothing has been deployed to this environment yet." />
  );
