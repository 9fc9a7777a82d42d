//! What one instance of the Worker and one caller may take.

pub(crate) mod bodies;
pub(crate) mod places;
pub mod quota;
pub mod rate;
pub(crate) mod spending;
