//! Deleting an issue: from the first transaction on no read shows it. What hangs on it goes in portions, so that no
//! statement touches very many rows; whoever deletes an issue goes on with what others left.

use crate::error::Result;
use crate::store::{Store, sql};

/// How many rows of each kind one portion removes, and how many portions one request.
const PORTION: i64 = 1000;
const MOST_PORTIONS: i64 = 30;

/// Its labels are at most some hundreds. The issue itself stays as a row.
const HIDE: [&str; 3] = [
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
const REMOVE: [&str; 4] = [
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

const DONE: &str = "delete from issue_remains where issue_id = (select min(issue_id) from issue_remains)
  and not exists (select 1 from todos x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from notes x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from participants x where x.issue_id = issue_remains.issue_id)
  and not exists (select 1 from subscriptions x where x.issue_id = issue_remains.issue_id)";

/// `comments`: how many the issue has, as far as is known.
pub async fn delete(store: &Store<'_>, issue_id: i64, comments: i64, now: i64) -> Result<()> {
    let [labels, hide, remains] = HIDE;
    let mut batch = vec![sql!(labels, issue_id), sql!(hide, issue_id, now), sql!(remains, issue_id)];
    for _ in 0..=(comments / PORTION).clamp(0, MOST_PORTIONS) {
        batch.extend(REMOVE.iter().map(|text| sql!(*text, PORTION)));
        batch.push(sql!(DONE));
    }
    store.repeat(batch).await?;
    Ok(())
}
