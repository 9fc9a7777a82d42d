//! License templates (behaviour 11).

mod v3;
mod v4;
