//! Labels (behaviour 6.2).

mod subscriptions;
mod v3;
mod v4;
