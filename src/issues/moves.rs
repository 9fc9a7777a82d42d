//! Moving an issue to another project (behaviour 6.5): a new issue there, the old one closed, in one transaction.

use super::entity::Issue;
use super::sql::{IssueRef, IssueRow, issue_json, seen as seen_issue};
use super::{by_id, seen};
use crate::call::sql::scope::{project_access, sees};
use crate::call::{Call, Links, in_project};
use crate::error::{Error, Result};
use crate::http::Reply;
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

/// How does the caller stand to the project `?8`? Then the issue `?7`.
const BEFORE: &str = in_project!(
    "union all select json_object('target', json((select json_object('visibility', p.visibility,
    'issues_enabled', p.issues_enabled, 'access', ",
    project_access!("c", "p"),
    ") from caller c cross join projects p
    on p.id = (select ?8) where p.deleted_at is null and ",
    sees!("c", "p"),
    ")), 'moved', i.moved_to_id is not null) from ",
    seen_issue!("?7"),
    "
union all select ",
    issue_json!("(select id from caller)", "(select ?6 ->> 6)"),
    " from ",
    seen_issue!("?7")
);

/// The issue made in the project `?2`: the one with its last number.
macro_rules! arrived {
    () => {
        "(select n.id from issues n where n.project_id = (select ?2) and n.iid = (select last_iid from issue_counts where project_id = (select ?2)))"
    };
}

/// It is still there and has not moved, or may have (`?2`).
const EXPECT: &str = "insert into expectations (holds)
select exists (select 1 from issues where id = (select ?1) and (moved_to_id is null or ?2) and deleted_at is null)";

const NUMBER: &str = "update issue_counts set last_iid = last_iid + 1 where project_id = (select ?1)";

/// Same texts, author, times, state; the milestone of the same title; the assignee if they see the project.
const COPY: &str = concat!(
    "insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential,
  due_date, closed_at, closed_by_id, discussion_locked, created_at, updated_at, words)
select ?2, (select last_iid from issue_counts where project_id = (select ?2)), i.author_id,
  (select u.id from users u join projects p on p.id = (select ?2) where u.id = i.assignee_id
    and ", sees!("u", "p"), "),
  (select t.id from milestones m join milestones t on t.project_id = (select ?2) and t.title = m.title where m.id = i.milestone_id),
  i.title, i.description, i.state, i.confidential, i.due_date, i.closed_at, i.closed_by_id, i.discussion_locked, i.created_at, ?3, i.words
from issues i where i.id = (select ?1)"
);

const COPY_LABELS: &str = concat!(
    "insert into issue_labels (issue_id, label_id) select n.id, t.id from issue_labels b join labels l on l.id = b.label_id
join labels t on t.project_id = (select ?2) and t.title = l.title join issues n on n.id = ", arrived!(), "
where b.issue_id = (select ?1)"
);

const COPY_NOTES: &str = concat!(
    "insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select ?2, ",
    arrived!(),
    ", author_id, body, system, reference, reference_project_id, created_at, updated_at from notes where issue_id = (select ?1) order by id"
);

const COPY_PARTICIPANTS: &str = concat!(
    "insert into participants (issue_id, user_id, note_id)
select distinct ",
    arrived!(),
    ", user_id, 0 from participants where issue_id = (select ?1)"
);

const NOTE_ARRIVAL: &str = concat!(
    "insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select ?2, ",
    arrived!(),
    ", ?3, ?5, 1, p.full_path || '#' || i.iid, p.id, ?4, ?4
from issues i join projects p on p.id = i.project_id where i.id = (select ?1)"
);

const NOTE_DEPARTURE: &str = concat!(
    "insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select i.project_id, i.id, ?3, 'Moved to', 1, p.full_path || '#' || n.iid, p.id, ?4, ?4
from issues i, issues n join projects p on p.id = n.project_id where i.id = (select ?1) and n.id = ",
    arrived!()
);

const CLOSE: &str = concat!(
    "update issues set state = 'closed', closed_at = iif(state = 'closed', closed_at, ?3),
  closed_by_id = iif(state = 'closed', closed_by_id, ?4), moved_to_id = ",
    arrived!(),
    ", updated_at = ?3 where id = (select ?1)"
);

const RESULT: &str =
    concat!("select ", issue_json!(new: "?1"), " as v from issues i where i.id = ", arrived!());

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
