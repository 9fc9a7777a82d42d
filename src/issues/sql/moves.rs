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
    ")), 'moved', i.moved_to_id is not null,
  'comments', i.user_notes_count + i.system_notes_count, 'participants', (
    select count(*) from (select 1 from participants t where t.issue_id = i.id limit 1001))) from ",
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

/// How many comments one statement copies, and how many users.
pub const PORTION: i64 = 1000;

/// The comments behind the id `?2` of the issue `?1`: the last id of each portion, of nine at most.
pub const ENDS_OF_NOTES: &str = "with recursive ends(id, number) as (
  select (select n.id from notes n where n.issue_id = (select ?1) and n.id > (select ?2) order by n.id limit 1 offset 999), 1
  union all
  select (select n.id from notes n where n.issue_id = (select ?1) and n.id > ends.id order by n.id limit 1 offset 999), number + 1
  from ends where ends.id is not null and number < 9
)
select json_group_array(id) as v from ends where id is not null";

/// Those with ids above `?3`, to `?4`.
pub const COPY_NOTES: &str = concat!(
    "insert into notes (project_id, issue_id, author_id, body, system, reference, reference_project_id, created_at, updated_at)
select ?2, ",
    arrived!(),
    ", author_id, body, system, reference, reference_project_id, created_at, updated_at from notes where issue_id = (select ?1) and id > (select ?3) and id <= (select ?4) order by id"
);

/// The users `next` who take part in the issue `?1`, each once, from the first whose id is greater than `$after`.
macro_rules! participants {
    ($after:expr) => {
        concat!(
            "with recursive next(user_id) as (
  select min(p.user_id) from participants p where p.issue_id = (select ?1) and p.user_id > ",
            $after,
            "
  union all
  select (select min(p.user_id) from participants p where p.issue_id = (select ?1) and p.user_id > next.user_id)
  from next where next.user_id is not null limit 1000
)"
        )
    };
}

/// How many are in a portion behind the user `?2`, and who is the last of them?
pub const PARTICIPANTS: &str =
    concat!(participants!("(select ?2)"), " select json_array(count(user_id), max(user_id)) as v from next");

/// Copies those behind the last that was copied.
pub const COPY_PARTICIPANTS: &str = concat!(
    "insert into participants (issue_id, user_id, note_id) ",
    participants!(concat!(
        "coalesce((select max(t.user_id) from participants t where t.issue_id = ",
        arrived!(),
        "), -9007199254740992)"
    )),
    " select ",
    arrived!(),
    ", user_id, 0 from next where user_id is not null"
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
