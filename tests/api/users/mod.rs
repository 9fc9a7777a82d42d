//! Users.

mod v3;
mod v4;
