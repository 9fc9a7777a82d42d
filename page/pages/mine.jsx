// What concerns the user, at the top of `/`.
import { useApi } from "../api.mjs";
import { Answer, Empty } from "../parts/feedback.jsx";
import { Icon } from "../parts/icons.jsx";
import { Day, isOverdue } from "../parts/time.jsx";
import { to } from "../route.mjs";

const SHOWN = 5;

export const Mine = () => (
  <div class="columns even">
    <Section id="assigned" title="Issues assigned to you" path="/issues" query={{ scope: "assigned_to_me", state: "opened" }} none="No open issue is assigned to you." row={IssueRow} />
    <Section id="todo" title="To do" path="/todos" query={{ state: "pending" }} none="Your to-do list is empty." row={TodoRow} all="/todos" />
  </div>
);

function Section({ id, title, path, query, none, row: Row, all }) {
  const answer = useApi(path, { ...query, per_page: SHOWN });
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {title} {answer.total > 0 && <span class="count">{answer.total.toLocaleString("en")}</span>}
      </h2>
      <Answer of={answer}>
        {(list) =>
          list.length ? (
            <ul class="rows dense">
              {list.map((one) => (
                <Row key={one.id} one={one} />
              ))}
            </ul>
          ) : (
            <Empty title={none} />
          )
        }
      </Answer>
      {all && answer.next && (
        <p>
          <a href={all}>All of them</a>
        </p>
      )}
    </section>
  );
}

/** `references.full` is for example `group/project#7`. */
const projectOf = (issue) => issue.references.full.slice(0, issue.references.full.lastIndexOf("#"));

const IssueRow = ({ one: issue }) => (
  <li class="row">
    <div class="row-main">
      <a class="row-title" href={to.issue(projectOf(issue), issue.iid)}>
        {issue.title}
      </a>
    </div>
    <div class="row-side quiet">
      {issue.due_date && (
        <span class={isOverdue(issue) ? "overdue" : undefined}>
          due <Day at={issue.due_date} />
        </span>
      )}
      <span>{issue.references.full}</span>
    </div>
  </li>
);

const TodoRow = ({ one: { project, target, action_name } }) => (
  <li class="row">
    <div class="row-main">
      {action_name === "build_failed" && (
        <span class="mark build-failed">
          <Icon name="failed" /> failed
        </span>
      )}
      <a class="row-title" href={to.issue(project.path_with_namespace, target.iid)}>
        {target.title}
      </a>
    </div>
    <div class="row-side quiet">
      <span>
        {project.path_with_namespace}#{target.iid}
      </span>
    </div>
  </li>
);
