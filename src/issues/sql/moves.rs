//! Statements of `issues/moves.rs`.

use crate::call::in_project;
use crate::call::sql::scope::{project_access, sees};
use crate::issues::sql::{issue_json, seen as seen_issue};

/// How does the caller stand to the project `?8`? Then the issue `?7`.
pub const BEFORE: &str = in_project!(
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
    issue_json!("(select id from caller)", "(select ?6 ->> 5)"),
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
pub const EXPECT: &str = "insert into expectations (holds)
select exists (select 1 from issues where id = (select ?1) and (moved_to_id is null or ?2) and deleted_at is null)";

pub const NUMBER: &str = "update issue_counts set last_iid = last_iid + 1 where project_id = (select ?1)";

/// Same texts, author, times, state; the milestone of the same title; the assignee if they see the project.
pub const COPY: &str = concat!(
    "insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, state, confidential,
  due_date, closed_at, closed_by_id, discussion_locked, created_at, updated_at, words)
select ?2, (select last_iid from issue_counts where project_id = (select ?2)), i.author_id,
  (select u.id from users u join projects p on p.id = (select ?2) where u.id = i.assignee_id
    and ", sees!("u", "p"), "),
  (select t.id from milestones m join milestones t on t.project_id = (select ?2) and t.title = m.title where m.id = i.milestone_id),
  i.title, i.description, i.state, i.confidential, i.due_date, i.closed_at, i.closed_by_id, i.discussion_locked, i.created_at, ?3, i.words
from issues i where i.id = (select ?1)"
);

pub const COPY_LABELS: &str = concat!(
    "insert into issue_labels (issue_id, label_id) select n.id, t.id from issue_labels b join labels l on l.id = b.label_id
join labels t on t.project_id = (select ?2) and t.title = l.title join issues n on n.id = ", arrived!(), "
where b.issue_id = (select ?1)"
);

pub const COPY_NOTES: &str = concat!(
    "insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select ?2, ",
    arrived!(),
    ", author_id, body, system, reference, reference_project_id, created_at, updated_at from notes where issue_id = (select ?1) order by id"
);

pub const COPY_PARTICIPANTS: &str = concat!(
    "insert into participants (issue_id, user_id, note_id)
select distinct ",
    arrived!(),
    ", user_id, 0 from participants where issue_id = (select ?1)"
);

pub const NOTE_ARRIVAL: &str = concat!(
    "insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select ?2, ",
    arrived!(),
    ", ?3, ?5, 1, p.full_path || '#' || i.iid, p.id, ?4, ?4
from issues i join projects p on p.id = i.project_id where i.id = (select ?1)"
);

pub const NOTE_DEPARTURE: &str = concat!(
    "insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select i.project_id, i.id, ?3, 'Moved to', 1, p.full_path || '#' || n.iid, p.id, ?4, ?4
from issues i, issues n join projects p on p.id = n.project_id where i.id = (select ?1) and n.id = ",
    arrived!()
);

pub const CLOSE: &str = concat!(
    "update issues set state = 'closed', closed_at = iif(state = 'closed', closed_at, ?3),
  closed_by_id = iif(state = 'closed', closed_by_id, ?4), moved_to_id = ",
    arrived!(),
    ", updated_at = ?3 where id = (select ?1)"
);

pub const RESULT: &str =
    concat!("select ", issue_json!(new: "?1"), " as v from issues i where i.id = ", arrived!());
