//! Limits of one instance of the Worker, and of one caller.

pub mod bodies;
pub mod quota;
pub mod rate;
pub(crate) mod slots;
pub(crate) mod spending;
