import { inProject, useApi } from "../api.mjs";
import { Copy, Empty } from "../parts/feedback.jsx";
import { to } from "../route.mjs";

/** What the user has to do until the first commit arrives. */
export function FirstCommits({ project }) {
  const sync = `EDGEFORGE_TOKEN=$TOKEN edgeforge-mirror sync --repository . \\\n  --server ${location.origin} --project ${project}`;
  const { data } = useApi(inProject(project));
  return (
    <Empty title="No commits yet.">
      <p>The git repository is on another server. A program beside it sends the commits here, in three steps:</p>
      <ol class="steps">
        <li>
          Make the token that it uses, in <a href={to.projectTokens(project)}>Settings, Access tokens</a>: “New token of a hook”. A
          maintainer of the project may.
        </li>
        <li>
          Get the program: <code>hook/</code> of an edgeforge release has <code>edgeforge-mirror</code> for Linux. In the sources,{" "}
          <code>make mirror</code> builds it into <code>target/release</code>.
        </li>
        <li>
          Send the commits of a clone, with the token as <code>$TOKEN</code>:
          <figure class="command">
            <pre tabIndex={0} role="region" aria-label="Command">
              {sync}
            </pre>
            <Copy text={sync} what="the command" />
          </figure>
        </li>
      </ol>
      <p class="quiet">
        Beside the repository that people push to, <code>edgeforge-mirror install</code> does so for each push.
      </p>
      {data?.http_url_to_repo === "" && (
        <p class="quiet">
          Programs that clone find no address in the API, and do nothing: the operator of this server has not set <code>GIT_HTTP_URL</code>,
          where the git repositories are.
        </p>
      )}
    </Empty>
  );
}
