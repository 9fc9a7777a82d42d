// `/:namespace` and `/groups/:group`
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.mjs";
import { Answer, Empty, Heading } from "../parts/feedback.jsx";
import { Face, Person, Visibility } from "../parts/marks.jsx";
import { NotThere } from "../parts/project.jsx";
import { Time } from "../parts/time.jsx";
import { ROLES } from "../rights.mjs";
import { to } from "../route.mjs";
import { ProjectList } from "./home.jsx";

/** The name may be a user's or a group's. Looks for a user first. */
async function find({ name, group }, session, signal) {
  if (name) {
    const { data: users } = await get("/users", { username: name }, { signal });
    if (users.length) {
      // of oneself also those of groups
      const isSelf = users[0].id === session?.user.id;
      const { data: projects } = await get(
        isSelf ? "/projects" : `/users/${users[0].id}/projects`,
        { membership: isSelf || undefined, order_by: "last_activity_at", per_page: 100 },
        { signal },
      );
      return { user: users[0], projects };
    }
  }
  const { data } = await get(`/groups/${encodeURIComponent(group ?? name)}`, {}, { signal });
  return { group: data, projects: data.projects ?? [] };
}

function useNamespace(names, session) {
  const [state, setState] = useState(/** @type {import("../api.mjs").Answered} */ ({}));
  const [round, setRound] = useState(0);
  useEffect(() => {
    const aborter = new AbortController();
    setState({});
    find(names, session, aborter.signal).then(
      (data) => setState({ data }),
      (error) => error.name === "AbortError" || setState({ error }),
    );
    return () => aborter.abort();
  }, [names.name, names.group, session?.user.id, round]);
  return { ...state, reload: () => setRound(round + 1) };
}

export function NamespacePage({ name, group, session }) {
  const answer = useNamespace({ name, group }, session);
  if (answer.error) return <NotThere error={answer.error} what="user or group" retry={answer.reload} />;
  return (
    <Answer of={answer}>
      {({ user, group: found, projects }) => (
        <>
          {user ? <UserHead user={user} session={session} /> : <GroupHead group={found} />}
          <div class="title-row">
            <h2>{user && user.id === session?.user.id ? "Your projects" : user ? "Own projects" : "Projects"}</h2>
            {session?.token && !session.user.reads && (found || user.id === session.user.id) && (
              <a class="button" href={to.newProject({ namespace_id: (found ?? user).id })}>
                New project
              </a>
            )}
          </div>
          {projects.length ? (
            <ProjectList projects={projects} session={session} />
          ) : (
            <Empty
              title={
                user
                  ? user.id === session?.user.id
                    ? "You have no projects yet."
                    : `${user.name} has no projects of their own that you can see.`
                  : "This group has no projects that you can see."
              }
            >
              {user && user.id !== session?.user.id && <p>Projects of groups are on the pages of the groups.</p>}
            </Empty>
          )}
          {found && <Members group={found} session={session} />}
        </>
      )}
    </Answer>
  );
}

const UserHead = ({ user, session }) => (
  <>
    <Heading title={user.name}>
      <Face name={user.name} /> {user.name}
    </Heading>
    <p class="quiet">
      @{user.username}
      {user.state === "blocked" && " · blocked"}
      {session?.user.id === user.id && " · that is you"}
    </p>
  </>
);

const GroupHead = ({ group }) => (
  <>
    <Heading title={group.name}>
      {group.name} <Visibility of={group.visibility} />
    </Heading>
    <p class="quiet">
      {group.full_path}, a group since <Time at={group.created_at} />
    </p>
    {group.description && <p class="lead">{group.description}</p>}
  </>
);

function Members({ group, session }) {
  const [members, setMembers] = useState(/** @type {any} */ (null));
  useEffect(() => {
    if (!session?.token) return;
    get(`/groups/${group.id}/members`, { per_page: 100 }).then(
      ({ data }) => setMembers(data),
      () => setMembers(null),
    );
  }, [group.id, session?.token]);
  if (!members?.length) return null;
  return (
    <section aria-labelledby="members">
      <h2 id="members">Members</h2>
      <ul class="rows">
        {members.map((member) => (
          <li class="row" key={member.id}>
            <Person user={member} />
            <span class="quiet">{ROLES[member.access_level]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
