// Tokens of a user or a project: the list, making, replacing and revoking.
import { useRef, useState } from "preact/hooks";
import { ask, useApi } from "../api.mjs";
import { ROLES } from "../rights.mjs";
import { Answer, Empty } from "./feedback.jsx";
import { Asks } from "./asks.jsx";
import { Form, Opens } from "./form.jsx";
import { Choice } from "./search.jsx";
import { Menu } from "./menu.jsx";
import { listQuery, Pager } from "./pager.jsx";
import { Secret, useSecret } from "./secret.jsx";
import { Day, Time } from "./time.jsx";

export const day = (later) => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10);

const EXPIRY = {
  name: "expires_at",
  label: "Ends on",
  type: "date",
  hint: "The token ends when this day begins in UTC. Without a date it does not end.",
};
const NAME = { name: "name", label: "Name", required: true, most: 255, hint: "What the token is for." };
/** What a token is for, which is its scope. None is chosen beforehand. */
const use = (options) => ({ name: "scopes", label: "What it is for", type: "one", options });
const USES_OF_USER = [
  ["read_api", "Only read"],
  ["api", "Everything that the user may do"],
];

/**
 * `user`: whose tokens. `own`: the id of the token that started this session, if it is known.
 * @param {{ user: any, own?: number, search: string, heading: any, children?: any }} props
 */
export const Tokens = ({ user, own, search, heading, children }) => (
  <TokenList
    heading={heading}
    list="/personal_access_tokens"
    query={{ user_id: user.id }}
    create={`/users/${user.id}/personal_access_tokens`}
    fields={[NAME, use(USES_OF_USER), EXPIRY]}
    first={{ expires_at: day(90) }}
    own={own}
    search={search}
  >
    {children}
  </TokenList>
);

/**
 * `heading`: the element with the title of the list. `steps(token)`: what a trust shows to copy. `list`: the address of the tokens, `create`: where they are made, `fields` and `first`: of a new one, `states`: the name of the choice.
 * @param {Record<string, any>} props
 */
export function TokenList({
  heading,
  list,
  query = {},
  create = list,
  fields,
  first,
  own,
  search,
  button = "New token",
  states = "State",
  replaces = true,
  primary = true,
  steps,
  children,
}) {
  const { filter, place } = listQuery(search);
  const state = filter.state ?? "active";
  const answer = useApi(list, { ...query, state, per_page: 50, ...place });
  const [made, setMade] = useSecret(create);
  const row = useRef(/** @type {any} */ (null));
  const copied = () => {
    setMade(null);
    row.current.querySelector("button, select").focus();
  };
  const show = ({ data }) => {
    setMade(data.token);
    answer.reload();
  };
  return (
    <>
      <div class="title-row" ref={row}>
        {heading}
        <Choice
          label={states}
          name="state"
          choices={[
            ["active", "Active"],
            ["inactive", "Ended or revoked"],
          ]}
          filter={filter}
        />
        <Opens button={button} primary={primary}>
          {(close) => (
            <Form
              fields={fields}
              value={first}
              draft={`token ${create}`}
              button="Create token"
              whole
              save={(body, once) => ask("POST", create, { body, once }).then(show)}
              onCancel={close}
            />
          )}
        </Opens>
      </div>
      {made && <Secret token={made} onDone={copied} />}
      <Answer of={answer} what="Loading tokens">
        {(tokens) =>
          tokens.length ? (
            <>
              <ul class="rows">
                {tokens.map((token) => (
                  <Token
                    key={token.id}
                    token={token}
                    path={`${list}/${token.id}`}
                    isOwn={token.id === own}
                    reload={answer.reload}
                    replaced={replaces && show}
                    steps={steps}
                  />
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={tokens.length} />
            </>
          ) : (
            <Empty title={state === "active" ? "No active tokens." : "No token has ended or was revoked."} />
          )
        }
      </Answer>
      {typeof children === "function" ? children(answer.reload) : children}
    </>
  );
}

function Token({ token, path, isOwn, reload, replaced, steps }) {
  const [keeps, setKeeps] = useState(false);
  const rotate = (once) =>
    ask("POST", `${path}/rotate`, { body: { expires_at: token.expires_at ?? day(90), keep_old_for_a_day: keeps }, once }).then(replaced);
  return (
    <li class="row">
      <div class="row-main">
        <b class="row-title">{token.name}</b>
        {token.scopes.map((scope) => (
          <span class="tag" key={scope}>
            {scope}
          </span>
        ))}
        {ROLES[token.access_level] && <span class="tag">{ROLES[token.access_level]}</span>}
        {token.cross_project && <span class="tag">other projects, too</span>}
        {token.issuer && <span class="tag">without a secret</span>}
        {isOwn && <span class="tag">this session</span>}
        <p class="row-text">
          made <Time at={token.created_at} />,{" "}
          {token.revoked ? (
            "revoked"
          ) : token.expires_at ? (
            <>
              {token.active ? "ends" : "ended"} <Day at={token.expires_at} />
            </>
          ) : (
            "does not end"
          )}
          {", "}
          {token.last_used_at ? (
            <>
              last used <Time at={token.last_used_at} />
            </>
          ) : (
            "never used"
          )}
        </p>
        {token.issuer && (
          <p class="row-text">
            trusts {token.issuer} with {token.claims.join(", ")}, audience <code>{token.audience}</code>
          </p>
        )}
        {token.issuer && token.active && (
          <details>
            <summary>The step to copy</summary>
            {steps(token)}
          </details>
        )}
      </div>
      {token.active && (
        <div class="row-side">
          {replaced && !isOwn && !token.issuer && (
            <Asks
              button="Replace"
              of={token.name}
              question={`Replace ${token.name}? You get a new token once. The old one stops working ${keeps ? "in 24 hours" : "now"}.`}
              act={rotate}
            >
              <label class="check">
                <input type="checkbox" checked={keeps} onChange={(event) => setKeeps(event.currentTarget.checked)} />
                Let the old one work for 24 hours more
              </label>
            </Asks>
          )}
          <Menu of={token.name}>
            <Asks
              button="Revoke"
              of={token.name}
              question={
                isOwn
                  ? "Revoke the token that you signed in with? You will be signed out."
                  : `Revoke ${token.name}? What uses it stops working.`
              }
              act={() => ask("DELETE", path).then(reload)}
            />
          </Menu>
        </div>
      )}
    </li>
  );
}

const USES_OF_PROJECT = [
  ["statuses", "Report builds"],
  ["statuses,read_api", "Report builds, and read (for Jenkins)"],
  ["deployments", "Report deployments"],
  ["read_api", "Only read"],
  ["api", "Everything that its role may do in this project"],
];
const LEVELS = Object.entries(ROLES)
  .filter(([level]) => Number(level) < 50)
  .map(([level, words]) => [Number(level), words]);

/** Tokens that only open this project. */
export const ProjectTokens = ({ path, search, heading, steps, children }) => (
  <TokenList
    heading={heading}
    list={`${path}/access_tokens`}
    fields={[NAME, { name: "access_level", label: "Role", type: "select", options: LEVELS }, use(USES_OF_PROJECT), EXPIRY]}
    first={{ access_level: 30, expires_at: day(90) }}
    steps={steps}
    search={search}
  >
    {children}
  </TokenList>
);

const CROSS = { name: "cross_project", label: "Commits also close issues of other projects, where you may edit them", type: "check" };

/** Tokens of the hook that sends the commits. */
export const HookTokens = ({ path, search, heading, children }) => (
  <TokenList
    heading={heading}
    list={`${path}/hook_tokens`}
    fields={[NAME, CROSS, EXPIRY]}
    first={{}}
    search={search}
    button="New token of a hook"
    states="State of the hook's tokens"
    replaces={false}
    primary={false}
  >
    {children}
  </TokenList>
);
