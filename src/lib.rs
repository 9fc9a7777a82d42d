//! edgeforge is a project-hosting API, v3 and v4, as one pure function from a request and a store to a reply.
//! ARCHITECTURE.md shows how a request runs through it.

// the macros of `sql.rs` read a list's statement token by token
#![recursion_limit = "512"]

mod areas;
mod dispatch;
mod hints;
#[cfg(not(target_arch = "wasm32"))]
#[doc(hidden)]
pub mod inputs;
mod kernel;
mod replica;
mod routes;
mod service;
#[cfg(target_arch = "wasm32")]
mod worker;

#[doc(hidden)]
pub use areas::addresses;
pub use areas::hooks::outbox::{DeliveryCounts, Run};
pub use areas::retention;
pub use kernel::call::{Place, token_hash};
pub use kernel::config::{Config, CostHeader, Replicas, Retention};
pub use kernel::dialect::{BASE_PATH, Dialect, Profile};
pub use kernel::http::body_limit;
pub use kernel::limits::{quota, rate};
pub use kernel::{cache, http, policy, sql, store};
#[cfg(not(target_arch = "wasm32"))]
pub use routes::GATES;
pub use routes::{ROUTES, ROUTES_V4};
pub use service::{Moment, Record, Service};
