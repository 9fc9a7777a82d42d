//! Moving an issue to another project (behaviour 6.5): a new issue there, the old one closed, in one transaction.

use super::entity::Issue;
use super::sql::{IssueRef, IssueRow};
use super::{by_id, seen};
use crate::call::{Call, Links};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::issues::sql::moves::{
    BEFORE, CLOSE, COPY, COPY_LABELS, COPY_NOTES, COPY_PARTICIPANTS, ENDS_OF_NOTES, EXPECT, NOTE_ARRIVAL,
    NOTE_DEPARTURE, NUMBER, PARTICIPANTS, PORTION, RESULT,
};
use crate::params::Parameters;
use crate::policy::{Access, Action, Visibility, may};
use crate::store::{Row, Statement, Store, sql};

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
    let Before { target, moved, comments, participants } = entered.rows.shift()?.unwrap_or_default();
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
    let portions = Portions {
        comments: if how.with_notes {
            ends_of_comments(&call.store, row.id, comments).await?
        } else {
            Vec::new()
        },
        participants: portions_of_participants(&call.store, row.id, participants).await?,
    };
    let count = call.counted_write(&entered.caller);
    let batch = count.into_iter().chain(statements(row.id, to, user_id, call.now, how, &portions)).collect();
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
    /// How many it has, system comments included.
    comments: i64,
    /// How many rows say so, 1,001 at most.
    participants: i64,
}

/// What is copied by several statements.
struct Portions {
    /// The ids that portions of comments end with, but for the last portion.
    comments: Vec<i64>,
    participants: usize,
}

/// Beyond every id.
const EVER: i64 = 1 << 53;

/// So many comments one request copies.
const MOST_COMMENTS: i64 = 300_000;

async fn ends_of_comments(store: &Store<'_>, issue_id: i64, comments: i64) -> Result<Vec<i64>> {
    if comments > MOST_COMMENTS {
        return Err(Error::message(format!(
            "400 Bad request - The issue has more than {MOST_COMMENTS} comments"
        )));
    }
    let mut ends: Vec<i64> = Vec::new();
    // a few may come meanwhile
    while comments > PORTION * (ends.len() as i64 + 1) {
        let after = ends.last().copied().unwrap_or_default();
        let further: Vec<i64> =
            store.ask(sql!(ENDS_OF_NOTES, issue_id, after)).await?.first()?.unwrap_or_default();
        if further.is_empty() {
            break;
        }
        ends.extend(further);
    }
    Ok(ends)
}

async fn portions_of_participants(store: &Store<'_>, issue_id: i64, rows: i64) -> Result<usize> {
    let (mut portions, mut after) = (1, (rows > PORTION).then_some(-EVER));
    while let Some(last) = after {
        let found: Option<(i64, Option<i64>)> =
            store.ask(sql!(PARTICIPANTS, issue_id, last)).await?.first()?;
        after = found.filter(|(count, _)| *count == PORTION).and_then(|(_, last)| last);
        portions += usize::from(after.is_some());
    }
    Ok(portions)
}

#[derive(Debug, Row)]
struct Target {
    visibility: Visibility,
    access: Access,
    issues_enabled: bool,
}

fn statements(
    issue_id: i64,
    to: i64,
    user_id: i64,
    now: i64,
    how: How,
    portions: &Portions,
) -> Vec<Statement> {
    let arrival = if how.clones { "Cloned from" } else { "Moved from" };
    let mut batch = vec![
        sql!(EXPECT, issue_id, how.clones),
        sql!(NUMBER, to),
        sql!(COPY, issue_id, to, now),
        sql!(COPY_LABELS, issue_id, to),
    ];
    if how.with_notes {
        let ends = portions.comments.iter().copied().chain([EVER]);
        let mut after = 0;
        for end in ends {
            batch.push(sql!(COPY_NOTES, issue_id, to, after, end));
            after = end;
        }
    }
    batch.extend(vec![sql!(COPY_PARTICIPANTS, issue_id, to); portions.participants]);
    batch.push(sql!(NOTE_ARRIVAL, issue_id, to, user_id, now, arrival));
    if !how.clones {
        batch.push(sql!(NOTE_DEPARTURE, issue_id, to, user_id, now));
        batch.push(sql!(CLOSE, issue_id, to, now, user_id));
    }
    batch.push(sql!(RESULT, user_id, to));
    batch
}
