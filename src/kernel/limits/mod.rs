//! What one instance of the Worker and one caller may take.

pub(crate) mod bodies;
pub mod quota;
pub mod rate;
pub(crate) mod slots;
pub(crate) mod spending;
