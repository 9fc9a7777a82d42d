// `/:namespace/:project/-/project_members`
import { useState } from "preact/hooks";
import { ask, inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { useSending } from "../parts/draft.jsx";
import { Answer, Empty, ForMembers, Heading, Problem } from "../parts/feedback.jsx";
import { Asks, Form, Opens } from "../parts/form.jsx";
import { useKnown } from "../parts/known.mjs";
import { Person } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { usePeople } from "../parts/people.jsx";
import { NotThere, ProjectHead } from "../parts/project.jsx";
import { Search } from "../parts/search.jsx";
import { ROLES, withheld } from "../rights.mjs";

const LEVELS = Object.entries(ROLES).map(([level, words]) => [Number(level), words]);

export function MembersPage({ project, search, session }) {
  return (
    <>
      <ProjectHead project={project} tab="members" />
      <Heading title={`Members · ${project}`}>Members</Heading>
      <ForMembers what="the members" />
      {session?.token && <Members project={project} search={search} user={session.user} />}
    </>
  );
}

function Members({ project, search, user }) {
  const { filter, place } = listQuery(search);
  const path = inProject(project, "/members");
  const answer = useApi(`${path}/all`, { query: filter.search, per_page: 50, ...place });
  const direct = useApi(path, { query: filter.search, per_page: 100 });
  const { known } = useKnown(project, true);
  const refused = known && withheld("ManageMembers", known, user);
  if (answer.error) return <NotThere error={answer.error} what="project" retry={answer.reload} />;
  const reload = () => Promise.all([answer.reload(), direct.reload()]);
  const isDirect = (member) => direct.data?.some(({ id }) => id === member.id);
  return (
    <>
      {known && !refused && (
        <Opens button="Add a member" primary>
          {(close) => <NewMember project={project} add={(body) => ask("POST", path, { body }).then(reload)} close={close} />}
        </Opens>
      )}
      {refused && <p class="quiet">{refused}</p>}
      <Search label="Search members" filter={filter} />
      <Answer of={answer} what="Loading members">
        {(members) =>
          members.length ? (
            <>
              <ul class="rows">
                {members.map((member) => (
                  <Member
                    key={member.id}
                    member={member}
                    path={path}
                    isDirect={isDirect(member)}
                    mayChange={known && !refused}
                    isSelf={member.id === user.id}
                    reload={reload}
                  />
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={members.length} />
            </>
          ) : (
            <Empty title={filter.search ? "No member has this in their name." : "No members yet."} />
          )
        }
      </Answer>
    </>
  );
}

function NewMember({ project, add, close }) {
  const [typed, setTyped] = useState("");
  const suggestions = usePeople(typed);
  const fields = [
    { name: "username", label: "Username", required: true, suggestions },
    { name: "access_level", label: "Role", type: "select", options: LEVELS },
  ];
  const save = ({ username, ...values }) => add({ ...values, username: username.trim().replace(/^@/, "") });
  return (
    <Form
      fields={fields}
      value={{ access_level: 30 }}
      draft={`member ${project}`}
      button="Add member"
      whole
      save={save}
      onCancel={close}
      onInput={(name, value) => name === "username" && setTyped(value)}
    />
  );
}

function Member({ member, path, isDirect, mayChange, isSelf, reload }) {
  const { busy, error, send } = useSending();
  const one = `${path}/${member.id}`;
  const change = (event) => {
    const body = { access_level: Number(event.target.value) };
    send(body, () => ask("PUT", one, { body }).then(reload));
  };
  const remove = () => ask("DELETE", one).then(() => (isSelf ? goTo("/") : reload()));
  return (
    <li class="row">
      <div class="row-main">
        <Person user={member} />
        <span class="quiet">
          @{member.username}
          {member.state === "blocked" && ", blocked"}
        </span>
        {!isDirect && <span class="tag">through the namespace</span>}
      </div>
      <div class="row-side">
        {isDirect && mayChange ? (
          <select class="role" aria-label={`Role of ${member.name}`} value={member.access_level} disabled={busy} onChange={change}>
            {LEVELS.map(([level, words]) => (
              <option key={level} value={level} selected={level === member.access_level}>
                {words}
              </option>
            ))}
          </select>
        ) : (
          <span>{ROLES[member.access_level] ?? member.access_level}</span>
        )}
        {isDirect && (mayChange || isSelf) && (
          <Asks
            button={isSelf ? "Leave" : "Remove"}
            of={isSelf ? "the project" : member.name}
            question={isSelf ? "Leave this project?" : `Remove ${member.name}?`}
            act={remove}
          />
        )}
      </div>
      {error && <Problem error={error} />}
    </li>
  );
}
