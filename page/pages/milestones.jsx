// `/:namespace/:project/-/milestones`
import { ask, inProject, useApi } from "../api.mjs";
import { Answer, Empty } from "../parts/feedback.jsx";
import { Form, Opens } from "../parts/form.jsx";
import { useKnown } from "../parts/known.mjs";
import { MILESTONE_FIELDS, MilestoneActions, MilestoneFacts, Progress } from "../parts/milestone.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Choice, Search } from "../parts/search.jsx";
import { withheld } from "../rights.mjs";
import { to } from "../route.mjs";
import { userOf } from "../session.mjs";

const STATES = [
  ["active", "Active"],
  ["closed", "Closed"],
  ["all", "All"],
];

export function MilestonesPage({ project, search, session }) {
  return (
    <>
      <ProjectHead project={project} tab="issues" />
      <Milestones project={project} search={search} user={userOf(session)} />
    </>
  );
}

/** @param {{ project: string, filter?: Record<string, string>, children?: any }} props */
const Title = ({ project, filter, children }) => (
  <TitleRow
    title={`Milestones · ${project}`}
    heading="Milestones"
    beside={
      <>
        <Beneath project={project} tab="issues" sub="milestones" />
        {filter && <Choice label="State" name="state" choices={STATES} filter={filter} />}
      </>
    }
  >
    {children}
  </TitleRow>
);

function Milestones({ project, search, user }) {
  const { filter, place } = listQuery(search);
  const path = inProject(project, "/milestones");
  const state = filter.state ?? "active";
  const answer = useApi(path, { state: state === "all" ? undefined : state, search: filter.search, per_page: 20, ...place });
  const { known } = useKnown(project, Boolean(user));
  const refused = known && withheld("ManageMilestones", known, user);
  if (answer.error?.status === 404) return <NotThere error={answer.error} what="project" />;
  const create = (body) => ask("POST", path, { body }).then(answer.reload);
  return (
    <>
      <Title project={project} filter={filter}>
        {known && !refused && (
          <Opens button="New milestone" primary>
            {(close) => (
              <Form
                fields={MILESTONE_FIELDS}
                draft={`milestone ${project}`}
                button="Create milestone"
                whole
                save={create}
                onCancel={close}
                project={project}
              />
            )}
          </Opens>
        )}
      </Title>
      {user && refused && <p class="quiet">{refused}</p>}
      <Search label="Search milestones" filter={filter} />
      <Answer of={answer} what="Loading milestones">
        {(milestones) =>
          milestones.length ? (
            <>
              <ul class="rows">
                {milestones.map((milestone) => (
                  <li class="row" key={milestone.id}>
                    <div class="row-main">
                      <a class="row-title" dir="auto" href={to.milestone(project, milestone.iid)}>
                        {milestone.title}
                      </a>
                      <p class="row-text">
                        <MilestoneFacts milestone={milestone} />
                      </p>
                    </div>
                    <div class="row-side">
                      <Progress project={project} milestone={milestone} />
                    </div>
                    {known && !refused && (
                      <MilestoneActions milestone={milestone} project={project} changed={answer.reload} deleted={answer.reload} />
                    )}
                  </li>
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={milestones.length} />
            </>
          ) : (
            <Empty
              title={
                filter.search
                  ? "No milestone has this in its title or description."
                  : state === "all"
                    ? "No milestones yet."
                    : `No ${state} milestones.`
              }
            />
          )
        }
      </Answer>
    </>
  );
}
