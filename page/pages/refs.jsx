// `/:namespace/:project/-/branches`, `/:namespace/:project/-/tags` and `/:namespace/:project/-/tags/:tag`
import { inProject, useApi } from "../api.mjs";
import { Answer, Empty } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { useKnown } from "../parts/known.mjs";
import { Sha } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Choice, Search } from "../parts/search.jsx";
import { Time } from "../parts/time.jsx";
import { withheld } from "../rights.mjs";
import { to } from "../route.mjs";
import { CommitBuild, NoCommits, useBuilds } from "../parts/commits.jsx";

const BRANCHES = {
  tab: "branches",
  title: "Branches",
  icon: "branch",
  sorts: [
    ["name_asc", "By name"],
    ["updated_desc", "Newest first"],
    ["updated_asc", "Oldest first"],
  ],
  query: (sort) => ({ sort }),
};
const TAGS = {
  tab: "tags",
  title: "Tags",
  icon: "tag",
  sorts: [
    ["updated desc", "Newest first"],
    ["version desc", "By version"],
    ["name asc", "By name"],
  ],
  query: (sort) => ({ order_by: sort?.split(" ")[0], sort: sort?.split(" ")[1] }),
};

export const BranchesPage = (given) => <RefsPage kind={BRANCHES} {...given} />;
export const TagsPage = (given) => (given.tag ? <TagPage {...given} /> : <RefsPage kind={TAGS} {...given} />);

function RefsPage({ kind, project, search }) {
  const { filter, place } = listQuery(search);
  const path = inProject(project, `/repository/${kind.tab}`);
  const build = useBuilds(project);
  const answer = useApi(path, { search: filter.search, ...kind.query(filter.sort), per_page: 30, ...place });
  if (answer.error) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="commits" />
      <TitleRow
        title={`${kind.title} · ${project}`}
        heading={kind.title}
        beside={
          <>
            <Beneath project={project} tab="commits" sub={kind.tab} />
            <Choice label="Order" name="sort" choices={kind.sorts} filter={filter} />
          </>
        }
      />
      <Search label={`Search ${kind.tab}`} filter={filter} />
      <Answer of={answer} what={`Loading ${kind.tab}`}>
        {(refs) =>
          refs.length ? (
            <>
              <ul class="rows">
                {refs.map((ref) => (
                  <Ref key={ref.name} ref_={ref} icon={kind.icon} project={project} build={build(ref.commit)} />
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={refs.length} />
            </>
          ) : filter.search || answer.next ? (
            <>
              <Empty title="No name matches your search." />
              <Pager next={answer.next} total={answer.total} shown={0} />
            </>
          ) : kind === TAGS ? (
            <Empty title="No tags yet.">
              <p>A tag appears here when it is pushed to the git server.</p>
            </Empty>
          ) : (
            <NoCommits project={project} />
          )
        }
      </Answer>
    </>
  );
}

function TagPage({ project, tag: name, session }) {
  const { known } = useKnown(project, Boolean(session?.id));
  const mayRelease = known && session?.id && !withheld("ManageReleases", known, session.user);
  const answer = useApi(inProject(project, `/repository/tags/${encodeURIComponent(name)}`));
  if (answer.error) return <NotThere error={answer.error} what="tag" retry={answer.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="commits" />
      <TitleRow title={`${name} · ${project}`} heading={name} beside={<Beneath project={project} tab="commits" sub="tags" inside />} />
      <Answer of={answer} what="Loading the tag">
        {(tag) => (
          <>
            {tag.message && <pre class="message">{tag.message}</pre>}
            <p class="byline">
              <a href={to.tree(project, name)}>Files</a>
              {tag.release ? (
                <a href={to.release(project, name)}>Release</a>
              ) : (
                mayRelease && <a href={to.releases(project, { tag: name })}>Make a release</a>
              )}
            </p>
            <ul class="rows">
              <Ref
                ref_={{ ...tag, message: null }}
                icon="tag"
                project={project}
                build={<CommitBuild project={project} sha={tag.commit.id} />}
              />
            </ul>
          </>
        )}
      </Answer>
    </>
  );
}

const Ref = ({ ref_: { name, commit, default: isDefault, merged, protected: isProtected, message, release }, icon, project, build }) => (
  <li class="row">
    <div class="row-main">
      <Icon name={icon} />
      <a class="row-title" href={to.commits(project, name)}>
        {name}
      </a>
      {isDefault && <span class="tag">default</span>}
      {isProtected && <span class="tag">protected</span>}
      {merged && <span class="tag">merged</span>}
      {release && (
        <a class="tag" href={to.release(project, name)}>
          release
        </a>
      )}
      {message && <span>{message.split("\n")[0]}</span>}
      <p class="row-text">
        {commit.title}, by {commit.author_name}
      </p>
    </div>
    <div class="row-side">
      {!isDefault && (
        <a href={icon === "tag" ? to.compare(project, name, "HEAD") : to.compare(project, "HEAD", name)}>
          {icon === "tag" ? "Commits since" : "Compare"}
          <span class="unseen"> {name}</span>
        </a>
      )}
      {build}
      <Sha project={project} sha={commit.id} />
      <Time at={commit.committed_date} />
    </div>
  </li>
);
