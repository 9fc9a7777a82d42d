//! Runs `run`, `report` and `gate` against a stand-in for the server, and the readers on files of many tools.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod attacks;
mod environment;
mod findings;
mod gate;
mod junit;
mod run;
mod server;
mod signals;
