//! edgeforge is a project-hosting API, v3 and v4, as one pure function from a request and a store to a reply.
//! ARCHITECTURE.md shows how a request runs through it.

// the macros of `sql.rs` read a list's statement token by token
#![recursion_limit = "512"]

mod bodies;
mod bounded;
pub mod cache;
mod call;
mod chunks;
mod config;
mod constants;
mod dialect;
mod discussion;
mod empty;
mod error;
mod etag;
mod events;
mod fold;
mod health;
mod hooks;
pub mod http;
mod incoming;
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
pub mod inputs;
mod names;
mod near;
mod page;
mod params;
mod person;
mod places;
pub mod policy;
pub mod quota;
mod ranges;
pub mod rate;
pub mod retention;
mod routes;
mod search;
mod service;
mod spending;
pub mod sql;
pub mod store;
mod throttle;
mod time;
mod walk;
mod web;

mod activity;
#[doc(hidden)]
pub mod addresses;
mod awards;
mod badges;
mod comments;
mod commits;
mod contents;
mod deployments;
mod feeds;
mod files;
mod groups;
mod issues;
mod labels;
mod licenses;
mod links;
mod markdown;
mod members;
mod milestones;
mod mirror;
mod notes;
mod packages;
mod pipelines;
mod projects;
mod refs;
mod releases;
mod settings;
mod statuses;
mod todos;
mod tokens;
mod uploads;
mod users;
mod version;

#[cfg(target_arch = "wasm32")]
mod worker;

pub use call::{Place, token_hash};
pub use config::{Config, CostHeader, Replicas, Retention};
pub use dialect::{BASE_PATH, Dialect, Profile};
pub use hooks::outbox::{Delivered, Run};
pub use http::body_limit;
#[cfg(not(target_arch = "wasm32"))]
pub use routes::GATES;
pub use routes::{ROUTES, ROUTES_V4};
pub use service::{Moment, Record, Service};
