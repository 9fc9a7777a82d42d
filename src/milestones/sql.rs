//! Statements of milestones. A deleted one stays, so that its number is not given out again: its number is less than 0, its
//! title one that no milestone can have.

use super::{EditMilestone, NewMilestone};
use crate::call::{in_project, scope};
use crate::error::Result;
use crate::issues::sql::{MilestoneRow, milestone_json};
use crate::page::{Key, Page, bounded};
use crate::portions::exhaust;
use crate::store::{Failure, Row, Rows, Statement, Store, sql};
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

/// In any state: their numbers have no gaps but for deleted ones.
const ALL: &str = milestones!(
    "m.iid > 0",
    "select max(coalesce(max(m.iid), 0), 0) - (select count(*) from milestones d where d.project_id = s.project_id
    and d.iid < 0 and d.iid > (select -max(k.iid) from milestones k where k.project_id = s.project_id))
  from milestones m where m.project_id = s.project_id"
);

/// In the state `?7`, and with one of the numbers `?8`.
const IN_STATE: &str = milestones!("m.state = (select ?7) and m.iid > 0");
const NUMBERED: &str = milestones!(
    "m.iid in (select value from json_each(?8)) and m.iid > 0 and m.state = coalesce(?7, m.state)"
);

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
#[derive(Debug, Row)]
enum Part {
    Total(Option<i64>),
    Milestone(Box<MilestoneRow>),
}

/// How many milestones there are of a list, and those of its page.
pub fn read(rows: &Rows) -> Result<(Option<i64>, Vec<MilestoneRow>)> {
    let (mut total, mut milestones) = (None, Vec::new());
    for part in rows.all()? {
        match part {
            Part::Total(count) => total = count,
            Part::Milestone(row) => milestones.push(*row),
        }
    }
    Ok((total, milestones))
}

/// Which milestone of this project has the id `?7`?
const ONE: &str = in_project!(
    "union all select ",
    milestone_json!(),
    " from scope s cross join milestones m on m.id = (select ?7) and m.project_id = s.project_id and m.iid > 0"
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
        "json_array(id, iid, project_id, title, description,
  state, due_date, start_date, created_at, updated_at)"
    };
}

const CREATE: &str = concat!(
    "insert into milestones (project_id, iid, title, description, due_date, start_date, created_at, updated_at)
select ?1, max(coalesce((select max(iid) from milestones where project_id = (select ?1)), 0),
  -coalesce((select min(iid) from milestones where project_id = (select ?1)), 0)) + 1, ?2, ?3, ?4, ?5, ?6, ?6
returning ",
    milestone_returning!(),
    " as v"
);

/// None: there is one of that title.
pub async fn create(
    store: &Store<'_>,
    project_id: i64,
    new: &NewMilestone,
    now: i64,
) -> Result<Option<MilestoneRow>> {
    let (description, title) = (new.description.as_deref(), new.title.trim());
    let (due_date, start_date) = (new.due_date.as_deref(), new.start_date.as_deref());
    unless_taken(store.run(sql!(CREATE, project_id, title, description, due_date, start_date, now)).await)
}

const UPDATE: &str = concat!(
    "update milestones set title = coalesce(?2, title), description = case when ?3 then ?4 else description end,
  due_date = case when ?5 then ?6 else due_date end, state = coalesce(?7, state), updated_at = ?8,
  start_date = case when ?9 then ?10 else start_date end
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
        now,
        !edit.start_date.is_keep(),
        text(&edit.start_date)
    );
    unless_taken(store.ask(statement).await)
}

/// How many issues lose their milestone by one statement: each changes some twenty rows of lists for each of its labels, and
/// reads five times as many.
const PORTION: i64 = 25;

/// From then on no read shows it, and another one may have its title.
const HIDE: &str =
    "update milestones set iid = -iid, title = printf('%0300d', id) where id = (select ?1) and iid > 0";

/// Of deleted milestones of the project `?1`: so many issues lose theirs.
const REMOVE: &str = "update issues set milestone_id = null where id in (select i.id
  from milestones m cross join issues i on i.milestone_id = m.id
  where m.project_id = (select ?1) and m.iid < 0 limit (select ?2))";

/// Are there issues that have a deleted one?
const LEFT: &str =
    "select json(iif(exists (select 1 from milestones m cross join issues i on i.milestone_id = m.id
  where m.project_id = (select ?1) and m.iid < 0), 'true', 'false')) as v";

/// As far as one request goes: whoever deletes a milestone of the project goes on with what others left.
pub async fn delete(store: &Store<'_>, project_id: i64, id: i64, issues: i64) -> Result<()> {
    remove(store, vec![sql!(HIDE, id)], project_id, issues / PORTION + 1).await
}

/// Goes on with what those left who deleted milestones before.
pub async fn go_on(store: &Store<'_>, project_id: i64) -> Result<()> {
    remove(store, Vec::new(), project_id, 0).await
}

async fn remove(store: &Store<'_>, first: Vec<Statement>, project_id: i64, expected: i64) -> Result<()> {
    exhaust(store, first, &sql!(REMOVE, project_id, PORTION), expected, &[sql!(LEFT, project_id)]).await
}

/// Which milestone of this project has the id `?7`, how many issues has it, and when was it changed?
const HELD: &str = in_project!(
    "union all select json_array(m.id, m.opened + m.closed + m.opened_hidden + m.closed_hidden, m.updated_at)
  from scope s cross join milestones m on m.id = (select ?7) and m.project_id = s.project_id and m.iid > 0"
);

pub fn held(milestone_id: i64) -> Statement {
    sql!(HELD, milestone_id)
}

/// Milestones of the project behind the number `$before`, as far as the filter `?7` has them: `[state, title, search, updated after,
/// updated before, numbers]`. Of so many that are looked at.
macro_rules! found {
    ($project:literal, $before:literal) => {
        concat!(
            "(select * from milestones x where x.project_id = ",
            $project,
            " and x.iid > 0 and x.iid < ",
            $before,
            "
      order by x.iid desc limit 10001) m where m.state = coalesce((select ?7 ->> 0), m.state)
    and m.title = coalesce((select ?7 ->> 1), m.title)
    and ((select ?7 ->> 2) is null or instr(lower(m.title || ' ' || coalesce(m.description, '')), (select ?7 ->> 2)))
    and m.updated_at >= coalesce((select ?7 ->> 3), m.updated_at) and m.updated_at <= coalesce((select ?7 ->> 4), m.updated_at)
    and ((select ?7 ->> 5) is null or m.iid in (select value from json_each((select ?7 ->> 5))))"
        )
    };
}

/// Newest first: how many (null: very many), then those before the number `?8`, `?9` passed over, `?10` at most.
const NEWEST_FIRST: &str = bounded!(in_project!(
    "union all select json_object('total', (select iif(count(*) > 10000, null, count(*)) from ",
    found!("s.project_id", "9007199254740992"),
    ")) from scope s
union all select v from (select json_object('milestone', json(",
    milestone_json!(),
    ")) as v from ",
    found!("(select project_id from scope)", "(select ?8)"),
    " limit (select ?10) offset (select ?9))"
));

/// `filter`: JSON as above.
pub fn newest_first(filter: String, page: &Page) -> Statement {
    let ([before], offset) = page.begin([Key::from(1 << 53)]);
    sql!(NEWEST_FIRST, filter, before, offset, page.size + 1)
}

fn unless_taken(outcome: std::result::Result<Rows, Failure>) -> Result<Option<MilestoneRow>> {
    match outcome {
        Err(Failure::Constraint(_)) => Ok(None),
        outcome => Ok(outcome?.first()?),
    }
}
