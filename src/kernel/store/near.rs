//! Reads from replicas of the database.

use super::{Reading, Rows, Statement, Store, StoreFuture};
use futures_util::future::join;

impl Store<'_> {
    /// Chooses the copy of the database for the next batches.
    pub fn turn_to(&self, reading: Reading) {
        self.reading.replace(reading);
    }

    /// Whether a replica may answer.
    pub fn is_away(&self) -> bool {
        self.reading.borrow().is_away()
    }

    /// The newest state that a batch read or left.
    pub fn bookmark(&self) -> Option<String> {
        self.bookmark.borrow().clone()
    }

    /// [`Store::repeat`] for a caller with a token while a replica is read. The primary runs `check`, the
    /// authorization query, at the same time. The replica's rows count only if their first row equals the
    /// primary's. Otherwise the primary runs the whole batch. So a replica that lags behind lets nobody in
    /// (behaviour 4.6).
    pub fn repeat_with_check(&self, check: Statement, batch: Vec<Statement>) -> StoreFuture<'_, Vec<Rows>> {
        Box::pin(async move {
            let check = self.batch_at(vec![check], Reading::Primary);
            let (check, answers) = join(check, self.batch(batch.clone())).await;
            let first = |answers: &[Rows]| answers.first().and_then(|rows| rows.0.first().cloned());
            match (check, answers) {
                (Ok(check), Ok(answers)) if first(&check) == first(&answers) => Ok(answers),
                _ => {
                    self.turn_to(Reading::Primary);
                    self.repeat(batch).await
                }
            }
        })
    }
}
