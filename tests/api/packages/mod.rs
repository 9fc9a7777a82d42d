//! Generic packages of a project (behaviour 19).

mod listing;
mod publishing;
mod serving;

use crate::support::v4::ask;
use crate::support::{Ask, Person, World};
use serde_json::Value;

pub fn publishing(world: &World, path: &str, bytes: &[u8]) -> Ask {
    ask(world, "PUT", &format!("/packages/generic/{path}")).body("application/octet-stream", bytes)
}

/// Returns the file.
pub fn published(world: &World, person: &Person, path: &str, bytes: &[u8]) -> Value {
    publishing(world, &format!("{path}?select=package_file"), bytes).by(person).gives(200).json
}

pub fn downloading(world: &World, path: &str) -> Ask {
    ask(world, "GET", &format!("/packages/generic/{path}"))
}
