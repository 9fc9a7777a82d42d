//! Rows and statements of todos.

use super::input::{ActionName, ListTodos, State, TargetType};
use crate::call::signed_in;
use crate::call::sql::scope::{project_access, sees, sees_from};
use crate::error::Result;
use crate::issues::sql::{IssueRow, issue_json};
use crate::page::{Key, Page, bounded};
use crate::person::{UserRow, user_by_id};
use crate::policy::confidential_level;
use crate::store::{Row, Rows, Statement, Store, Value, sql};
use serde::Serialize;
use serde_json::json;

/// The project of a to-do item, as every API shows it.
#[derive(Debug, Serialize, Row)]
pub struct Project {
    pub id: i64,
    pub name: String,
    pub name_with_namespace: String,
    pub path: String,
    pub path_with_namespace: String,
    /// These two are not of v3.
    #[serde(skip_serializing)]
    pub description: Option<String>,
    #[serde(skip_serializing)]
    pub created_at: i64,
}

#[derive(Debug, Row)]
pub struct TodoRow {
    pub id: i64,
    pub project: Project,
    /// Who caused it.
    pub author: UserRow,
    pub action: String,
    pub note_id: Option<i64>,
    /// The comment it stems from.
    pub body: Option<String>,
    pub state: String,
    pub created_at: i64,
    pub updated_at: i64,
    pub issue: IssueRow,
}

/// A [`TodoRow`] of the aliases `t`, `i` and `p` for the user `$user`. `$hidden`: the level that reads confidential issues.
macro_rules! todo_json {
    ($user:literal, $hidden:literal) => {
        concat!(
            "json_array(t.id, json_array(p.id, p.name, p.full_name,
    p.path, p.full_path, p.description, p.created_at), ",
            user_by_id!("t.author_id"),
            ", t.action,
  t.note_id, (select n.body from notes n where n.id = t.note_id), t.state,
  t.created_at, t.updated_at, json(",
            issue_json!($user, $hidden, "p.full_path"),
            "))"
        )
    };
}

/// The caller's todos of the `$n`th of the actions `?8`, before the id `?13`: one range of the index `$index`, newest first.
macro_rules! range {
    ($index:literal, $filter:literal, $n:literal) => {
        concat!(
            "select * from todos t indexed by ",
            $index,
            " where t.user_id = (select id from caller) and t.state = (select ?7)",
            $filter,
            " and t.action = (select ?8 ->> ",
            $n,
            ") and ?11 and t.id < (select ?13)"
        )
    };
}

/// `$hidden`: the bind of the level from which on a member sees hidden issues.
macro_rules! still_seen {
    ($hidden:literal) => {
        concat!(
            "i.deleted_at is null and p.deleted_at is null and p.issues_enabled
    and case when i.confidential then c.id in (i.author_id, i.assignee_id) and ",
            sees!("c", "p"),
            " or ",
            project_access!("c", "p"),
            " >= (select ?",
            $hidden,
            ")
      else ",
            sees!("c", "p"),
            " end"
        )
    };
}

/// Only of projects of the group `?16`, if it is given.
macro_rules! in_group {
    () => {
        " and p.namespace_id = coalesce((select ?16), p.namespace_id)"
    };
}

/// First row: how many todos (null: very many)? Then those of this page, newest first: before the id `?13`, `?14` passed
/// over, `?15` at most. The ranges are merged row by row as the page needs them: the limit of -1 keeps SQLite from leaving
/// out their order, and a further `order by` would read them to their ends.
macro_rules! list {
    ($index:literal, $filter:literal) => {
        bounded!(signed_in!(
            // a todo, its issue, its project and the caller, and a membership where the project does not show itself
            "union all select json_object('total', json_array(iif(count(*) > 10000, null, count(*)), coalesce(sum(rows), 0)))
  from (select iif(c.admin or p.visibility >= ",
            sees_from!("c"),
            ", 4, 5) as rows from todos t indexed by ",
            $index,
            " cross join issues i on i.id = t.issue_id cross join projects p on p.id = t.project_id cross join caller c
  where t.user_id = (select id from caller) and t.state = (select ?7)",
            $filter,
            " and t.action in (select value from json_each(?8)) and ?11 and ",
            still_seen!("12"),
            in_group!(),
            " limit 10001)
union all select json_object('todo', json(v)) from (select ",
            todo_json!("c.id", "(select ?12)"),
            " as v from (",
            range!($index, $filter, "0"),
            " union all ",
            range!($index, $filter, "1"),
            " union all ",
            range!($index, $filter, "2"),
            " union all ",
            range!($index, $filter, "3"),
            " order by 1 desc limit -1) t cross join issues i on i.id = t.issue_id
  cross join projects p on p.id = t.project_id cross join caller c where ",
            still_seen!("12"),
            in_group!(),
            " limit (select ?15) offset (select ?14))"
        ))
    };
}

/// The list by author or not, and by project or not: each has an index.
const LISTS: [[&str; 2]; 2] = [
    [list!("todos_by_action", ""), list!("todos_by_project", " and t.project_id = (select ?10)")],
    [
        list!("todos_by_author", " and t.author_id = (select ?9)"),
        list!(
            "todos_by_project_and_author",
            " and t.project_id = (select ?10) and t.author_id = (select ?9)"
        ),
    ],
];

/// The text that fits the filters.
fn text(
    [[all, by_project], [by_author, by_both]]: [[&'static str; 2]; 2],
    filter: &ListTodos,
) -> &'static str {
    match (filter.author_id, filter.project_id) {
        (None, None) => all,
        (None, Some(_)) => by_project,
        (Some(_), None) => by_author,
        (Some(_), Some(_)) => by_both,
    }
}

pub fn list(filter: &ListTodos, page: &Page) -> Statement {
    let [state, actions, author, project, issues] = binds(filter);
    let ([before], offset) = page.begin([Key::from(1 << 53)]);
    let text = text(LISTS, filter);
    let (hidden, group, size) = (confidential_level(), filter.group_id, page.size + 1);
    sql!(text, state, actions, author, project, issues, hidden, before, offset, size, group)
}

/// One row of a list's answer.
#[derive(Debug, Row)]
pub enum Part {
    /// And how many rows were read for it.
    Total(Option<i64>, u64),
    Todo(Box<TodoRow>),
}

/// State, actions, author, project, and whether issues are asked for: only they become todos here.
fn binds(filter: &ListTodos) -> [Value; 5] {
    let actions = match filter.action {
        None => r#"["assigned","mentioned","build_failed","marked"]"#,
        Some(ActionName::Assigned) => r#"["assigned"]"#,
        Some(ActionName::Mentioned) => r#"["mentioned"]"#,
        Some(ActionName::BuildFailed) => r#"["build_failed"]"#,
        Some(ActionName::Marked) => r#"["marked"]"#,
    };
    let state = if filter.state == Some(State::Done) { "done" } else { "pending" };
    let issues = filter.target_type.is_none_or(|kind| kind == TargetType::Issue);
    [state.into(), actions.into(), filter.author_id.into(), filter.project_id.into(), issues.into()]
}

/// Which todo of the caller has the id `?7`?
const ONE: &str = signed_in!(
    "union all select ",
    todo_json!("c.id", "(select ?8)"),
    " from caller c cross join todos t on t.id = (select ?7) and t.user_id = c.id
  cross join issues i on i.id = t.issue_id cross join projects p on p.id = t.project_id where ",
    still_seen!("8")
);

pub fn one(id: i64) -> Statement {
    sql!(ONE, id, confidential_level())
}

/// A todo on the issue `?1` for the user `?2`, unless they have one.
const MARK: &str =
    "insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
select ?2, ?2, i.project_id, i.id, 'marked', ?3, ?3 from issues i where i.id = (select ?1) and i.deleted_at is null
  and not exists (select 1 from todos t where t.issue_id = i.id and t.user_id = (select ?2) and t.state = 'pending')";

const MARKED: &str = concat!(
    "select ",
    todo_json!("?2", "(select ?3)"),
    " as v from todos t join issues i on i.id = t.issue_id join projects p on p.id = t.project_id
where changes() = 1 and t.id = last_insert_rowid() and t.user_id = (select ?2) and t.issue_id = (select ?1)"
);

/// None: there is a pending one already.
pub async fn mark(store: &Store<'_>, issue_id: i64, user_id: i64, now: i64) -> Result<Option<TodoRow>> {
    let batch =
        vec![sql!(MARK, issue_id, user_id, now), sql!(MARKED, issue_id, user_id, confidential_level())];
    Ok(store.batch(batch).await?.pop().unwrap_or_default().first()?)
}

const SETTLE: &str = "update todos set state = 'done', updated_at = ?3
where user_id = (select ?1) and state = 'pending' and id in (select value from json_each(?2))";

pub async fn settle(store: &Store<'_>, user_id: i64, ids: &[i64], now: i64) -> Result<()> {
    store.ask(sql!(SETTLE, user_id, json!(ids).to_string(), now)).await?;
    Ok(())
}

/// How many one statement settles: each has a row in every index, too.
const PORTION: i64 = 1000;

/// And how many portions one request: 100,000.
const MOST_PORTIONS: usize = 100;

macro_rules! settle_all {
    ($index:literal, $filter:literal) => {
        concat!(
            "update todos set state = 'done', updated_at = ?7 where id in (select t.id from todos t indexed by ",
            $index,
            " where t.user_id = (select ?1) and t.state = 'pending' and ?2 = 'pending'",
            $filter,
            " and t.action in (select value from json_each(?3)) and ?6 limit (select ?8))"
        )
    };
}

const SETTLE_ALL: [[&str; 2]; 2] = [
    [settle_all!("todos_by_action", ""), settle_all!("todos_by_project", " and t.project_id = (select ?5)")],
    [
        settle_all!("todos_by_author", " and t.author_id = (select ?4)"),
        settle_all!(
            "todos_by_project_and_author",
            " and t.project_id = (select ?5) and t.author_id = (select ?4)"
        ),
    ],
];

const SETTLED: &str = "select json_quote(changes()) as v";

/// How many were settled. Each portion is a transaction of its own: who is cut off asks again for the rest.
pub async fn settle_all(store: &Store<'_>, user_id: i64, filter: &ListTodos, now: i64) -> Result<i64> {
    let mut total = 0;
    for _ in 0..MOST_PORTIONS {
        let [state, actions, author, project, issues] = binds(filter);
        let text = text(SETTLE_ALL, filter);
        let portion = sql!(text, user_id, state, actions, author, project, issues, now, PORTION);
        let answers = store.batch(vec![portion, sql!(SETTLED)]).await?;
        let settled: i64 = answers.last().map(Rows::first).transpose()?.flatten().unwrap_or_default();
        total += settled;
        if settled < PORTION {
            break;
        }
    }
    Ok(total)
}
