// `/:namespace/:project/-/settings/access_tokens`
import { inProject } from "../api.mjs";
import { Answer, Empty, ForMembers } from "../parts/feedback.jsx";
import { useKnown } from "../parts/known.mjs";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { HookTokens, ProjectTokens } from "../parts/tokens.jsx";
import { withheld } from "../rights.mjs";
import { Keyless, Steps } from "./keyless.jsx";

export function ProjectTokensPage({ project, search, session }) {
  const { known, error } = useKnown(project, Boolean(session?.id));
  if (error) return <NotThere error={error} what="project" />;
  return (
    <>
      <ProjectHead project={project} tab="settings" />
      <TitleRow
        title={`Access tokens · ${project}`}
        heading="Access tokens"
        beside={<Beneath project={project} tab="settings" sub="projectTokens" />}
      />
      <ForMembers what="the tokens" />
      {session?.id && (
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
      <section aria-labelledby="project-tokens">
        <ProjectTokens
          path={inProject(project)}
          search={search}
          heading={<h2 id="project-tokens">Of the project</h2>}
          steps={(trust) => <Steps trust={trust} project={project} />}
        >
          {(reload) => (
            <>
              <p class="quiet">
                A token of the project is for a machine: it opens only this project, in a role of its own, and for one use.
              </p>
              <h3>CI without a secret</h3>
              <p class="quiet">GitHub, GitLab, Forgejo, Buildkite and CircleCI sign who they are. Trust yours, and it posts builds.</p>
              <Keyless project={project} path={inProject(project)} reload={reload} />
            </>
          )}
        </ProjectTokens>
      </section>
      <section aria-labelledby="hook-tokens">
        <HookTokens path={inProject(project)} search={search} heading={<h2 id="hook-tokens">Tokens of the push hook</h2>}>
          <p class="quiet">Its token can only send the commits, branches and tags of this project.</p>
        </HookTokens>
      </section>
    </>
  );
}
