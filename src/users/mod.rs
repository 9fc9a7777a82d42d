//! Users and their tokens.

pub mod entity;
pub mod sql;
