//! Rows and statements of todos.

use super::entity::Project;
use super::{ActionName, ListTodos, State, TargetType};
use crate::call::scope::{project_access, sees};
use crate::call::signed_in;
use crate::error::Result;
use crate::issues::sql::{IssueRow, issue_json};
use crate::page::{Key, Page, bounded};
use crate::policy::{self, Action};
use crate::sql;
use crate::store::{Rows, Statement, Store, Value};
use crate::users::sql::{UserRow, user_by_id};
use serde::Deserialize;
use serde_json::json;

#[derive(Debug, Deserialize)]
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
    pub issue: IssueRow,
}

/// A [`TodoRow`] of the aliases `t`, `i` and `p`.
macro_rules! todo_json {
    ($user:literal) => {
        concat!(
            "json_object('id', t.id, 'project', json_object('id', p.id, 'name', p.name, 'name_with_namespace', p.full_name,
    'path', p.path, 'path_with_namespace', p.full_path), 'author', ", user_by_id!("t.author_id"), ", 'action', t.action,
  'note_id', t.note_id, 'body', (select n.body from notes n where n.id = t.note_id), 'state', t.state,
  'created_at', t.created_at, 'issue', json(", issue_json!($user, "p.full_path"), "))"
        )
    };
}

/// Todos come first, or their index would not give their order. The caller's todos `t` that meet the filters, about issues `i` that he still sees.
macro_rules! todos {
    () => {
        concat!(
            "todos t cross join issues i on i.id = t.issue_id cross join projects p on p.id = t.project_id cross join caller c
  where t.user_id = (select id from caller) and t.state = (select ?7) and t.action = coalesce(?8, t.action)
    and t.author_id = coalesce(?9, t.author_id) and t.project_id = coalesce(?10, t.project_id) and ?11
    and ",
            still_seen!("12")
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

/// First row: how many todos (null: very many)? Then those of this page, newest first: before the id `?13`, `?14` passed
/// over, `?15` at most.
const LIST: &str = bounded!(signed_in!(
    // a todo, its issue, its project and the caller, and a membership where the project does not show itself
    "union all select json_object('total', json_array(iif(count(*) > 10000, null, count(*)), coalesce(sum(rows), 0)))
  from (select iif(c.admin or p.visibility >= iif(c.external, 20, 10), 4, 5) as rows from ",
    todos!(),
    " limit 10001)
union all select json_object('todo', json(v)) from (select ",
    todo_json!("c.id"),
    " as v from ",
    todos!(),
    " and t.id < (select ?13) order by t.id desc limit (select ?15) offset (select ?14))"
));

pub fn list(filter: &ListTodos, page: &Page) -> Statement {
    let [state, action, author, project, issues] = binds(filter);
    let ([before], offset) = page.begin([Key::from(1 << 53)]);
    sql!(LIST, state, action, author, project, issues, hidden_access(), before, offset, page.size + 1)
}

/// One row of a list's answer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// And how many rows were read for it.
    Total(Option<i64>, u64),
    Todo(Box<TodoRow>),
}

/// From which level on a member sees hidden issues.
fn hidden_access() -> i64 {
    policy::least(Action::ReadHiddenIssues).0.level()
}

/// Only issues become todos here.
fn binds(filter: &ListTodos) -> [Value; 5] {
    let action = filter.action.map(|action| match action {
        ActionName::Assigned => "assigned",
        ActionName::Mentioned => "mentioned",
        ActionName::BuildFailed => "build_failed",
        ActionName::Marked => "marked",
    });
    let state = if filter.state == Some(State::Done) { "done" } else { "pending" };
    let issues = filter.target_type.is_none_or(|kind| kind == TargetType::Issue);
    [state.into(), action.into(), filter.author_id.into(), filter.project_id.into(), issues.into()]
}

/// Which todo of the caller has the id `?7`?
const ONE: &str = signed_in!(
    "union all select ",
    todo_json!("c.id"),
    " from caller c cross join todos t on t.id = (select ?7) and t.user_id = c.id
  cross join issues i on i.id = t.issue_id cross join projects p on p.id = t.project_id where ",
    still_seen!("8")
);

pub fn one(id: i64) -> Statement {
    sql!(ONE, id, hidden_access())
}

/// A todo on the issue `?1` for the user `?2`, unless he has one.
const MARK: &str =
    "insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
select ?2, ?2, i.project_id, i.id, 'marked', ?3, ?3 from issues i where i.id = (select ?1) and i.deleted_at is null
  and not exists (select 1 from todos t where t.issue_id = i.id and t.user_id = (select ?2) and t.state = 'pending')";

const MARKED: &str = concat!(
    "select ",
    todo_json!("?2"),
    " as v from todos t join issues i on i.id = t.issue_id join projects p on p.id = t.project_id
where changes() = 1 and t.id = last_insert_rowid() and t.user_id = (select ?2) and t.issue_id = (select ?1)"
);

/// None: he has one.
pub async fn mark(store: &Store<'_>, issue_id: i64, user_id: i64, now: i64) -> Result<Option<TodoRow>> {
    let batch = vec![sql!(MARK, issue_id, user_id, now), sql!(MARKED, issue_id, user_id)];
    Ok(store.batch(batch).await?.pop().unwrap_or_default().first()?)
}

const SETTLE: &str = "update todos set state = 'done', updated_at = ?3
where user_id = (select ?1) and state = 'pending' and id in (select value from json_each(?2))";

pub async fn settle(store: &Store<'_>, user_id: i64, ids: &[i64], now: i64) -> Result<()> {
    store.ask(sql!(SETTLE, user_id, json!(ids).to_string(), now)).await?;
    Ok(())
}

/// How many one statement settles.
const PORTION: i64 = 2000;

/// And how many portions one request: 100,000.
const MOST_PORTIONS: usize = 50;

const SETTLE_ALL: &str = "update todos set state = 'done', updated_at = ?7 where id in (
  select id from todos where user_id = (select ?1) and state = 'pending' and ?2 = 'pending' and action = coalesce(?3, action)
    and author_id = coalesce(?4, author_id) and project_id = coalesce(?5, project_id) and ?6 limit (select ?8))";

const SETTLED: &str = "select json_quote(changes()) as v";

/// How many were settled. Each portion is a transaction of its own: who is cut off asks again for the rest.
pub async fn settle_all(store: &Store<'_>, user_id: i64, filter: &ListTodos, now: i64) -> Result<i64> {
    let mut total = 0;
    for _ in 0..MOST_PORTIONS {
        let [state, action, author, project, issues] = binds(filter);
        let portion = sql!(SETTLE_ALL, user_id, state, action, author, project, issues, now, PORTION);
        let answers = store.batch(vec![portion, sql!(SETTLED)]).await?;
        let settled: i64 = answers.last().map(Rows::first).transpose()?.flatten().unwrap_or_default();
        total += settled;
        if settled < PORTION {
            break;
        }
    }
    Ok(total)
}
