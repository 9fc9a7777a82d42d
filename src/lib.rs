//! edgeforge: a project-hosting API, v3 and v4, as one pure function from a request and a store to a reply.
//!
//! The way of a request: `worker.rs` (or a test) -> [`Service::respond`] -> `routes.rs` -> an area's `mod.rs` or `v4.rs`
//! (its parameters, authorization, what it does) -> the area's `sql.rs` -> [`store`] -> and back through the area's
//! `entity.rs` (the shapes of v3) or `v4.rs` (those of v4).

// macros take the statements of lists apart, a token at a time
#![recursion_limit = "512"]

pub mod cache;
mod call;
mod chunks;
mod config;
mod constants;
mod dialect;
mod empty;
mod error;
mod etag;
pub mod http;
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
pub mod inputs;
mod names;
mod near;
mod page;
mod params;
mod person;
pub mod policy;
pub mod quota;
pub mod rate;
pub mod retention;
mod routes;
mod service;
pub mod sql;
pub mod store;
mod throttle;
mod time;
mod walk;

mod badges;
mod comments;
mod commits;
mod deployments;
mod groups;
mod issues;
mod labels;
mod licenses;
mod members;
mod milestones;
mod mirror;
mod notes;
mod projects;
mod refs;
mod settings;
mod statuses;
mod todos;
mod tokens;
mod users;
mod version;

#[cfg(target_arch = "wasm32")]
mod worker;

pub use call::{Place, token_hash};
pub use config::{Config, CostHeader, Replicas, Retention};
pub use dialect::{BASE_PATH, Dialect, Profile};
pub use http::body_limit;
#[cfg(not(target_arch = "wasm32"))]
pub use routes::GATES;
pub use routes::{ROUTES, ROUTES_V4};
pub use service::{Moment, Record, Service};
