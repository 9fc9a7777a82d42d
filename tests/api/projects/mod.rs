//! Projects.

mod v3;
mod v4;
mod v4_activity;
mod v4_writes;
