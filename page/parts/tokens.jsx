// Personal access tokens of one user: the list, making and revoking.
import { useState } from "preact/hooks";
import { ask, useApi } from "../api.mjs";
import { useSending } from "./draft.jsx";
import { Answer, Empty, Problem } from "./feedback.jsx";
import { Asks, Form, Opens, Secret } from "./form.jsx";
import { Choice } from "./search.jsx";
import { listQuery, Pager } from "./pager.jsx";
import { Day, Time } from "./time.jsx";

const day = (later) => new Date(Date.now() + later * 86_400_000).toISOString().slice(0, 10);
const fields = () => [
  { name: "name", label: "Name", required: true, most: 255, hint: "What the token is for." },
  {
    name: "scopes",
    label: "Scopes",
    type: "checks",
    options: [
      ["api", "api: everything that the user may do"],
      ["read_api", "read_api: only read"],
    ],
  },
  { name: "expires_at", label: "Ends on", type: "date", hint: "The token ends when this day begins in UTC. Without a date it does not end." },
];

/** `user`: whose tokens. `own`: the id of the token of this session, if it is known. */
export function Tokens({ user, own, search }) {
  const { filter, place } = listQuery(search);
  const state = filter.state ?? "active";
  const answer = useApi("/personal_access_tokens", { user_id: user.id, state, per_page: 50, ...place });
  const [made, setMade] = useState(null);
  const create = async (body, once) => {
    const { data } = await ask("POST", `/users/${user.id}/personal_access_tokens`, { body, once });
    setMade(data.token);
    answer.reload();
  };
  const replaced = (token) => {
    setMade(token);
    answer.reload();
  };
  return (
    <>
      {made && <Secret token={made} onDone={() => setMade(null)} />}
      <Opens button="New token" primary>
        {(close) => <Form fields={fields()} value={{ scopes: ["api"], expires_at: day(90) }} draft={`token ${user.id}`} button="Create token" whole save={create} onCancel={close} />}
      </Opens>
      <Choice label="State" name="state" choices={[["active", "Active"], ["inactive", "Ended or revoked"]]} filter={filter} />
      <Answer of={answer} what="Loading tokens">
        {(tokens) =>
          tokens.length ? (
            <>
              <ul class="rows">
                {tokens.map((token) => (
                  <Token key={token.id} token={token} isOwn={token.id === own} reload={answer.reload} replaced={replaced} />
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={tokens.length} />
            </>
          ) : (
            <Empty title={state === "active" ? "No active tokens." : "No token has ended or was revoked."} />
          )
        }
      </Answer>
    </>
  );
}

function Token({ token, isOwn, reload, replaced }) {
  const path = `/personal_access_tokens/${token.id}`;
  const { busy, error, send } = useSending();
  const rotate = () => send(["rotate", token.id], (once) => ask("POST", `${path}/rotate`, { body: { expires_at: token.expires_at ?? day(90) }, once }).then(({ data }) => replaced(data.token)));
  return (
    <li class="row">
      <div class="row-main">
        <b>{token.name}</b>
        {token.scopes.map((scope) => (
          <span class="tag" key={scope}>
            {scope}
          </span>
        ))}
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
        </p>
      </div>
      {token.active && (
        <div class="row-side">
          {!isOwn && (
            <button class="small" disabled={busy} onClick={rotate}>
              Replace<span class="unseen"> {token.name}</span>
            </button>
          )}
          <Asks button="Revoke" of={token.name} question={isOwn ? "Revoke the token that you signed in with? You will be signed out." : `Revoke ${token.name}? What uses it stops working.`} act={() => ask("DELETE", path).then(reload)} />
        </div>
      )}
      {error && <Problem error={error} />}
    </li>
  );
}
