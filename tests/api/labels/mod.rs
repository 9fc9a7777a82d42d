//! Labels (behaviour 6.2).

mod v3;
mod v4;
