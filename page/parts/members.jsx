// Members of a project or a group: the list, a new one, roles.
import { useState } from "preact/hooks";
import { ask, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { ROLES } from "../rights.mjs";
import { useSending } from "./draft.jsx";
import { Answer, Empty, Problem } from "./feedback.jsx";
import { Asks } from "./asks.jsx";
import { Form, Opens } from "./form.jsx";
import { Person } from "./marks.jsx";
import { Menu } from "./menu.jsx";
import { listQuery, Pager } from "./pager.jsx";
import { usePeople } from "./people.jsx";
import { Search } from "./search.jsx";

const LEVELS = Object.entries(ROLES).map(([level, words]) => [Number(level), words]);

/**
 * `path`: that of the project or group in the API, `what`: which of the two it is, `owner`: who stays a member, `user`: null for a visitor, `title`: gets the button for a new member.
 * @param {{ path: string, what: "project" | "group", owner?: string, search: string, user: any, mayChange: boolean, title: (button: any) => any, refused?: (error: any) => any }} props
 */
export function Members({ path: of, what, owner, search, user, mayChange, title, refused }) {
  const { filter, place } = listQuery(search);
  const path = `${of}/members`;
  const answer = useApi(`${path}/all`, { query: filter.search, per_page: 50, ...place });
  const direct = useApi(what === "project" && path, { query: filter.search, per_page: 100 });
  if (answer.error && refused) return refused(answer);
  const reload = () => Promise.all([answer.reload(), direct.reload()]);
  // a group has no members through another one
  const isDirect = (member) => what === "group" || (member.username !== owner && direct.data?.some(({ id }) => id === member.id));
  const add = (body) => ask("POST", path, { body }).then(reload);
  return (
    <>
      {title(
        mayChange && (
          <Opens button="Add a member" primary={what === "project"}>
            {(close) => <NewMember name={of} add={add} close={close} />}
          </Opens>
        ),
      )}
      {(what === "project" || answer.next || filter.search) && <Search label="Search members" filter={filter} />}
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
                    what={what}
                    isDirect={isDirect(member)}
                    mayChange={mayChange}
                    isSelf={member.id === user?.id}
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

function NewMember({ name, add, close }) {
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
      draft={`member ${name}`}
      button="Add member"
      whole
      save={save}
      onCancel={close}
      onInput={(name, value) => name === "username" && setTyped(value)}
    />
  );
}

function Member({ member, path, what, isDirect, mayChange, isSelf, reload }) {
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
        {!isDirect && <span class="tag">inherited</span>}
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
          <Menu of={member.name}>
            <Asks
              button={isSelf ? "Leave" : "Remove"}
              of={isSelf ? `the ${what}` : member.name}
              question={isSelf ? `Leave this ${what}?` : `Remove ${member.name}?`}
              act={remove}
            />
          </Menu>
        )}
      </div>
      {error && <Problem error={error} />}
    </li>
  );
}
