// GET /projects/:id/issues and GET /projects/:id/issues/:issue_id
import { enter, REPORTER, rules } from "./access.mjs";
import { notFound, Refusal } from "./http.mjs";
import { listing, readPage } from "./paging.mjs";
import { Faults } from "./params.mjs";
import { issue, milestone, person } from "./shapes.mjs";
import { and, raw, sql } from "./sql.mjs";

const PERSON = ["id", "username", "name", "state", "avatar"];
const MILESTONE = ["id", "iid", "project_id", "title", "description", "state", "due_date", "created_at", "updated_at"];

/** The columns of a joined table, and a row from them; null if the join found nothing. */
const columns = (table, names) => raw(names.map((name) => `${table}.${name} as ${table}_${name}`).join(", "));
/** @returns {any} */
const part = (row, table, names) =>
  row[`${table}_id`] === null ? null : Object.fromEntries(names.map((name) => [name, row[`${table}_${name}`]]));

/** The issues that the caller of `me` sees. */
const seen = (me) => sql`
  with me as (${me})
  select i.*, ${columns("author", PERSON)}, ${columns("assignee", PERSON)}, ${columns("milestone", MILESTONE)},
    (select json_group_array(l.title order by l.title) from issue_labels il join labels l on l.id = il.label_id
      where il.issue_id = i.id) as labels,
    coalesce(
      (select s.subscribed from subscriptions s where s.issue_id = i.id and s.user_id = me.user_id),
      me.user_id in (i.author_id, i.assignee_id)
        or exists (select 1 from participants t where t.issue_id = i.id and t.user_id = me.user_id),
      0) as subscribed
  from me
  join issues i on i.project_id = me.project_id
  join users author on author.id = i.author_id
  left join users assignee on assignee.id = i.assignee_id
  left join milestones milestone on milestone.id = i.milestone_id
  where ${visible}`;

/** Confidential issues are only visible from reporter on, and to their author and assignee. */
const visible = sql`i.deleted_at is null
    and (not i.confidential or me.level >= ${raw(REPORTER)} or me.user_id in (i.author_id, i.assignee_id))`;

function show(row, me, links) {
  const [author, assignee] = ["author", "assignee"].map((table) => part(row, table, PERSON));
  const planned = part(row, "milestone", MILESTONE);
  const parts = {
    labels: JSON.parse(row.labels),
    planned: planned && milestone(planned),
    author: person(author, links),
    assignee: assignee && person(assignee, links),
    subscribed: row.subscribed === 1,
  };
  return issue(row, parts, me.full_path, links);
}

const HINT = "an issue is named by its id here, not by its number in the project: the list takes iid=..";

export async function showIssue(call, { id, issue_id }) {
  const { me, answers } = await enter(call, id, rules.readIssues, (me) => {
    if (!/^\d{1,15}$/.test(issue_id)) throw notFound("Not found");
    return [sql`${seen(me)} and i.id = ${Number(issue_id)}`];
  });
  const [[row]] = answers;
  if (!row || !me.issues_enabled) throw new Refusal(404, { message: "404 Not found", hint: HINT });
  return { body: show(row, me, call.linksOf(me)) };
}

/** The query of a list: its order, and the conditions of its filters. */
function readFilter(params) {
  const faults = new Faults();
  const state = params.word("state", ["opened", "closed", "all"], faults);
  const order = params.word("order_by", ["created_at", "updated_at"], faults) ?? "created_at";
  const sort = params.word("sort", ["asc", "desc"], faults) ?? "desc";
  const [labels, title, numbers] = [params.list("labels"), params.text("milestone"), params.list("iid").map(Number)];
  if (numbers.some((number) => !Number.isInteger(number))) faults.add("iid", "is invalid");
  faults.refuseQuery();
  const kept = [];
  if (labels.join() === "No Label") kept.push(sql`not exists (select 1 from issue_labels il where il.issue_id = i.id)`);
  else if (labels.length) {
    kept.push(sql`i.id in (select il.issue_id from labels l join issue_labels il on il.label_id = l.id
      where l.project_id = me.project_id and l.title in (select value from json_each(${JSON.stringify(labels)})))`);
  }
  if (title === "No Milestone") kept.push(sql`i.milestone_id is null`);
  else if (title)
    kept.push(sql`i.milestone_id = (select m.id from milestones m where m.project_id = me.project_id and m.title = ${title})`);
  if (numbers.length) kept.push(sql`i.iid in (select value from json_each(${JSON.stringify(numbers)}))`);
  return { state: state === "all" ? undefined : state, order, sort, kept };
}

export async function listIssues(call, { id }) {
  let page;
  const { me, answers } = await enter(call, id, rules.readIssues, (me) => {
    const { state, order, sort, kept } = readFilter(call.params);
    page = readPage(call.params, `${order} ${sort}`);
    const ofState = state ? [sql`i.state = ${state}`] : [];
    const column = raw(`i.${order}`);
    const after = page.after ? [sql`(${column}, i.id) ${raw(sort === "asc" ? ">" : "<")} (${page.after[0]}, ${page.after[1]})`] : [];
    const rows = sql`${seen(me)} ${and([...ofState, ...kept, ...after])}
      order by ${column} ${raw(sort)}, i.id ${raw(sort)} limit ${page.size + 1} offset ${page.offset}`;
    return [rows, count(me, state, kept)];
  });
  const [rows, [{ total }]] = me.issues_enabled ? answers : [[], [{ total: 0 }]];
  const links = call.linksOf(me);
  const column = page.order.split(" ")[0];
  return listing(call, page, rows, {
    total,
    path: { id },
    show: (row) => show(row, me, links),
    keysOf: (row) => [row[column], row.id],
  });
}

const MOST_COUNTED = 10_000;

/**
 * The length of a list. Without filters it comes from the project's counters, minus confidential issues; else it is
 * counted while that is cheap.
 */
function count(me, state, kept) {
  const ofState = state ? [sql`i.state = ${state}`] : [];
  const all = raw(state ? `p.${state}` : "p.opened + p.closed");
  const hidden = sql`(select count(*) from issues i where i.project_id = me.project_id and i.confidential and i.deleted_at is null
    and me.user_id is not i.author_id and me.user_id is not i.assignee_id ${and(ofState)})`;
  const counted = sql`(select iif(count(*) > ${raw(MOST_COUNTED)}, null, count(*)) from (
    select 1 from issues i where i.project_id = me.project_id and ${visible} ${and([...ofState, ...kept])} limit ${raw(MOST_COUNTED + 1)}))`;
  const total = kept.length ? counted : sql`${all} - iif(me.level >= ${raw(REPORTER)}, 0, ${hidden})`;
  return sql`with me as (${me}) select ${total} as total from me join projects p on p.id = me.project_id`;
}
