//! Runs the hook on real repositories against an in-memory server.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod commands;
mod contents;
mod counts;
mod failures;
mod files;
mod hostile;
mod isolation;
mod limits;
mod lists;
mod oracle;
mod peer;
mod refs;
mod repo;
mod settled;
mod shapes;
mod shelf;
mod sync;
mod words;
mod world;
