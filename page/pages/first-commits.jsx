import { Copy, Empty } from "../parts/feedback.jsx";
import { to } from "../route.mjs";

/** What the user has to do until the first commit arrives. */
export function FirstCommits({ project }) {
  const sync = `EDGEFORGE_TOKEN=$TOKEN edgeforge-mirror sync --repository . \\\n  --server ${location.origin} --project ${project}`;
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
    </Empty>
  );
}
