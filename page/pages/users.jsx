// `/admin/users`
import { ask, useApi } from "../api.mjs";
import { useSending } from "../parts/draft.jsx";
import { Answer, Empty, ForMembers, Heading, Problem } from "../parts/feedback.jsx";
import { Asks } from "../parts/asks.jsx";
import { Form, Opens } from "../parts/form.jsx";
import { Menu } from "../parts/menu.jsx";
import { Person } from "../parts/marks.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { TitleRow } from "../parts/project.jsx";
import { Choice, Search } from "../parts/search.jsx";
import { Secret, useSecret } from "../parts/secret.jsx";
import { Time } from "../parts/time.jsx";
import { day, Tokens } from "../parts/tokens.jsx";
import { withQuery } from "../route.mjs";
import { AdminTabs } from "./admin.jsx";

const FIELDS = [
  { name: "name", label: "Name", required: true, most: 255 },
  { name: "username", label: "Username", required: true, most: 255, hint: "Also the address of their own projects." },
  { name: "email", label: "E-mail", type: "email", required: true },
  { name: "projects_limit", label: "Own projects at most", type: "number", hint: "If it is empty, the server's setting applies." },
  { name: "admin", label: "Administrator", type: "check" },
  { name: "external", label: "External: sees only public projects and their own", type: "check" },
];
const KINDS = [
  ["all", "All"],
  ["active", "Active"],
  ["blocked", "Blocked"],
  ["admins", "Administrators"],
];

export function UsersPage({ search, session }) {
  const named = new URLSearchParams(search).get("tokens");
  return (
    <>
      <AdminTabs current="users" />
      {session?.id && session.user.is_admin ? (
        named ? (
          <TokensOf id={named} search={search} />
        ) : (
          <Users search={search} own={session.user.id} />
        )
      ) : (
        <>
          <TitleRow title="Users" heading="Users" />
          <ForMembers what="the users" />
          {session?.id && <Empty title="Only administrators can manage users." />}
        </>
      )}
    </>
  );
}

const body = ({ projects_limit, ...values }) => ({
  ...values,
  ...(projects_limit !== undefined && { projects_limit: Number(projects_limit) }),
});

function Users({ search, own }) {
  const { filter, place } = listQuery(search);
  const kind = filter.kind ?? "all";
  const answer = useApi("/users", { search: filter.search, [kind]: kind === "all" ? undefined : true, per_page: 30, ...place });
  const [made, setMade] = useSecret("/users");
  // a new user can do nothing without a token, so one is made at once
  const create = async (values) => {
    const { data } = await ask("POST", "/users", { body: { ...body(values), skip_confirmation: true } });
    const { data: token } = await ask("POST", `/users/${data.id}/personal_access_tokens`, {
      body: { name: "first", scopes: ["api"], expires_at: day(90) },
    });
    setMade({ name: data.name, token: token.token });
    answer.reload();
  };
  return (
    <>
      <TitleRow title="Users" heading="Users" beside={<Choice label="Kind" name="kind" choices={KINDS} filter={filter} />}>
        <Opens button="New user" primary>
          {(close) => <Form fields={FIELDS} draft="new user" button="Create user" whole save={create} onCancel={close} />}
        </Opens>
      </TitleRow>
      {made && (
        <>
          <p>Give this token to {made.name}. With it they sign in, and make others. It ends in 90 days.</p>
          <Secret token={made.token} onDone={() => setMade(null)} />
        </>
      )}
      <Search label="Search users" filter={filter} />
      <Answer of={answer} what="Loading users">
        {(users) =>
          users.length ? (
            <>
              <ul class="rows">
                {users.map((user) => (
                  <User key={user.id} user={user} isSelf={user.id === own} reload={answer.reload} />
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={users.length} />
            </>
          ) : (
            <Empty title="No user is like this." />
          )
        }
      </Answer>
    </>
  );
}

/** `/admin/users?tokens=7`: the tokens of that user. */
function TokensOf({ id, search }) {
  const answer = useApi(`/users/${encodeURIComponent(id)}`);
  if (answer.error?.status === 404) return <Empty title="There is no such user." />;
  return (
    <Answer of={answer} what="Loading the user">
      {(user) => (
        <Tokens user={user} search={search} heading={<Heading title={`Tokens of ${user.name}`}>Tokens of {user.name}</Heading>}>
          <p class="quiet">
            Give a new token to {user.name}, who signs in with it. <a href="/admin/users">All users</a>
          </p>
        </Tokens>
      )}
    </Answer>
  );
}

function User({ user, isSelf, reload }) {
  const { busy, error, send } = useSending();
  const path = `/users/${user.id}`;
  const isBlocked = user.state !== "active";
  const save = (values) => ask("PUT", path, { body: body(values) }).then(reload);
  return (
    <li class="row">
      <div class="row-main">
        <Person user={user} />
        <span class="quiet">@{user.username}</span>
        {user.is_admin && <span class="tag">administrator</span>}
        {user.external && <span class="tag">external</span>}
        {isBlocked && <span class="tag">blocked</span>}
        <p class="row-text">
          {user.email}, since <Time at={user.created_at} />
        </p>
      </div>
      <div class="row-side">
        {!isBlocked && (
          <a class="button small" href={withQuery("/admin/users", { tokens: user.id })}>
            Tokens<span class="unseen"> of {user.name}</span>
          </a>
        )}
        {!isSelf && isBlocked && (
          <button
            class="small"
            disabled={busy}
            onClick={() => send(["unblock", user.id], () => ask("POST", `${path}/unblock`).then(reload))}
          >
            Unblock<span class="unseen"> {user.name}</span>
          </button>
        )}
      </div>
      <Opens
        button={
          <>
            Edit<span class="unseen"> {user.name}</span>
          </>
        }
      >
        {(close) => (
          <Form
            fields={FIELDS}
            value={{ ...user, admin: user.is_admin }}
            draft={`user ${user.id}`}
            button="Save"
            save={save}
            onCancel={close}
          />
        )}
      </Opens>
      {!isSelf && !isBlocked && (
        <Menu of={user.name}>
          <Asks
            button="Block"
            of={user.name}
            question={`Block ${user.name}? Their tokens stop working.`}
            act={() => ask("POST", `${path}/block`).then(reload)}
          />
        </Menu>
      )}
      {error && <Problem error={error} />}
    </li>
  );
}
