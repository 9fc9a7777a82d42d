//! Statements.

pub mod bounded;
