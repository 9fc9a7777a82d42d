// A group: `/groups/:group`, and `/groups/new`
import { ask, get, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { ForMembers } from "../parts/feedback.jsx";
import { Asks } from "../parts/asks.jsx";
import { Form, Opens } from "../parts/form.jsx";
import { Visibility } from "../parts/marks.jsx";
import { Members } from "../parts/members.jsx";
import { Menu } from "../parts/menu.jsx";
import { TitleRow } from "../parts/project.jsx";
import { Time } from "../parts/time.jsx";
import { to } from "../route.mjs";
import { userOf } from "../session.mjs";
import { VISIBILITIES } from "./new-project.jsx";

const FIELDS = [
  { name: "name", label: "Name", required: true, most: 255 },
  { name: "path", label: "Path", required: true, most: 255, hint: "The first part of the addresses of its projects." },
  { name: "description", label: "Description", most: 2000 },
  { name: "visibility", label: "Who can see it", type: "select", options: VISIBILITIES },
];

export const NewGroupPage = ({ session }) => (
  <>
    <TitleRow title="New group" heading="New group" />
    <ForMembers what="the form" />
    {session?.id && (
      <div class="settings">
        <Form
          fields={FIELDS}
          value={{ visibility: "private" }}
          draft="new group"
          button="Create group"
          whole
          opened
          save={(body, once) =>
            ask("POST", "/groups", { body, once }).then(({ data }) => goTo(to.namespace({ kind: "group", path: data.path })))
          }
        />
        <p class="quiet">A group has projects and members. Who is a member of the group is one in each of its projects.</p>
      </div>
    )}
  </>
);

/**
 * An answer about one group has no level of the user, so this reads lists of groups by the least level. They lack other
 * users' groups, which an administrator may change, too.
 */
function useLevel(group, user) {
  const wanted = user && !user.reads && !user.is_admin;
  const query = { search: group.path, per_page: 100 };
  const [makes, owns] = [40, 50].map((level) => useApi(wanted && "/groups", { ...query, min_access_level: level }));
  /** @param {import("../api.mjs").Asked} answer */
  const isIn = ({ data }) => Boolean(data?.some(({ id }) => id === group.id));
  const isFree = Boolean(user?.is_admin && !user.reads);
  return { makes: isFree || isIn(makes), owns: isFree || isIn(owns) };
}

/** `children`: the projects. */
export function Group({ group, session, search, changed, children }) {
  const user = userOf(session);
  const level = useLevel(group, user);
  const path = `/groups/${group.id}`;
  const save = (body) =>
    ask("PUT", path, { body }).then(({ data }) =>
      data.path === group.path ? changed() : goTo(to.namespace({ kind: "group", path: data.path }), { replace: true }),
    );
  return (
    <>
      <TitleRow
        title={group.name}
        heading={
          <>
            {group.name} <Visibility of={group.visibility} />
          </>
        }
      >
        {level.owns && (
          <Opens button="Edit">
            {(close) => (
              <Form
                fields={FIELDS}
                value={group}
                draft={`group ${group.id}`}
                button="Save"
                save={save}
                current={() => get(path, { with_projects: false }).then(({ data }) => data)}
                onCancel={close}
              />
            )}
          </Opens>
        )}
        {level.makes && (
          <a class="button primary" href={to.newProject({ namespace_id: group.id })}>
            New project
          </a>
        )}
        {level.owns && (
          <Menu of={group.name}>
            <Asks
              button="Delete"
              of={group.name}
              question={`Delete ${group.name} and all its projects for everybody?`}
              act={() => ask("DELETE", path).then(() => goTo("/"))}
            />
          </Menu>
        )}
      </TitleRow>
      <p class="byline quiet">
        <span>
          {group.full_path}, a group since <Time at={group.created_at} />
        </span>
      </p>
      {group.description && <p class="lead">{group.description}</p>}
      {children}
      {user && (
        <section aria-labelledby="members">
          <Members
            path={path}
            what="group"
            search={search}
            user={user}
            mayChange={level.owns}
            title={(button) => (
              <div class="title-row">
                <h2 id="members">Members</h2>
                {button}
              </div>
            )}
          />
        </section>
      )}
    </>
  );
}
