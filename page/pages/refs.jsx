// `/:namespace/:project/-/branches` and `/:namespace/:project/-/tags`
import { inProject, useApi } from "../api.mjs";
import { Answer, Empty, Heading } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Sha } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { Choice, Search } from "../parts/search.jsx";
import { Time } from "../parts/time.jsx";
import { to } from "../route.mjs";
import { CommitBuild, NoCommits } from "./commits.jsx";

const BRANCHES = {
  tab: "branches",
  title: "Branches",
  icon: "branch",
  sorts: [["name_asc", "By name"], ["updated_desc", "Newest first"], ["updated_asc", "Oldest first"]],
  query: (sort) => ({ sort }),
};
const TAGS = {
  tab: "tags",
  title: "Tags",
  icon: "tag",
  sorts: [["updated desc", "Newest first"], ["version desc", "By version"], ["name asc", "By name"]],
  query: (sort) => ({ order_by: sort?.split(" ")[0], sort: sort?.split(" ")[1] }),
};

export const BranchesPage = (given) => <RefsPage kind={BRANCHES} {...given} />;
export const TagsPage = (given) => <RefsPage kind={TAGS} {...given} />;

function RefsPage({ kind, project, search }) {
  const { filter, place } = listQuery(search);
  const path = inProject(project, `/repository/${kind.tab}`);
  const answer = useApi(path, { search: filter.search, ...kind.query(filter.sort), per_page: 30, ...place });
  if (answer.error) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  return (
    <>
      <ProjectHead project={project} tab="commits" sub={kind.tab} />
      <Heading title={`${kind.title} · ${project}`}>{kind.title}</Heading>
      <Search label={`Search ${kind.tab}`} filter={filter} />
      <Choice label="Order" name="sort" choices={kind.sorts} filter={filter} />
      <Answer of={answer} what={`Loading ${kind.tab}`}>
        {(refs) =>
          refs.length ? (
            <>
              <ul class="rows">
                {refs.map((ref) => (
                  <Ref key={ref.name} ref_={ref} icon={kind.icon} project={project} />
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

const Ref = ({ ref_: { name, commit, default: isDefault, merged, protected: isProtected, message }, icon, project }) => (
  <li class="row">
    <div class="row-main">
      <Icon name={icon} />
      <a class="row-title" href={to.commits(project, name)}>
        {name}
      </a>
      {isDefault && <span class="tag">default</span>}
      {isProtected && <span class="tag">protected</span>}
      {merged && <span class="tag">merged</span>}
      {message && <span>{message.split("\n")[0]}</span>}
      <p class="row-text">
        {commit.title}, by {commit.author_name}
      </p>
    </div>
    <div class="row-side">
      <CommitBuild project={project} sha={commit.id} />
      <Sha project={project} sha={commit.id} />
      <Time at={commit.committed_date} />
    </div>
  </li>
);
