//! Issues (specification, "Issues"; behaviour 6).

pub mod change;
pub mod commands;
pub mod creation;
pub mod lists;
mod moved_uploads;
mod moves;
pub mod record;
pub mod texts;
pub mod times;
pub mod v3;
pub mod v4;

use crate::kernel::dialect::Dialect;
use crate::kernel::{Action, Call, Entry, Error, Links, PreparedQuery, Query, Result, Statement, ValidationErrors};
use record::References;
pub use record::writing;
pub use record::{IssueRow, MilestoneRow, sql};
pub use texts::{mentions, people};

/// How a request names an issue: v3 by `id`, v4 by `iid`.
#[derive(Debug, Clone, Copy)]
pub struct IssueRef {
    pub id: Option<i64>,
    pub iid: Option<i64>,
}

impl IssueRef {
    pub fn query(&self) -> sql::one<Option<i64>, Option<i64>> {
        sql::one { id: self.id, iid: self.iid }
    }
}

#[derive(Debug, Default)]
pub struct MilestoneRef {
    id: Option<i64>,
    title: Option<String>,
}

impl MilestoneRef {
    fn references(&self, assignee_id: Option<i64>) -> PreparedQuery<Option<References>> {
        writing::references { assignee_id, milestone_id: self.id, milestone: self.title.as_deref() }.prepare()
    }
}

impl References {
    fn check(
        &self,
        assignee_id: Option<i64>,
        milestone: &MilestoneRef,
        dialect: Dialect,
        errors: &mut ValidationErrors,
    ) {
        if assignee_id.is_some() && self.assignee.is_none() {
            errors.add(dialect.assignee_parameter(), "is invalid");
        }
        if (milestone.id.is_some() || milestone.title.is_some()) && self.milestone_id.is_none() {
            errors.add("milestone_id", "is invalid");
        }
    }
}

/// Returns 404 if the caller does not see the issue.
pub async fn find(call: &Call<'_>, issue: Result<IssueRef>) -> Result<(IssueRow, Entry)> {
    let (_, entry, row) = call.authorize_with(issue, IssueRef::query).await?;
    Ok((row.ok_or_else(Error::no_record)?, entry))
}

/// Returns None if the caller's subscription stays the same (behaviour 6.6).
async fn subscribe(call: &Call<'_>, issue: Result<IssueRef>, subscribed: bool) -> Result<Option<(IssueRow, Links)>> {
    let (mut row, entry) = find(call, issue).await?;
    if row.subscribed == subscribed {
        return Ok(None);
    }
    let user_id = entry.caller()?.user.id;
    let chosen = call.write(sql::subscribe { issue_id: row.id, user_id, subscribed }).await?;
    row.subscribed = subscribed;
    Ok(chosen.map(|_| (row, entry.links)))
}

/// Returns the issue as it was (behaviour 6.4). `refused` is the error if the caller sees it but may not delete it.
async fn delete(call: &Call<'_>, issue: Result<IssueRef>, refused: Error) -> Result<(IssueRow, Links)> {
    let (_, entry, row) = call.authorize_with(issue, IssueRef::query).await?;
    let row = row.ok_or_else(|| Error::missing("Issue"))?;
    if !entry.resource.may(Action::DeleteIssue) {
        return Err(refused);
    }
    call.expect_unmodified(row.updated_at)?;
    remove(call, &row).await?;
    Ok((row, entry.links))
}

const CHUNK: i64 = 500;
const MOST_CHUNKS: i64 = 60;

/// Hides the issue at once and removes its rows in chunks, so that no statement touches too many rows. The next
/// deletion of an issue continues with the rest.
async fn remove(call: &Call<'_>, row: &IssueRow) -> Result<()> {
    let (issue_id, most, now) = (row.id, CHUNK, call.now);
    let mut batch: Vec<Statement> = vec![
        sql::take_labels_off { issue_id }.into(),
        sql::hide { issue_id, now }.into(),
        sql::leave_remains { issue_id }.into(),
    ];
    for _ in 0..=(row.user_notes_count / CHUNK).clamp(0, MOST_CHUNKS) {
        batch.extend([
            sql::remove_todos { most }.into(),
            sql::remove_notes { most }.into(),
            sql::remove_participants { most }.into(),
            sql::remove_subscriptions { most }.into(),
            sql::remove_references { most }.into(),
            sql::remove_events { most }.into(),
            sql::remove_awards { most }.into(),
            sql::remove_links { most }.into(),
            sql::end_remains {}.into(),
        ]);
    }
    call.write_safely(batch).await?;
    Ok(())
}
