//! Statements.

pub mod idempotency;
pub mod quota;
pub mod scope;
