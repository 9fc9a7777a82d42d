//! Branches and tags.

mod v3;
mod v4;
