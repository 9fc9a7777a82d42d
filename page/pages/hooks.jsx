// `/:namespace/:project/-/hooks` and `/:namespace/:project/-/hooks/:id`
import { useState } from "preact/hooks";
import { ask, get, inProject, useApi } from "../api.mjs";
import { goTo } from "../navigate.mjs";
import { useSending } from "../parts/draft.jsx";
import { Answer, Empty, ForMembers, Problem } from "../parts/feedback.jsx";
import { Asks } from "../parts/asks.jsx";
import { Form, Opens } from "../parts/form.jsx";
import { EVENTS, fieldsOf, parametersOf, valuesOf } from "../parts/hook-fields.mjs";
import { useKnown } from "../parts/known.mjs";
import { Menu } from "../parts/menu.jsx";
import { listQuery, Pager } from "../parts/pager.jsx";
import { Beneath, NotThere, ProjectHead, TitleRow } from "../parts/project.jsx";
import { Choice } from "../parts/search.jsx";
import { Time } from "../parts/time.jsx";
import { withheld } from "../rights.mjs";
import { to } from "../route.mjs";
import { Trial } from "./hook-trial.jsx";

export function HooksPage({ project, id, search, session }) {
  const { known, error } = useKnown(project, Boolean(session?.id));
  if (error) return <NotThere error={error} what="project" />;
  // hooks and tokens need the same level
  const refused = known && withheld("ManageHooks", known, session.user);
  return (
    <>
      <ProjectHead project={project} tab="settings" />
      {(!session?.id || !known || refused) && <Title project={project} />}
      <ForMembers what="the web hooks" />
      {refused && <Empty title={refused} />}
      {session?.id && !refused && (
        <Answer of={{ data: known }}>
          {() => (id ? <OneHook project={project} id={id} search={search} /> : <Hooks project={project} search={search} />)}
        </Answer>
      )}
    </>
  );
}

/** @param {{ project: string, children?: any }} props */
const Title = ({ project, children }) => (
  <TitleRow title={`Web hooks · ${project}`} heading="Web hooks" beside={<Beneath project={project} tab="settings" sub="hooks" />}>
    {children}
  </TitleRow>
);

function Hooks({ project, search }) {
  const { place } = listQuery(search);
  const path = inProject(project, "/hooks");
  const answer = useApi(path, { per_page: 50, ...place });
  const create = (values) =>
    ask("POST", path, { body: { ...parametersOf({ events: [], ...values }) } }).then(({ data }) => goTo(to.hook(project, data.id)));
  return (
    <>
      <Title project={project}>
        <Opens button="New web hook" primary>
          {(close) => (
            <Form
              fields={fieldsOf(true)}
              value={{ events: ["push_events"] }}
              draft={`hook ${project}`}
              button="Add web hook"
              whole
              save={create}
              onCancel={close}
            />
          )}
        </Opens>
      </Title>
      <p class="quiet">A web hook is an address that this server calls when something happens in the project.</p>
      <Answer of={answer} what="Loading web hooks">
        {(hooks) =>
          hooks.length ? (
            <>
              <ul class="rows">
                {hooks.map((hook) => (
                  <li class="row" key={hook.id}>
                    <div class="row-main">
                      <a class="row-title" href={to.hook(project, hook.id)}>
                        {hook.name || hook.url}
                      </a>
                      <Health hook={hook} />
                      <p class="row-text">
                        {hook.name && `${hook.url} · `}
                        <Called hook={hook} />
                      </p>
                    </div>
                    <div class="row-side quiet">
                      made <Time at={hook.created_at} />
                    </div>
                  </li>
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={hooks.length} />
            </>
          ) : (
            <Empty title="No web hooks yet." />
          )
        }
      </Answer>
    </>
  );
}

const Called = ({ hook }) => {
  const words = EVENTS.filter(([name]) => hook[name]).map(([, label]) => label.toLowerCase());
  return <>{words.length ? `called for ${words.join(", ")}` : "called for nothing"}</>;
};

const Health = ({ hook: { alert_status, disabled_until } }) => {
  if (alert_status === "disabled") return <span class="mark build-failed">off: it failed too often</span>;
  if (alert_status === "temporarily_disabled") {
    return (
      <span class="mark build-pending">
        waits
        {disabled_until && (
          <>
            {" "}
            until <Time at={disabled_until} />
          </>
        )}
        : it failed several times
      </span>
    );
  }
  return null;
};

function OneHook({ project, id, search }) {
  const path = inProject(project, `/hooks/${id}`);
  const answer = useApi(path);
  const [round, setRound] = useState(0);
  if (answer.error && !answer.data) return <NotThere error={answer.error} what="web hook" retry={answer.reload} />;
  const tried = () => {
    setRound((count) => count + 1);
    answer.reload();
  };
  const shown = ({ data }) => valuesOf(data);
  const save = (values) => ask("PUT", path, { body: parametersOf(values) }).then(({ data }) => answer.set(data));
  return (
    <Answer of={answer} what="Loading the web hook">
      {(hook) => (
        <>
          <TitleRow
            title={`${hook.name || hook.url} · ${project}`}
            heading={hook.name || hook.url}
            beside={<Beneath project={project} tab="settings" sub="hooks" inside />}
          >
            <Opens button="Edit">
              {(close) => (
                <Form
                  fields={fieldsOf(false)}
                  value={valuesOf(hook)}
                  draft={`hook ${project} ${id}`}
                  button="Save"
                  save={save}
                  current={() => get(path).then(shown)}
                  onCancel={close}
                />
              )}
            </Opens>
            <Menu of="this web hook">
              <Asks
                button="Delete"
                of="this web hook"
                question="Delete this web hook? What waits to be sent goes with it."
                act={() => ask("DELETE", path).then(() => goTo(to.hooks(project)))}
              />
            </Menu>
          </TitleRow>
          <p class="byline">
            <Health hook={hook} />
            {hook.name && <span>{hook.url}</span>}
            <span class="quiet">
              <Called hook={hook} />
            </span>
            {hook.token_present && <span class="tag">secret token</span>}
            {hook.signing_token_present && <span class="tag">signed</span>}
          </p>
          <Trial path={path} hook={hook} tried={tried} />
          <h2>Deliveries of the last 7 days</h2>
          <Deliveries key={round} path={path} search={search} tried={tried} />
        </>
      )}
    </Answer>
  );
}

const STATES = [
  ["all", "All"],
  ["successful", "Taken"],
  ["client_failure", "Refused (4xx)"],
  ["server_failure", "Failed (5xx)"],
];

function Deliveries({ path, search, tried }) {
  const { filter, place } = listQuery(search);
  const status = STATES.some(([key]) => key === filter.status) && filter.status !== "all" ? filter.status : undefined;
  const answer = useApi(`${path}/events`, { status, per_page: 20, ...place });
  return (
    <>
      <Choice label="State" name="status" choices={STATES} filter={filter} />
      <Answer of={answer} what="Loading deliveries">
        {(events) =>
          events.length ? (
            <>
              <ul class="rows">
                {events.map((event) => (
                  <Delivery key={event.id} event={event} path={path} tried={tried} />
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={events.length} />
            </>
          ) : (
            <Empty title={status ? "No delivery is like this." : "Nothing was sent yet."} />
          )
        }
      </Answer>
    </>
  );
}

const isTaken = ({ response_status }) => /^[23]/.test(String(response_status));
const pretty = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));
const headersOf = (headers) =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

function Delivery({ event, path, tried }) {
  const { busy, error, send } = useSending();
  const resend = async () => {
    await send(["resend", event.id, Date.now()], () => ask("POST", `${path}/events/${event.id}/resend`));
    tried();
  };
  const part = (title, text) =>
    text && (
      <>
        <h3>{title}</h3>
        <pre tabIndex={0} role="group" aria-label={title}>
          {text}
        </pre>
      </>
    );
  return (
    <li class="row">
      <div class="row-main">
        <span class={`mark ${isTaken(event) ? "build-success" : "build-failed"}`}>{event.response_status}</span>
        <b>{event.trigger.replace(/_hooks$/, "").replaceAll("_", " ")}</b>
        {event.attempt > 1 && <span class="tag">try {event.attempt}</span>}
        {event.next_attempt_at && (
          <span class="quiet">
            next try <Time at={event.next_attempt_at} />
          </span>
        )}
      </div>
      <div class="row-side quiet">
        <span>{Number(event.execution_duration).toFixed(2)} s</span>
        <Time at={event.created_at} />
        <button class="small" disabled={busy} onClick={resend}>
          Send again<span class="unseen"> delivery {event.id}</span>
        </button>
      </div>
      <details class="delivery">
        <summary>Request and answer</summary>
        {part("Request", `POST ${event.url}\n${headersOf(event.request_headers)}\n\n${pretty(event.request_data)}`)}
        {part(
          "Answer",
          [headersOf(event.response_headers), event.response_body].filter(Boolean).join("\n\n") || String(event.response_status),
        )}
      </details>
      {error && <Problem error={error} />}
    </li>
  );
}
