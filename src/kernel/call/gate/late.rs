//! Bodies that are read behind the gate, and may take minutes.

use super::sql;
use crate::kernel::call::Call;
use crate::kernel::store::{Failure, Statement};

impl Call<'_> {
    /// The expectation with which each batch begins that is written after a body was read behind the gate: until a long
    /// body has come, the caller may have lost the right. None if the body was read before.
    pub(in crate::kernel::call) fn still_allowed(&self) -> Option<Statement> {
        let credentials = self.credentials().filter(|_| self.route.content.is_read_late())?;
        Some(self.scoped(sql::expect_still_allowed {}.into(), &self.gate.borrow(), &credentials.key))
    }

    /// The reason why [`Call::still_allowed`] ended a batch, if it did. It costs a round trip.
    pub(in crate::kernel::call) async fn judged<T>(&self, outcome: Result<T, Failure>) -> Result<T, Failure> {
        match outcome {
            Err(failure) if failure.is_expectation() && self.route.content.is_read_late() => {
                Err(self.enter_gate(None, true).await.err().map_or(failure, |error| Failure::Refused(error.into())))
            }
            outcome => outcome,
        }
    }
}
