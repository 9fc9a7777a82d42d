//! Deleting an issue: from the first transaction on no read shows it. What hangs on it goes in portions, so that no
//! statement touches very many rows; whoever deletes an issue goes on with what others left.

use crate::error::Result;
use crate::issues::sql::delete::{DONE, HIDE, REMOVE};
use crate::store::{Store, sql};

/// How many rows of each kind one portion removes, and how many portions one request.
const PORTION: i64 = 1000;
const MOST_PORTIONS: i64 = 30;

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
