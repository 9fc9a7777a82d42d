//! Editing, closing and reopening (behaviour 6.3): the whole edit is one transaction.

use super::change::Change;
use super::entity::Issue;
use super::input::EditIssue;
use super::sql::{Before, IssueRef, IssueRow};
use super::{by_id, seen, sql};
use crate::call::{Call, Entered, Links};
use crate::dialect::Dialect;
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::params::Patch;
use crate::policy::Action;
use crate::store::{Statement, Value};

/// PUT /projects/:id/issues/:issue_id
pub async fn update(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let (row, links) = change(call, id, by_id(issue_id), call.edit_and_errors()).await?;
    Ok(Reply::json(200, &Issue::new(row, &links)))
}

/// Changes an issue; as it is then.
pub async fn change(
    call: &Call<'_>,
    id: &str,
    issue: Result<IssueRef>,
    input: Result<(EditIssue, ValidationErrors)>,
) -> Result<(IssueRow, Links)> {
    let input = input.map(|(edit, mut errors)| (edit.checked(&mut errors), errors));
    let (_, mut entered) =
        call.enter_with(id, Action::ReadIssues, issue, |issue| query(&input, *issue)).await?;
    let before: Before = entered.rows.shift()?.unwrap_or_default();
    let row = editable(&entered)?;
    let (edit, updated_at) = edit_of(call.dialect, &entered, &before, input?)?;
    let statements = Change::new(&row, edit, updated_at, entered.caller.user.id, call.now).statements();
    if statements.is_empty() {
        return Ok((row, entered.links));
    }
    let rows = call.store.batch(statements).await?.pop().unwrap_or_default();
    // deleted meanwhile
    let row: IssueRow = rows.first()?.ok_or_else(Error::no_record)?;
    Ok((row, entered.links))
}

/// The issue, and whom and what the edit names. An edit that cannot be read names nobody, and is told so once the issue
/// is found.
fn query(input: &Result<(EditIssue, ValidationErrors)>, issue: IssueRef) -> Statement {
    let Ok((edit, _)) = input else { return sql::edit::before(None, Value::Null, issue) };
    let milestone_id = edit.milestone_id.set().copied();
    let milestone = edit.milestone.as_deref().map_or(milestone_id.into(), Value::from);
    sql::edit::before(edit.assignee_id.set().copied(), milestone, issue)
}

/// The issue that was found, if the caller may edit it: as one who plans, its author or its assignee.
fn editable(entered: &Entered) -> Result<IssueRow> {
    if !entered.resource.has_issues() {
        return Err(Error::FORBIDDEN);
    }
    let row = seen(entered)?;
    let may = entered.resource.may(Action::EditAnyIssue) || row.concerns(entered.caller.user.id);
    if may { Ok(row) } else { Err(Error::FORBIDDEN) }
}

/// As much of an edit as the caller may change, and the time that it is dated to.
fn edit_of(
    dialect: Dialect,
    entered: &Entered,
    before: &Before,
    (mut edit, mut errors): (EditIssue, ValidationErrors),
) -> Result<(EditIssue, Option<i64>)> {
    if entered.resource.may(Action::EditAnyIssue) {
        before.check(dialect, &mut errors);
        if edit.milestone.is_some() {
            edit.milestone_id = before.milestone_id().map_or(Patch::Keep, Patch::Set);
        }
    } else {
        edit = edit.without_planning();
    }
    let updated_at = edit.updated_at.as_deref().filter(|_| entered.resource.may(Action::SetTimes));
    let updated_at = errors.read_time("updated_at", updated_at);
    errors.result().map(|()| (edit, updated_at))
}
