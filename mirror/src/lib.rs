//! The push hook of edgeforge: indexes a repository mirror over the API.
//!
//! `git` runs git sealed against configuration; `log` reads commits from one streaming process with the help of
//! `stream`, `patch`, `diff` and `objects`; `sync` asks the `server` what it has, sends what is missing through
//! `pipeline` in `batch`es, and swaps the refs.

pub mod args;
pub mod batch;
pub mod commit;
pub mod console;
pub mod date;
pub mod diff;
pub mod error;
pub mod git;
pub mod index;
pub mod install;
pub mod lists;
pub mod lock;
pub mod log;
pub mod objects;
pub mod patch;
pub mod pipeline;
pub mod plan;
pub mod refs;
pub mod resume;
pub mod server;
pub mod settings;
pub mod stream;
pub mod sync;
pub mod text;
pub mod verify;
