//! Statements.

pub mod quota;
pub mod scope;
