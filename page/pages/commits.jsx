// `/:namespace/:project/-/commits/:ref`
import { inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { CommitList, NoCommits } from "../parts/commits.jsx";
import { useDensity } from "../parts/density.jsx";
import { Answer, Empty } from "../parts/feedback.jsx";
import { useKnown } from "../parts/known.mjs";
import { Live } from "../parts/live.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { useTouched } from "../parts/seen.mjs";
import { keepTrail } from "../parts/trail.mjs";
import { to } from "../route.mjs";

/** Tags are fetched once the user has touched the page, because the user may then open the list. */
function Refs({ project, current }) {
  const touched = useTouched();
  const { data: branches } = useApi(inProject(project, "/repository/branches"), { per_page: 100 });
  const { data: tags } = useApi(touched && inProject(project, "/repository/tags"), { per_page: 100 });
  const groups = [
    ["Branches", branches ?? []],
    ["Tags", tags ?? []],
  ].map(([label, list]) => [label, list.map(({ name }) => name)]);
  const isListed = groups.some(([, names]) => names.includes(current));
  return (
    <label>
      <span class="unseen">Branch or tag</span>
      <select value={current} onChange={(event) => goTo(to.commits(project, event.currentTarget.value))}>
        {!isListed && <option>{current}</option>}
        {groups.map(
          ([label, names]) =>
            names.length > 0 && (
              <optgroup key={label} label={label}>
                {names.map((name) => (
                  <option key={name} selected={name === current}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ),
        )}
      </select>
    </label>
  );
}

/** Those before the first that is shown already. */
function newCommits(before, now) {
  const known = new Set(before.map(({ id }) => id));
  const at = now.findIndex(({ id }) => known.has(id));
  const count = at < 0 ? now.length : at;
  return count ? `${count} new ${count === 1 ? "commit" : "commits"}` : null;
}

export function CommitsPage({ project: path, branch: named, search }) {
  const project = useKnown(path, !named);
  // the first push may have arrived since the project was stored
  const isNew = !named && project.known && !project.known.default_branch;
  const fresh = useApi(isNew && inProject(path));
  const branch = named ?? project.known?.default_branch ?? fresh.data?.default_branch;
  const { filter, place } = listQuery(search);
  const [dense, density] = useDensity();
  const list = inProject(path, "/repository/commits");
  const query = { ref_name: branch, author: filter.author, path: filter.path, per_page: dense ? 50 : 20 };
  const answer = useApi(branch ? list : null, { ...query, ...place });
  if (answer.data) keepTrail(list, query, place, { commits: answer.data, next: answer.next });
  // the list of a ref that does not exist is empty, like that of a filter
  const isBare = answer.data?.length === 0 && named && !Object.keys({ ...filter, ...place }).length;
  const tip = useApi(isBare ? `${list}/${encodeURIComponent(branch)}` : null, { stats: false });
  const error = project.error ?? fresh.error ?? answer.error ?? tip.error;
  if (error) return <NotThere error={error} what={tip.error ? "branch, tag or commit" : "project"} retry={answer.reload} />;
  const empty = fresh.data && !branch;
  return (
    <>
      <ProjectHead project={path} tab="commits" />
      <TitleRow
        title={`Commits${branch ? ` of ${branch}` : ""} · ${path}`}
        heading={`Commits${branch ? ` of ${branch}` : ""}`}
        beside={<Beneath project={path} tab="commits" />}
      >
        {branch && (
          <div class="actions">
            <Refs project={path} current={branch} />
            {density}
          </div>
        )}
      </TitleRow>
      {empty ? (
        <NoCommits project={path} />
      ) : (
        <>
          {filter.path && (
            <p class="chips">
              <span class="chip">
                Path: {filter.path}
                <a href={to.commits(path, branch)} aria-label={`Remove the filter Path ${filter.path}`}>
                  ×
                </a>
              </span>
            </p>
          )}
          <Live of={answer} words={newCommits} />
          <Answer of={answer} what="Loading commits">
            {(commits) =>
              commits.length ? (
                <>
                  <CommitList commits={commits} project={path} builds />
                  <Pager next={answer.next} total={null} shown={commits.length} />
                </>
              ) : (
                <Empty title="There are no commits to show." />
              )
            }
          </Answer>
        </>
      )}
    </>
  );
}
