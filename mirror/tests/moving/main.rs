//! Runs `export` and `import` against stand-ins for a GitLab and for the server.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod archives;
mod broken;
mod exports;
mod faults;
mod forge;
mod gitlab;
mod http;
mod imports;
mod oddities;
mod packages;
mod people;
mod programs;
mod verifying;
