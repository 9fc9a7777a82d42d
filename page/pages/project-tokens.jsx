// `/:namespace/:project/-/settings/access_tokens`
import { inProject } from "../api.mjs";
import { Answer, Empty, ForMembers, Heading } from "../parts/feedback.jsx";
import { useKnown } from "../parts/known.mjs";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { HookTokens, ProjectTokens } from "../parts/tokens.jsx";
import { withheld } from "../rights.mjs";

export function ProjectTokensPage({ project, search, session }) {
  const { known, error } = useKnown(project, Boolean(session?.token));
  if (error) return <NotThere error={error} what="project" />;
  return (
    <>
      <ProjectHead project={project} tab="settings" sub="projectTokens" />
      <Heading title={`Access tokens · ${project}`}>Access tokens</Heading>
      <ForMembers what="the tokens" />
      {session?.token && (
        <Answer of={{ data: known }}>
          {() => <Both project={project} search={search} refused={withheld("ManageTokens", known, session.user)} />}
        </Answer>
      )}
    </>
  );
}

function Both({ project, search, refused }) {
  if (refused) return <Empty title={refused} />;
  return (
    <>
      <p>
        A token of the project is for a machine: it opens only this project, in a role of its own. Give it the fewest scopes that suffice.
      </p>
      <ProjectTokens path={inProject(project)} search={search} />
      <section aria-labelledby="hook-tokens">
        <h2 id="hook-tokens">The hook of the git server</h2>
        <p>Its token can only send the commits, branches and tags of this project.</p>
        <HookTokens path={inProject(project)} search={search} />
      </section>
    </>
  );
}
