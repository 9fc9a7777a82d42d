// `/:namespace/:project/-/labels`
import { ask, get, inProject, useApi } from "../api.mjs";
import { Answer, Empty } from "../parts/feedback.jsx";
import { Asks } from "../parts/asks.jsx";
import { Form, Opens } from "../parts/form.jsx";
import { useKnown } from "../parts/known.mjs";
import { Menu } from "../parts/menu.jsx";
import { Label } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Search } from "../parts/search.jsx";
import { withheld } from "../rights.mjs";
import { to } from "../route.mjs";
import { userOf } from "../session.mjs";

const FIELDS = [
  { name: "name", label: "Name", required: true, most: 255 },
  { name: "color", label: "Colour", type: "color" },
  { name: "description", label: "Description", most: 255 },
];

export function LabelsPage({ project, search, session }) {
  return (
    <>
      <ProjectHead project={project} tab="issues" />
      <Labels project={project} search={search} user={userOf(session)} />
    </>
  );
}

/** @param {{ project: string, children?: any }} props */
const Title = ({ project, children }) => (
  <TitleRow title={`Labels · ${project}`} heading="Labels" beside={<Beneath project={project} tab="issues" sub="labels" />}>
    {children}
  </TitleRow>
);

function Labels({ project, search, user }) {
  const { filter, place } = listQuery(search);
  const path = inProject(project, "/labels");
  const answer = useApi(path, { with_counts: true, search: filter.search, per_page: 50, ...place });
  const { known } = useKnown(project, Boolean(user));
  const refused = known && withheld("ManageLabels", known, user);
  if (answer.error?.status === 404) return <NotThere error={answer.error} what="project" />;
  const create = (values) => ask("POST", path, { body: values }).then(answer.reload);
  return (
    <>
      <Title project={project}>
        {known && !refused && (
          <Opens button="New label" primary>
            {(close) => (
              <Form
                fields={FIELDS}
                value={{ color: "#428bca" }}
                draft={`label ${project}`}
                button="Create label"
                whole
                save={create}
                onCancel={close}
              />
            )}
          </Opens>
        )}
      </Title>
      {user && refused && <p class="quiet">{refused}</p>}
      <Search label="Search labels" filter={filter} />
      <Answer of={answer} what="Loading labels">
        {(labels) =>
          labels.length ? (
            <>
              <ul class="rows">
                {labels.map((label) => (
                  <LabelRow
                    key={label.id}
                    label={label}
                    project={project}
                    path={path}
                    mayChange={known && !refused}
                    reload={answer.reload}
                  />
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={labels.length} />
            </>
          ) : (
            <Empty title={filter.search ? "No label has this in its name." : "No labels yet."} />
          )
        }
      </Answer>
    </>
  );
}

function LabelRow({ label, project, path, mayChange, reload }) {
  const one = `${path}/${label.id}`;
  const save = ({ name, ...values }, _key, { tag }) =>
    ask("PUT", one, { body: { ...values, ...(name && { new_name: name }) }, tag }).then(reload);
  const shown = (found, tag) => ({ ...found, color: found.color.toLowerCase(), tag });
  const issues = label.open_issues_count + label.closed_issues_count;
  return (
    <li class="row">
      <div class="row-main">
        <Label label={label} project={project} />
        {label.description && <span class="quiet">{label.description}</span>}
      </div>
      <div class="row-side">
        <a href={to.issues(project, { labels: label.name })}>
          {label.open_issues_count} open {label.open_issues_count === 1 ? "issue" : "issues"}
        </a>
      </div>
      {mayChange && (
        <Opens
          button={
            <>
              Edit<span class="unseen"> {label.name}</span>
            </>
          }
        >
          {(close) => (
            <Form
              fields={FIELDS}
              value={shown(label)}
              current={() => get(one).then(({ data, tag }) => shown(data, tag))}
              draft={`label ${project} ${label.id}`}
              button="Save"
              save={save}
              onCancel={close}
            />
          )}
        </Opens>
      )}
      {mayChange && (
        <Menu of={label.name}>
          <Asks
            button="Delete"
            of={label.name}
            question={`Delete ${label.name}${issues ? ` and remove it from ${issues} ${issues === 1 ? "issue" : "issues"}` : ""}?`}
            act={() => ask("DELETE", one).then(reload)}
          />
        </Menu>
      )}
    </li>
  );
}
