//! Moving an issue to another project (behaviour 6.5): a new issue there, the old one closed, in one transaction.

use super::entity::Issue;
use super::sql::{IssueRef, IssueRow};
use super::{by_id, seen};
use crate::call::{Call, Links};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::issues::sql::moves::{
    BEFORE, CLOSE, COPY, COPY_LABELS, COPY_NOTES, COPY_PARTICIPANTS, EXPECT, NOTE_ARRIVAL, NOTE_DEPARTURE,
    NUMBER, RESULT,
};
use crate::params::Parameters;
use crate::policy::{Access, Action, Visibility, may};
use crate::store::{Row, Statement, sql};

/// Parameters of `POST /projects/:id/issues/:issue_id/move`.
#[derive(Debug, Parameters)]
struct MoveIssue {
    to_project_id: i64,
}

/// POST /projects/:id/issues/:issue_id/move
pub async fn create(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let absent = || Error::missing("Issue");
    let how = How { verb: "move", clones: false, with_notes: true };
    let input = call.creation::<MoveIssue>().map(|input| input.to_project_id);
    let (row, links) = carry(call, id, by_id(issue_id).map_err(|_| absent()), input, how, absent()).await?;
    Ok(Reply::json(201, &Issue::new(row, &links)))
}

/// What becomes of the old issue, and what of it goes along.
#[derive(Clone, Copy)]
pub struct How {
    /// `move` or `clone`, as refusals say it.
    pub verb: &'static str,
    /// Whether the old issue stays as it is.
    pub clones: bool,
    pub with_notes: bool,
}

/// Makes the issue anew in the project `to`; as it is there. `absent`: what hears who does not see the issue.
pub async fn carry(
    call: &Call<'_>,
    id: &str,
    issue: Result<IssueRef>,
    to: Result<i64>,
    how: How,
    absent: Error,
) -> Result<(IssueRow, Links)> {
    let target = to.as_ref().ok().copied();
    let (_, mut entered) =
        call.enter_with(id, Action::ReadIssues, issue, |issue| sql!(BEFORE, *issue, target)).await?;
    let Before { target, moved } = entered.rows.shift()?.unwrap_or_default();
    let row = seen(&entered).map_err(|_| absent)?;
    let to = to?;
    let target = target
        .filter(|target| may(Action::ReadProject, target.access, target.visibility))
        .ok_or_else(|| Error::missing("Project"))?;
    if to == row.project_id && !how.clones {
        return Err(Error::message("Cannot move issue to project it originates from!"));
    }
    let refused = || Error::message(format!("Cannot {} issue due to insufficient permissions!", how.verb));
    let allowed = entered.resource.may(Action::MoveIssue)
        && may(Action::MoveIssue, target.access, target.visibility)
        && target.issues_enabled;
    if (moved && !how.clones) || !allowed {
        return Err(refused());
    }
    let user_id = entered.caller.user.id;
    let count = call.counted_write(&entered.caller);
    let batch = count.into_iter().chain(statements(row.id, to, user_id, call.now, how)).collect();
    match call.store.batch(batch).await {
        Err(failure) if failure.is_expectation() => Err(refused()),
        outcome => {
            let outcome = outcome.map_err(|failure| call.in_this_hour(failure.into()));
            let moved: Option<IssueRow> = outcome?.pop().unwrap_or_default().first()?;
            let moved = moved.ok_or_else(|| Error::Internal("a moved issue is not there".to_owned()))?;
            Ok((moved, entered.links))
        }
    }
}

#[derive(Debug, Row, Default)]
struct Before {
    target: Option<Target>,
    /// Whether the issue went elsewhere already.
    moved: bool,
}

#[derive(Debug, Row)]
struct Target {
    visibility: Visibility,
    access: Access,
    issues_enabled: bool,
}

fn statements(issue_id: i64, to: i64, user_id: i64, now: i64, how: How) -> Vec<Statement> {
    let arrival = if how.clones { "Cloned from" } else { "Moved from" };
    let mut batch = vec![
        sql!(EXPECT, issue_id, how.clones),
        sql!(NUMBER, to),
        sql!(COPY, issue_id, to, now),
        sql!(COPY_LABELS, issue_id, to),
    ];
    if how.with_notes {
        batch.push(sql!(COPY_NOTES, issue_id, to));
    }
    batch.push(sql!(COPY_PARTICIPANTS, issue_id, to));
    batch.push(sql!(NOTE_ARRIVAL, issue_id, to, user_id, now, arrival));
    if !how.clones {
        batch.push(sql!(NOTE_DEPARTURE, issue_id, to, user_id, now));
        batch.push(sql!(CLOSE, issue_id, to, now, user_id));
    }
    batch.push(sql!(RESULT, user_id, to));
    batch
}
