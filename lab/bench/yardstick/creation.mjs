// POST /projects/:id/issues
//
// One transaction. Each statement checks again whether the caller may create this issue, and writes nothing otherwise.
import { enter, GUEST, REPORTER, rules } from "./access.mjs";
import { forbidden } from "./http.mjs";
import { Faults } from "./params.mjs";
import { issue, milestone, person, self } from "./shapes.mjs";
import { raw, sql } from "./sql.mjs";

const [guest, reporter] = [GUEST, REPORTER].map(raw);
const LABEL_COLOR = "#428BCA";
const MENTION = /(?<![A-Za-z0-9_/])@([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)/g;

function read(params) {
  const faults = new Faults();
  const title = params.text("title")?.trim();
  const description = params.text("description");
  const due_date = params.text("due_date");
  if (!title) faults.missing("title");
  faults.checkLength("title", title, 255);
  faults.checkLength("description", description, 1_000_000);
  if (due_date && !(/^\d{4}-\d\d-\d\d$/.test(due_date) && Date.parse(due_date))) faults.add("due_date", "is invalid");
  const names = params.list("labels").map((name) => name.replace(/<[^<>]*>/g, "").trim());
  const mentions = `${title} ${description ?? ""}`.matchAll(MENTION);
  const draft = {
    title,
    description,
    due_date,
    labels: [...new Set(names.filter(Boolean))].sort(),
    mentioned: [...new Set(Array.from(mentions, ([, name]) => name))],
    // 0 means no value
    assignee_id: params.number("assignee_id", faults) || null,
    milestone_id: params.number("milestone_id", faults) || null,
    confidential: params.flag("confidential", faults) ? 1 : 0,
  };
  faults.refuseRecord();
  return draft;
}

/** The assignee, if they see the project, and the milestone, if it is one of the project. */
const assignee = ({ assignee_id }) => sql`
  select u.id, u.username, u.name, u.state, u.avatar from me
  join access a on a.user_id = ${assignee_id} and a.project_id = me.project_id and (a.level > 0 or a.visibility > 0)
  join users u on u.id = a.user_id`;
const planned = ({ milestone_id }) => sql`
  select m.* from me join milestones m on m.id = ${milestone_id} and m.project_id = me.project_id`;

/** One row if the caller may create this issue in this project. Guests' assignees and milestones are ignored. */
const maker = (me, draft) => sql`
  with me as (${me})
  select me.* from me join projects p on p.id = me.project_id
  where (me.level >= ${guest} or me.visibility > 0) and me.scope = 'api' and p.issues_enabled
    ${draft.assignee_id ? sql`and (me.level < ${reporter} or exists (${assignee(draft)}))` : sql``}
    ${draft.milestone_id ? sql`and (me.level < ${reporter} or exists (${planned(draft)}))` : sql``}`;

function statements(me, draft, now) {
  const { title, description, confidential, due_date, labels, mentioned, assignee_id, milestone_id } = draft;
  const allowed = sql`(${maker(me, draft)}) me`;
  // the issue with the project's newest number, once it exists
  const made = sql`${allowed} join projects p on p.id = me.project_id join issues i on i.project_id = p.id and i.iid = p.last_iid`;
  const all = [
    sql`update projects set last_iid = last_iid + 1, opened = opened + 1 where id = (select me.project_id from ${allowed})`,
    sql`insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, confidential, due_date, created_at, updated_at)
      select p.id, p.last_iid, me.user_id, iif(me.level >= ${reporter}, ${assignee_id}, null), iif(me.level >= ${reporter}, ${milestone_id}, null),
        ${title}, ${description}, ${confidential}, ${due_date}, ${now}, ${now}
      from ${allowed} join projects p on p.id = me.project_id
      returning *`,
  ];
  if (labels.length) {
    const titles = sql`json_each(${JSON.stringify(labels)})`;
    all.push(
      sql`insert or ignore into labels (project_id, title, color, created_at)
        select me.project_id, value, ${LABEL_COLOR}, ${now} from ${allowed} join ${titles} where me.level >= ${reporter}`,
      sql`insert into issue_labels (issue_id, label_id)
        select i.id, l.id from ${made} join labels l on l.project_id = p.id and l.title in (select value from ${titles})
        where me.level >= ${reporter}`,
      sql`update labels set opened = opened + 1 where id in (select il.label_id from ${made} join issue_labels il on il.issue_id = i.id)`,
    );
  }
  if (milestone_id) {
    all.push(sql`update milestones set opened = opened + 1 where id = (select i.milestone_id from ${made})`);
  }
  if (assignee_id) {
    all.push(sql`insert into todos (user_id, author_id, issue_id, action, created_at)
      select i.assignee_id, i.author_id, i.id, 'assigned', ${now} from ${made} where i.assignee_id is not null`);
  }
  if (mentioned.length) {
    const hearers = sql`${made}
      join users u on u.username in (select value from json_each(${JSON.stringify(mentioned)}))
      join access a on a.user_id = u.id and a.project_id = p.id
      where (a.level >= ${reporter} or u.id in (i.author_id, i.assignee_id)
        or not i.confidential and (a.level > 0 or a.visibility > 0))`;
    all.push(
      sql`insert into participants (issue_id, user_id) select i.id, u.id from ${hearers}`,
      sql`insert into todos (user_id, author_id, issue_id, action, created_at)
        select u.id, i.author_id, i.id, 'mentioned', ${now} from ${hearers}
          and u.id <> i.author_id and not exists (select 1 from todos t where t.issue_id = i.id and t.user_id = u.id)`,
    );
  }
  return all;
}

export async function createIssue(call, { id }) {
  let draft;
  const { me, answers } = await enter(call, id, rules.createIssue, (me) => {
    draft = read(call.params);
    const looks = [draft.assignee_id && assignee, draft.milestone_id && planned].filter(Boolean);
    return [...looks.map((look) => sql`with me as (${me}) ${look(draft)}`), ...statements(me, draft, call.now)];
  });
  if (!me.issues_enabled) throw forbidden();
  const plans = me.level >= REPORTER;
  const [named] = draft.assignee_id ? answers.shift() : [];
  const [plan] = draft.milestone_id ? answers.shift() : [];
  const faults = new Faults();
  if (plans && draft.assignee_id && !named) faults.add("assignee_id", "is invalid");
  if (plans && draft.milestone_id && !plan) faults.add("milestone_id", "is invalid");
  faults.refuseRecord();
  const [, [row]] = answers;
  const links = call.linksOf(me);
  const parts = {
    labels: plans ? draft.labels : [],
    planned: plans && plan ? milestone(plan) : null,
    author: self(me, links),
    assignee: plans && named ? person(named, links) : null,
    subscribed: true,
  };
  return { body: issue(row, parts, me.full_path, links) };
}
