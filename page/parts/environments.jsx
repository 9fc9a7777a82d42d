// What is deployed where.
import { inProject } from "../api.mjs";
import { to } from "../route.mjs";
import { useSession } from "../session.mjs";
import { Empty } from "./feedback.jsx";
import { Outside } from "./markdown.jsx";
import { Deployed, Person, Sha } from "./marks.jsx";
import { Time } from "./time.jsx";

/** Maps the environment's id to `{ last, success }`: its newest deployment and the newest that succeeded. `deployments` begins with the newest. */
export function deployedIn(deployments) {
  const found = new Map();
  for (const deployment of deployments) {
    const { last = deployment, success = null } = found.get(deployment.environment.id) ?? {};
    found.set(deployment.environment.id, { last, success: success ?? (deployment.status === "success" ? deployment : null) });
  }
  return found;
}

export function EnvironmentTable({ environments, last, project }) {
  const session = useSession();
  if (!environments.length) {
    if (!session) return <Empty title="Nothing is deployed yet." />;
    return (
      <Empty
        title="Nothing is deployed yet."
        curl={{
          path: inProject(project, "/deployments"),
          fields: { environment: "production", sha: "$SHA", ref: "main", tag: "false", status: "success" },
        }}
      >
        <p>Report a deployment to create its environment:</p>
      </Empty>
    );
  }
  return (
    <ul class="rows">
      {environments.map((environment) => {
        const { last: newest, success: deployment } = last.get(environment.id) ?? {};
        return (
          <li class="row" key={environment.id}>
            <div class="row-main">
              <a class="row-title" href={to.environment(project, environment.id)}>
                {environment.name}
              </a>
              {environment.state !== "available" && <span class="tag">{environment.state}</span>}
              {newest && newest.status !== "success" && <Deployed state={newest.status} />}
              <p class="row-text">{environment.external_url ? <Outside href={environment.external_url} /> : environment.tier}</p>
            </div>
            <div class="row-side">
              {deployment ? (
                <>
                  <Sha project={project} sha={deployment.sha} />
                  <Person user={deployment.user} />
                  <Time at={deployment.created_at} />
                </>
              ) : (
                <span class="quiet">{newest ? "nothing succeeded lately" : "nothing deployed lately"}</span>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
