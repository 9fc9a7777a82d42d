// `/:namespace` and `/groups/:group`
import { useEffect, useState } from "preact/hooks";
import { get, useApi } from "../api.mjs";
import { Events } from "../parts/events.jsx";
import { Answer, Empty } from "../parts/feedback.jsx";
import { Face, Visibility } from "../parts/marks.jsx";
import { NotThere, TitleRow } from "../parts/project.jsx";
import { to } from "../route.mjs";
import { Group } from "./group.jsx";
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

export function NamespacePage({ name, group, search, session }) {
  const answer = useNamespace({ name, group }, session);
  if (answer.error) return <NotThere error={answer.error} what="user or group" retry={answer.reload} />;
  return (
    <Answer of={answer}>
      {({ user, group: found, projects }) =>
        user ? (
          <User user={user} projects={projects} session={session} />
        ) : (
          <Group group={found} session={session} search={search} changed={answer.reload}>
            <section aria-label="Projects">
              {projects.length ? (
                <ProjectList projects={projects} session={session} />
              ) : (
                <Empty title="This group has no projects that you can see." />
              )}
            </section>
          </Group>
        )
      }
    </Answer>
  );
}

function User({ user, projects, session }) {
  const isSelf = user.id === session?.user.id;
  return (
    <>
      <TitleRow
        title={user.name}
        heading={
          <>
            <Face name={user.name} /> {user.name}
          </>
        }
      >
        {isSelf && (
          <a class="button" href="/profile">
            Settings
          </a>
        )}
        {isSelf && session.id && !session.user.reads && (
          <a class="button primary" href={to.newProject({ namespace_id: user.id })}>
            New project
          </a>
        )}
      </TitleRow>
      <p class="byline quiet">
        @{user.username}
        {user.state === "blocked" && " · blocked"}
        {isSelf && " · that is you"}
      </p>
      <div class="overview">
        <section aria-labelledby="activity">
          <h2 id="activity">Activity</h2>
          <Events path={`/users/${user.id}/events`} none={`${user.name} has done nothing yet that you can see.`} />
        </section>
        <div>
          <section aria-labelledby="projects">
            <h2 id="projects">{isSelf ? "Your projects" : "Own projects"}</h2>
            {projects.length ? (
              <ProjectList projects={projects} session={session} />
            ) : (
              <p class="quiet">
                {isSelf
                  ? "You have no projects yet."
                  : `${user.name} has no projects of their own that you can see. Projects of groups are on the pages of the groups.`}
              </p>
            )}
          </section>
          {isSelf && session.id && <Groups mayMake={!session.user.reads} />}
        </div>
      </div>
    </>
  );
}

/** The API lists only one's own groups. */
function Groups({ mayMake }) {
  const answer = useApi("/groups", { min_access_level: 10, per_page: 100 });
  return (
    <section aria-labelledby="groups">
      <div class="title-row">
        <h2 id="groups">Your groups</h2>
        {mayMake && (
          <a class="button small" href={to.newGroup()}>
            New group
          </a>
        )}
      </div>
      <Answer of={answer} what="Loading groups">
        {(groups) =>
          groups.length ? (
            <ul class="rows dense">
              {groups.map((group) => (
                <li class="row" key={group.id}>
                  <a class="row-title" href={to.namespace({ kind: "group", path: group.path })}>
                    {group.name}
                  </a>
                  <Visibility of={group.visibility} />
                </li>
              ))}
            </ul>
          ) : (
            <p class="quiet">You are in no group yet.</p>
          )
        }
      </Answer>
    </section>
  );
}
