// `/todos`
import { ask, useApi } from "../api.mjs";
import { useSending } from "../parts/draft.jsx";
import { Answer, Empty, ForMembers, Problem } from "../parts/feedback.jsx";
import { Live, newer } from "../parts/live.jsx";
import { Person, State } from "../parts/marks.jsx";
import { Pager, listQuery } from "../parts/pager.jsx";
import { TitleRow } from "../parts/project.jsx";
import { Time } from "../parts/time.jsx";
import { to, withQuery } from "../route.mjs";

const WHY = {
  assigned: "assigned you to",
  mentioned: "mentioned you in",
  directly_addressed: "spoke to you in",
  marked: "put on the list",
};

export function TodosPage({ search, session }) {
  return (
    <>
      {session?.id ? (
        <Todos search={search} />
      ) : (
        <>
          <TitleRow title="To do" heading="To do" />
          <ForMembers what="your to-do list" />
        </>
      )}
    </>
  );
}

function Todos({ search }) {
  const { filter, place } = listQuery(search);
  const state = filter.state === "done" ? "done" : "pending";
  const answer = useApi("/todos", { state, per_page: 20, ...place });
  const { busy, error, send } = useSending();
  const done = async (id) => {
    const sent = await send(id, () => ask("POST", id ? `/todos/${id}/mark_as_done` : "/todos/mark_as_done"));
    if (sent) answer.set((before) => before.filter((todo) => id && todo.id !== id));
    if (sent && !id) answer.reload();
  };
  return (
    <>
      <TitleRow
        title="To do"
        heading="To do"
        beside={
          <nav class="tabs small" aria-label="State">
            <a href="/todos" aria-current={state === "pending" ? "true" : undefined}>
              Open
            </a>
            <a href={withQuery("/todos", { state: "done" })} aria-current={state === "done" ? "true" : undefined}>
              Done
            </a>
          </nav>
        }
      >
        {state === "pending" && answer.data?.length > 0 && (
          <button class="button" disabled={busy} onClick={() => done(null)}>
            Mark all as done
          </button>
        )}
      </TitleRow>
      {error && <Problem error={error} />}
      <Live of={answer} words={newer("new item", "new items")} />
      <Answer of={answer} what="Loading">
        {(todos) =>
          todos.length ? (
            <>
              <ul class="rows">
                {todos.map((todo) => (
                  <Todo key={todo.id} todo={todo} done={state === "pending" && (() => done(todo.id))} busy={busy} />
                ))}
              </ul>
              <Pager next={answer.next} total={answer.total} shown={todos.length} />
            </>
          ) : (
            <Empty title={state === "done" ? "You have not completed any items yet." : "Your to-do list is empty."}>
              <p>
                An item is added when somebody assigns you to an issue or mentions your @username, or when you choose "Add to-do" on an
                issue.
              </p>
            </Empty>
          )
        }
      </Answer>
    </>
  );
}

/** The fragment names a comment. */
const anchor = (address) => (address.includes("#") ? address.slice(address.indexOf("#")) : "");

function Todo({ todo, done, busy }) {
  const project = todo.project.path_with_namespace;
  const isCommit = todo.target_type === "Commit";
  const place = isCommit ? to.commit(project, todo.target.id) : to.issue(project, todo.target.iid);
  return (
    <li class="row">
      <div class="row-main">
        <a class="row-title" dir="auto" href={`${place}${anchor(todo.target_url)}`}>
          {todo.target.title}
        </a>
        {!isCommit && <State state={todo.target.state} />}
        <p class="row-text">
          <Person user={todo.author} /> {WHY[todo.action_name] ?? todo.action_name} {project}
          {isCommit ? `@${todo.target.short_id}` : `#${todo.target.iid}`}, <Time at={todo.created_at} />
        </p>
      </div>
      {done && (
        <div class="row-side">
          <button class="small" disabled={busy} onClick={done}>
            Done<span class="unseen"> with {todo.target.title}</span>
          </button>
        </div>
      )}
    </li>
  );
}
