// `/:namespace/:project/-/project_members`
import { inProject } from "../api.mjs";
import { useKnown } from "../parts/known.mjs";
import { Members } from "../parts/members.jsx";
import { NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { withheld } from "../rights.mjs";
import { userOf } from "../session.mjs";

export function MembersPage({ project, search, session }) {
  return (
    <>
      <ProjectHead project={project} tab="members" />
      <OfProject project={project} search={search} user={userOf(session)} />
    </>
  );
}

/** @param {{ project: string, children?: any }} props */
const Title = ({ project, children }) => (
  <TitleRow title={`Members · ${project}`} heading="Members">
    {children}
  </TitleRow>
);

function OfProject({ project, search, user }) {
  const { known } = useKnown(project, Boolean(user));
  const refused = known && withheld("ManageMembers", known, user);
  return (
    <Members
      path={inProject(project)}
      what="project"
      owner={project.split("/")[0]}
      search={search}
      user={user}
      mayChange={Boolean(known) && !refused}
      title={(button) => (
        <>
          <Title project={project}>{button}</Title>
          {user && refused && <p class="quiet">{refused}</p>}
        </>
      )}
      refused={(answer) => <NotThere error={answer.error} what="project" retry={answer.reload} />}
    />
  );
}
