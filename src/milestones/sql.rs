//! Statements of milestones.

use super::EditMilestone;
use crate::call::{in_project, scope};
use crate::error::Result;
use crate::issues::sql::{MilestoneRow, milestone_json};
use crate::page::{Page, bounded};
use crate::sql;
use crate::store::{Failure, Rows, Statement, Store};
use serde::Deserialize;
use serde_json::json;

/// First row: how many milestones are there (null: very many)? Then those of this page, in order of their numbers, which
/// is that of their ids: after the number `?9`, `?10` passed over, `?11` at most.
macro_rules! milestones {
    ($condition:literal) => {
        milestones!(
            $condition,
            concat!(
                "select iif(count(*) > 10000, null, count(*)) from (
  select 1 from milestones m where m.project_id = s.project_id and ",
                $condition,
                " limit 10001)"
            )
        )
    };
    ($condition:literal, $total:expr $(,)?) => {
        bounded!(in_project!(
            "union all select json_object('total', (",
            $total,
            ")) from scope s
union all select json_object('milestone', json(v)) from (select ",
            milestone_json!(),
            " as v from milestones m
  where m.project_id = (select project_id from scope) and ",
            $condition,
            " and m.iid > (select ?9)
  order by m.iid limit (select ?11) offset (select ?10))"
        ))
    };
}

/// In any state: their numbers have no gaps, for none is ever deleted.
const ALL: &str = milestones!(
    "m.iid > 0",
    "select coalesce(max(m.iid), 0) from milestones m where m.project_id = s.project_id"
);

/// In the state `?7`, and with one of the numbers `?8`.
const IN_STATE: &str = milestones!("m.state = (select ?7)");
const NUMBERED: &str =
    milestones!("m.iid in (select value from json_each(?8)) and m.state = coalesce(?7, m.state)");

pub fn list(state: Option<&str>, iids: Option<&[i64]>, page: &Page) -> Statement {
    let text = match (state, iids) {
        (_, Some(_)) => NUMBERED,
        (Some(_), None) => IN_STATE,
        (None, None) => ALL,
    };
    let (after, offset) = page.after();
    sql!(text, state, iids.map(|iids| json!(iids).to_string()), after, offset, page.size + 1)
}

/// One row of a list's answer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    Total(Option<i64>),
    Milestone(Box<MilestoneRow>),
}

/// Which milestone of this project has the id `?7`?
const ONE: &str = in_project!(
    "union all select ",
    milestone_json!(),
    " from scope s cross join milestones m on m.id = (select ?7) and m.project_id = s.project_id"
);

pub fn one(milestone_id: i64) -> Statement {
    sql!(ONE, milestone_id)
}

/// Nothing but the authorization.
pub fn nothing() -> Statement {
    sql!(scope::PROJECT_HEAD)
}

/// A [`MilestoneRow`] of columns that stand alone.
macro_rules! milestone_returning {
    () => {
        "json_object('id', id, 'iid', iid, 'project_id', project_id, 'title', title, 'description', description,
  'state', state, 'due_date', due_date, 'created_at', created_at, 'updated_at', updated_at)"
    };
}

const CREATE: &str = concat!(
    "insert into milestones (project_id, iid, title, description, due_date, created_at, updated_at)
select ?1, coalesce(max(iid), 0) + 1, ?2, ?3, ?4, ?5, ?5 from milestones where project_id = (select ?1)
returning ",
    milestone_returning!(),
    " as v"
);

/// None: there is one of that title.
pub async fn create(
    store: &Store<'_>,
    project_id: i64,
    title: &str,
    description: Option<&str>,
    due_date: Option<&str>,
    now: i64,
) -> Result<Option<MilestoneRow>> {
    unless_taken(store.run(sql!(CREATE, project_id, title, description, due_date, now)).await)
}

const UPDATE: &str = concat!(
    "update milestones set title = coalesce(?2, title), description = case when ?3 then ?4 else description end,
  due_date = case when ?5 then ?6 else due_date end, state = coalesce(?7, state), updated_at = ?8
where id = (select ?1) returning ", milestone_returning!(), " as v"
);

/// None: another one has that title.
pub async fn update(
    store: &Store<'_>,
    id: i64,
    edit: &EditMilestone,
    state: Option<&str>,
    now: i64,
) -> Result<Option<MilestoneRow>> {
    let text = |patch: &crate::params::Patch<String>| patch.set().cloned();
    let statement = sql!(
        UPDATE,
        id,
        edit.title.set().map(|title| title.trim()),
        !edit.description.is_keep(),
        text(&edit.description),
        !edit.due_date.is_keep(),
        text(&edit.due_date),
        state,
        now
    );
    unless_taken(store.ask(statement).await)
}

fn unless_taken(outcome: std::result::Result<Rows, Failure>) -> Result<Option<MilestoneRow>> {
    match outcome {
        Err(Failure::Constraint(_)) => Ok(None),
        outcome => Ok(outcome?.first()?),
    }
}
