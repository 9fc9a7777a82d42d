// What happened in a project, or what a user did: the newest first, by day.
import { useEffect, useState } from "preact/hooks";
import { get, useApi } from "../api.mjs";
import { to } from "../route.mjs";
import { useMore } from "./draft.jsx";
import { Answer, Empty, Problem } from "./feedback.jsx";
import { Live, newer } from "./live.jsx";
import { Face } from "./marks.jsx";
import { dayOf, Time } from "./time.jsx";

/** Paths of projects by id. Events have only ids. */
const paths = new Map();
/** The most projects that one request reads. */
const MOST = 10;

/** Whether the paths of the projects are known, as far as the user may see them. */
function usePaths(ids) {
  const [done, setDone] = useState("");
  const wanted = [...new Set(ids)].filter((id) => !paths.has(id)).slice(0, MOST);
  const key = wanted.join();
  useEffect(() => {
    if (!key) return;
    let isShown = true;
    const asked = wanted.map((id) =>
      get(`/projects/${id}`).then(
        ({ data }) => paths.set(id, data.path_with_namespace),
        () => paths.set(id, null),
      ),
    );
    Promise.all(asked).then(() => isShown && setDone(key));
    return () => void (isShown = false);
  }, [key]);
  return !key || done === key;
}

const several = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : word.endsWith("ch") ? "es" : "s"}`;

function pushed({ action, ref_type: kind, ref, ref_count: refs, commit_count: commits, commit_to: sha, commit_title: title }, project) {
  if (refs) return `${action === "removed" ? "removed" : "sent"} ${several(refs, kind)}`;
  if (action === "removed") return `removed the ${kind} ${ref}`;
  return (
    <>
      {action === "created" ? `made the ${kind}` : `sent ${several(commits, "commit")} to`} <a href={to.commits(project, ref)}>{ref}</a>
      {title && sha && (
        <>
          : <a href={to.commit(project, sha)}>{title}</a>
        </>
      )}
    </>
  );
}

/** What the author did, as the rest of a sentence. */
function deed({ action_name: action, target_type: kind, target_iid: iid, target_title: title, note, push_data: push }, project) {
  if (push) return pushed(push, project);
  if (kind === "Issue" || (kind === "Note" && note?.noteable_type === "Issue")) {
    const issue = kind === "Issue" ? iid : note.noteable_iid;
    return (
      <>
        {action} <a href={`${to.issue(project, issue)}${note ? `#note_${note.id}` : ""}`}>{title}</a> <span class="quiet">#{issue}</span>
      </>
    );
  }
  if (kind === "Milestone") {
    return (
      <>
        {action} the milestone {iid ? <a href={to.milestone(project, iid)}>{title}</a> : title}
      </>
    );
  }
  return `${action} ${title ?? "the project"}`;
}

/** Characters of a comment. */
const BRIEF = 90;
const brief = (text) => (text.length > BRIEF ? `${text.slice(0, BRIEF)} …` : text);

function Event({ event, project, isElsewhere }) {
  return (
    <li class="row">
      <Face name={event.author.name} />
      <div class="row-main">
        <span class="deed">
          {!isElsewhere && <>{event.author.name} </>}
          {deed(event, project)}
        </span>
        {event.note && <p class="row-text">{brief(event.note.body)}</p>}
      </div>
      <div class="row-side">
        {isElsewhere && <a href={to.project(project)}>{project}</a>}
        <Time at={event.created_at} />
      </div>
    </li>
  );
}

/**
 * `path`: that of the list in the API. `project`: where all of it happened, if it is one. `none`: why there may be nothing.
 * @param {{ path: string, project?: string, "none": string }} props
 */
export function Events({ path, project, none }) {
  const query = { per_page: 20 };
  const answer = useApi(path, query);
  const { more, busy, error } = useMore(answer, path, query);
  const ready = usePaths(project ? [] : (answer.data ?? []).map((event) => event.project_id));
  const list = (
    <Answer of={ready ? answer : {}} what="Loading what happened">
      {(events) => {
        const shown = events.map((event) => [event, project ?? paths.get(event.project_id)]).filter(([, where]) => where);
        const days = [...new Set(shown.map(([event]) => dayOf(event.created_at)))];
        return (
          <>
            {!shown.length && !answer.next && <Empty title={none} />}
            {days.map((day) => (
              <section key={day} aria-label={day}>
                <p class="day">{day}</p>
                <ul class="rows faces">
                  {shown
                    .filter(([event]) => dayOf(event.created_at) === day)
                    .map(([event, where]) => (
                      <Event key={event.id} event={event} project={where} isElsewhere={!project} />
                    ))}
                </ul>
              </section>
            ))}
            {error && <Problem error={error} />}
            {answer.next && (
              <p class="actions">
                <button disabled={busy} onClick={more}>
                  {busy ? "Loading …" : "Earlier"}
                </button>
              </p>
            )}
          </>
        );
      }}
    </Answer>
  );
  return (
    <>
      <Live of={answer} words={newer("new event", "new events")} />
      {list}
    </>
  );
}
