//! Batches that a replica may answer.

use super::{Later, Reading, Rows, Statement, Store};
use futures_util::future::join;

impl Store<'_> {
    /// From now on batches go there.
    pub fn turn_to(&self, reading: Reading) {
        self.reading.replace(reading);
    }

    /// Whether batches may be answered by a replica.
    pub fn is_away(&self) -> bool {
        self.reading.borrow().is_away()
    }

    /// The newest state that a batch read or left, where that was told.
    pub fn bookmark(&self) -> Option<String> {
        self.bookmark.borrow().clone()
    }

    /// [`Store::repeat`] of a batch that reads for somebody with a token, while replicas are asked. `door`, the head of its
    /// first statement alone, goes to the primary at the same time, and what a replica says counts only where its first
    /// row, who calls and how they stand, is the primary's to the letter. Else the primary is asked for all. So nobody is
    /// let in by what a replica has not heard yet (behaviour 4.6).
    pub fn repeat_behind(&self, door: Statement, batch: Vec<Statement>) -> Later<'_, Vec<Rows>> {
        Box::pin(async move {
            let door = self.batch_at(vec![door], Reading::Primary);
            let (door, answers) = join(door, self.batch(batch.clone())).await;
            let first = |answers: &[Rows]| answers.first().and_then(|rows| rows.0.first().cloned());
            match (door, answers) {
                (Ok(door), Ok(answers)) if first(&door) == first(&answers) => Ok(answers),
                _ => {
                    self.turn_to(Reading::Primary);
                    self.repeat(batch).await
                }
            }
        })
    }
}
