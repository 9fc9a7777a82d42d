//! Comments on issues (behaviour 6.8).

mod v3;
mod v4;
