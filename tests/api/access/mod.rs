//! Who may make a request, and in which order it is refused.

mod access_matrix;
mod archived;
mod auth_order;
mod escalation;
mod late_bodies;
mod sudo;
mod visitors;
