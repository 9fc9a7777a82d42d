//! Commits (behaviour 7.1 and 7.2).

mod elsewhere;
pub(crate) mod names;
mod pages;
mod ranges;
mod v3;
mod v4;
