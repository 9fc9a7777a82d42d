//! Milestones (behaviour 6).

mod v3;
mod v4;
