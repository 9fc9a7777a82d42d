//! Statements of `issues/delete.rs`.

/// Its labels are at most some hundreds. The issue itself stays as a row.
pub const HIDE: [&str; 3] = [
    "delete from issue_labels where issue_id = (select ?1)",
    "update issues set deleted_at = ?2, user_notes_count = 0, system_notes_count = 0 where id = (select ?1) and deleted_at is null",
    "insert into issue_remains (issue_id) values (?1) on conflict do nothing",
];

/// The issue whose remains go first.
macro_rules! first {
    () => {
        "(select min(issue_id) from issue_remains)"
    };
}

/// To-do items before the comments that they stem from.
pub const REMOVE: [&str; 4] = [
    concat!(
        "delete from todos where id in (select id from todos where issue_id = ",
        first!(),
        " limit (select ?1))"
    ),
    concat!(
        "delete from notes where id in (select n.id from notes n where n.issue_id = ",
        first!(),
        " and not exists (select 1 from todos t where t.note_id = n.id) limit (select ?1))"
    ),
    concat!(
        "delete from participants where (issue_id, user_id, note_id) in (select issue_id, user_id, note_id
  from participants where issue_id = ",
        first!(),
        " limit (select ?1))"
    ),
    concat!(
        "delete from subscriptions where (issue_id, user_id) in (select issue_id, user_id
  from subscriptions where issue_id = ",
        first!(),
        " limit (select ?1))"
    ),
];

pub const DONE: &str = "delete from issue_remains where issue_id = (select min(issue_id) from issue_remains)
  and not exists (select 1 from todos x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from notes x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from participants x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from subscriptions x where x.issue_id = issue_remains.issue_id)";
