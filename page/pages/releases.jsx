// `/:namespace/:project/-/releases`
import { ask, inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { Answer, Empty } from "../parts/feedback.jsx";
import { Opens } from "../parts/form.jsx";
import { useKnown } from "../parts/known.mjs";
import { Markdown } from "../parts/markdown.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Assets, ReleaseFacts, ReleaseForm } from "../parts/release.jsx";
import { withheld } from "../rights.mjs";
import { to } from "../route.mjs";

export function ReleasesPage({ project, search, session }) {
  const { filter, place } = listQuery(search);
  const path = inProject(project, "/releases");
  const answer = useApi(path, { per_page: 10, ...place });
  const { known } = useKnown(project, Boolean(session?.id));
  if (answer.error && !answer.data) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  const refused = known && session?.id ? withheld("ManageReleases", known, session.user) : undefined;
  return (
    <>
      <ProjectHead project={project} tab="releases" />
      <TitleRow title={`Releases · ${project}`} heading="Releases">
        {refused === null && (
          <Opens button="New release" primary open={Boolean(filter.tag)}>
            {(close) => <NewRelease project={project} path={path} tag={filter.tag} close={close} />}
          </Opens>
        )}
      </TitleRow>
      {refused && <p class="quiet">{refused}</p>}
      <Answer of={answer} what="Loading releases">
        {(releases) =>
          releases.length ? (
            <>
              {releases.map((release, at) => (
                <Release key={release.tag_name ?? at} release={release} before={releases[at + 1]?.tag_name} project={project} />
              ))}
              <Pager next={answer.next} total={answer.total} shown={releases.length} />
            </>
          ) : (
            <Empty title="No releases yet.">
              <p>A release is a tag with notes and links to what was built of it.</p>
            </Empty>
          )
        }
      </Answer>
    </>
  );
}

function NewRelease({ project, path, tag, close }) {
  const create = async (body) => {
    try {
      const { data } = await ask("POST", path, { body });
      goTo(to.release(project, data.tag_name));
    } catch (error) {
      if (error.status === 409) error.message = "This tag has a release already.";
      throw error;
    }
  };
  return (
    <ReleaseForm
      project={project}
      isNew
      value={{ tag_name: tag }}
      draft={`release ${project}`}
      button="Create release"
      whole
      save={create}
      onCancel={close}
    />
  );
}

/** `before`: the tag of the release before this one. */
const Release = ({ release, before, project }) => {
  const { tag_name: tag, name, description, assets } = release;
  return (
    <section class="card" aria-label={name}>
      <h2>
        {tag ? (
          <a class="row-title" dir="auto" href={to.release(project, tag)}>
            {name}
          </a>
        ) : (
          name
        )}
      </h2>
      <ReleaseFacts release={release} project={project} />
      {description && <Markdown text={description} project={project} />}
      {assets.count > 0 && (
        <details>
          <summary>
            Assets <span class="count">{assets.count}</span>
          </summary>
          <Assets release={release} project={project} />
        </details>
      )}
      {tag && before && (
        <p>
          <a href={to.compare(project, before, tag)}>Changes since {before}</a>
        </p>
      )}
    </section>
  );
};
