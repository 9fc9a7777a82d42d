//! Moving an issue to another project (behaviour 6.5): a new issue there, the old one closed, in one transaction.

use super::entity::Issue;
use super::seen;
use super::sql::{IssueRow, issue_json, seen as seen_issue};
use crate::call::scope::{project_access, sees};
use crate::call::{Call, in_project, path_id};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::policy::{Access, Action, Visibility, may};
use crate::sql;
use crate::store::{Statement, flag};
use serde::Deserialize;

/// Parameters of `POST /projects/:id/issues/:issue_id/move`.
#[derive(Debug, Deserialize)]
struct MoveIssue {
    to_project_id: i64,
}

/// POST /projects/:id/issues/:issue_id/move
pub async fn create(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let input = call.creation::<MoveIssue>();
    let to = input.as_ref().ok().map(|input| input.to_project_id);
    let issue_id = path_id(issue_id).map_err(|_| Error::missing("Issue"));
    let (_, mut entered) =
        call.enter_with(id, Action::ReadIssues, issue_id, |issue_id| sql!(BEFORE, *issue_id, to)).await?;
    let Before { target, moved } = entered.rows.shift()?.unwrap_or_default();
    let row = seen(&entered).map_err(|_| Error::missing("Issue"))?;
    let to = input?.to_project_id;
    let target = target
        .filter(|target| may(Action::ReadProject, target.access, target.visibility))
        .ok_or_else(|| Error::missing("Project"))?;
    if to == row.project_id {
        return Err(Error::message("Cannot move issue to project it originates from!"));
    }
    let refused = || Error::message("Cannot move issue due to insufficient permissions!");
    let allowed = entered.resource.may(Action::MoveIssue)
        && may(Action::MoveIssue, target.access, target.visibility)
        && target.issues_enabled;
    if moved || !allowed {
        return Err(refused());
    }
    let user_id = entered.caller.user.id;
    let count = call.counted_write(&entered.caller);
    let batch = count.into_iter().chain(statements(row.id, to, user_id, call.now)).collect();
    match call.store.batch(batch).await {
        Err(failure) if failure.is_expectation() => Err(refused()),
        outcome => {
            let outcome = outcome.map_err(|failure| call.in_this_hour(failure.into()));
            let moved: Option<IssueRow> = outcome?.pop().unwrap_or_default().first()?;
            let moved = moved.ok_or_else(|| Error::Internal("a moved issue is not there".to_owned()))?;
            Ok(Reply::json(201, &Issue::new(moved, &entered.links)))
        }
    }
}

#[derive(Debug, Deserialize, Default)]
struct Before {
    target: Option<Target>,
    /// Whether the issue went elsewhere already.
    #[serde(with = "flag")]
    moved: bool,
}

#[derive(Debug, Deserialize)]
struct Target {
    visibility: Visibility,
    access: Access,
    #[serde(with = "flag")]
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
    issue_json!("(select id from caller)"),
    " from ",
    seen_issue!("?7")
);

/// The issue made in the project `?2`: the one with its last number.
macro_rules! arrived {
    () => {
        "(select n.id from issues n where n.project_id = (select ?2) and n.iid = (select last_iid from issue_counts where project_id = (select ?2)))"
    };
}

/// It is still there and has not moved.
const EXPECT: &str = "insert into expectations (holds)
select exists (select 1 from issues where id = (select ?1) and moved_to_id is null and deleted_at is null)";

const NUMBER: &str = "update issue_counts set last_iid = last_iid + 1 where project_id = (select ?1)";

/// Same texts, author, times, state; the milestone of the same title; the assignee if he sees the project.
const COPY: &str = concat!(
    "insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential,
  due_date, closed_at, closed_by_id, discussion_locked, created_at, updated_at)
select ?2, (select last_iid from issue_counts where project_id = (select ?2)), i.author_id,
  (select u.id from users u join projects p on p.id = (select ?2) where u.id = i.assignee_id
    and ", sees!("u", "p"), "),
  (select t.id from milestones m join milestones t on t.project_id = (select ?2) and t.title = m.title where m.id = i.milestone_id),
  i.title, i.description, i.state, i.confidential, i.due_date, i.closed_at, i.closed_by_id, i.discussion_locked, i.created_at, ?3
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
    ", ?3, 'Moved from', 1, p.full_path || '#' || i.iid, p.id, ?4, ?4
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

const RESULT: &str = concat!("select ", issue_json!("?1"), " as v from issues i where i.id = ", arrived!());

fn statements(issue_id: i64, to: i64, user_id: i64, now: i64) -> Vec<Statement> {
    vec![
        sql!(EXPECT, issue_id),
        sql!(NUMBER, to),
        sql!(COPY, issue_id, to, now),
        sql!(COPY_LABELS, issue_id, to),
        sql!(COPY_NOTES, issue_id, to),
        sql!(COPY_PARTICIPANTS, issue_id, to),
        sql!(NOTE_ARRIVAL, issue_id, to, user_id, now),
        sql!(NOTE_DEPARTURE, issue_id, to, user_id, now),
        sql!(CLOSE, issue_id, to, now, user_id),
        sql!(RESULT, user_id, to),
    ]
}
