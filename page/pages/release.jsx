// `/:namespace/:project/-/releases/:tag`
import { ask, get, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Answer } from "../parts/feedback.jsx";
import { Asks } from "../parts/asks.jsx";
import { Opens } from "../parts/form.jsx";
import { useKnown } from "../parts/known.mjs";
import { Markdown } from "../parts/markdown.jsx";
import { Menu } from "../parts/menu.jsx";
import { NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Assets, NewLink, ReleaseFacts, releaseOf, ReleaseForm, valuesOf } from "../parts/release.jsx";
import { withheld } from "../rights.mjs";
import { to } from "../route.mjs";

export function ReleasePage({ project, tag, edit, session }) {
  const path = releaseOf(project, tag);
  const answer = useApi(path);
  const { known } = useKnown(project, Boolean(session?.id));
  if (answer.error && !answer.data) return <NotThere error={answer.error} what="release" retry={answer.reload} />;
  const mayChange = known && session?.id && !withheld("ManageReleases", known, session.user);
  return (
    <>
      <ProjectHead project={project} tab="releases" />
      {/* the form that is open at first takes the place of what is below it */}
      <Answer of={edit && session?.id && !known ? {} : answer} what="Loading the release">
        {(release) => (
          <>
            <TitleRow title={`${release.name} · ${project}`} heading={release.name}>
              {mayChange && <Actions release={release} project={project} path={path} open={Boolean(edit)} changed={answer.set} />}
            </TitleRow>
            <ReleaseFacts release={release} project={project} />
            <Notes release={release} project={project} />
            <h2>Assets</h2>
            <Assets release={release} project={project} change={mayChange ? answer.reload : undefined} />
            {mayChange && <NewLink project={project} tag={tag} change={answer.reload} />}
          </>
        )}
      </Answer>
    </>
  );
}

const Notes = ({ release: { tag_name: tag, description }, project }) => (
  <>
    <h2>Notes</h2>
    <div class="card">{description ? <Markdown text={description} project={project} /> : <p class="quiet">No notes.</p>}</div>
    {tag && (
      <p>
        <a href={to.compare(project, tag, "HEAD")}>Commits since this release</a>
      </p>
    )}
  </>
);

const Actions = ({ release, project, path, open, changed }) => {
  const save = (body) => ask("PUT", path, { body }).then(({ data }) => changed(data));
  const current = () => get(path).then(({ data }) => valuesOf(data));
  return (
    <>
      <Opens button="Edit" open={open}>
        {(close) => (
          <ReleaseForm
            project={project}
            value={valuesOf(release)}
            current={current}
            draft={path}
            button="Save"
            save={save}
            onCancel={close}
          />
        )}
      </Opens>
      <Menu of="this release">
        <Asks
          button="Delete"
          of="this release"
          question="Delete this release and its links? The tag stays."
          act={() => ask("DELETE", path).then(() => goTo(to.releases(project)))}
        />
      </Menu>
    </>
  );
};
