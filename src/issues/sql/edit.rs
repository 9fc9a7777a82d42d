//! Statements of an edit.

use super::{IssueRef, before_json, issue_json, seen};
use crate::call::in_project;
use crate::store::{Statement, Value, sql};

/// First row: may `?7` be assigned here, which milestone of this project is `?8`? Then the issue `?9`.
const BEFORE: &str = in_project!(
    "union all select ",
    before_json!(),
    " from scope s join projects p on p.id = s.project_id
union all select ",
    issue_json!("(select id from caller)", "(select ?6 ->> 5)"),
    " from ",
    seen!("?9")
);

pub fn before(assignee_id: Option<i64>, milestone: Value, issue: IssueRef) -> Statement {
    sql!(BEFORE, assignee_id, milestone, issue)
}

/// What the service says about changes of the issue `?1` by the user `?2`: the texts `?3`. It knows the new assignee's
/// name and milestone's number itself.
pub const ADD_SYSTEM_NOTES: &str = "insert into notes (project_id, issue_id, author_id, body, system, created_at, updated_at)
select i.project_id, i.id, ?2, case value
    when 'Reassigned to @{assignee}' then 'Reassigned to @' || (select username from users where id = i.assignee_id)
    when 'Milestone changed to %{milestone}' then
      'Milestone changed to %' || (select iid from milestones where id = i.milestone_id)
    else value end, 1, ?4, ?4
from issues i, json_each(?3) where i.id = (select ?1) and i.deleted_at is null order by key";

/// What the service says where `?1` changes to the state `?5`: the text `?3`, by the user `?2`.
pub const NOTE_STATE: &str =
    "insert into notes (project_id, issue_id, author_id, body, system, created_at, updated_at)
select project_id, id, ?2, ?3, 1, ?4, ?4 from issues where id = (select ?1) and state <> (select ?5) and deleted_at is null";

/// Writes what was given of an issue; the rest stays.
pub const UPDATE: &str = "update issues set updated_at = ?2, title = coalesce(?3, title),
  description = case when ?4 then ?5 else description end, confidential = coalesce(?6, confidential),
  assignee_id = case when ?7 then ?8 else assignee_id end, milestone_id = case when ?9 then ?10 else milestone_id end,
  due_date = case when ?11 then ?12 else due_date end, state = coalesce(?13, state),
  closed_at = iif(coalesce(?13, state) = state, closed_at, iif(?13 = 'closed', ?2, null)),
  closed_by_id = iif(coalesce(?13, state) = state, closed_by_id, iif(?13 = 'closed', ?14, null)),
  discussion_locked = coalesce(?15, discussion_locked),
  words = case when words is null then ?16
    else json_object('d', json(iif(?4, ?16, words) -> '$.d'), 't', json(iif(?3 is null, words, ?16) -> '$.t')) end
where id = (select ?1) and deleted_at is null";

/// Takes off the labels `?2`; with `?3` all but these.
pub const UNLABEL: &str = "delete from issue_labels where issue_id = (select ?1)
  and (label_id in (select l.id from issues i cross join json_each(?2) named
    cross join labels l on l.project_id = i.project_id and l.title = named.value where i.id = (select ?1))) <> (select ?3)";

/// Puts on the labels `?2` that it does not bear yet.
pub const LABEL: &str = "insert into issue_labels (issue_id, label_id) select i.id, l.id
from issues i cross join json_each(?2) named cross join labels l on l.project_id = i.project_id and l.title = named.value
where i.id = (select ?1) and i.deleted_at is null on conflict do nothing";

/// The issue as `?2` sees it. `?3`: the level that reads confidential issues.
pub const RESULT: &str = concat!(
    "select ",
    issue_json!("?2", "(select ?3)"),
    " as v from issues i where i.id = (select ?1) and i.deleted_at is null"
);
