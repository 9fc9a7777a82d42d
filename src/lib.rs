//! edgeforge is a project-hosting API, v3 and v4, as one pure function from a request and a store to a reply.
//! ARCHITECTURE.md shows how a request runs through it.

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
pub use areas::words::indexing::IndexCounts;
pub use dispatch::Arrival;
pub use kernel::call::token_hash;
pub use kernel::config::{AccessApplication, Config, CostHeader, Replicas, Retention};
pub use kernel::dialect::{BASE_PATH, Dialect, Profile};
pub use kernel::http::gzip;
pub use kernel::jwt::issuers::Issuers;
pub use kernel::limits::{bodies, quota, rate};
pub use kernel::route::Place;
pub use kernel::{cache, http, policy, route, sql, store};
pub use service::{Moment, Record, Service};

/// The routes of one API in the order of its table.
#[cfg(not(target_arch = "wasm32"))]
pub fn routes(dialect: Dialect) -> impl ExactSizeIterator<Item = &'static route::Route> + Clone {
    dispatch::table(dialect).iter().map(|line| &line.route)
}
