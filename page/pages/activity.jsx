// `/:namespace/:project/-/activity`
import { inProject } from "../api.mjs";
import { Events } from "../parts/events.jsx";
import { Beneath, ProjectHead, TitleRow } from "../parts/project.jsx";

export const ActivityPage = ({ project }) => (
  <>
    <ProjectHead project={project} tab="project" />
    <TitleRow title={`Activity · ${project}`} heading="Activity" beside={<Beneath project={project} tab="project" sub="activity" />} />
    <Events path={inProject(project, "/events")} project={project} none="Nothing has happened here that you can see." />
  </>
);
