//! Outgoing web hooks (behaviour 14).

mod bounds;
mod breaker;
mod deliveries;
mod fairness;
mod long_texts;
mod payloads;
mod pushes;
mod refusals;
mod releases;
mod routes;
mod secrecy;
mod shares;
mod system;
mod system_events;
mod trials;
mod v3;
mod v4;

use crate::support::{Person, Server, World};
use edgeforge::store::OutgoingRequest;
use serde_json::{Value, json};

pub const URL: &str = "https://hooks.example.org/in";

/// Adds a hook of ann's. Returns its id.
pub fn hook(world: &World, fields: Value) -> i64 {
    hook_by(world, &world.cast.ann, fields)
}

pub fn hook_by(world: &World, maker: &Person, fields: Value) -> i64 {
    let mut all = json!({ "url": URL, "push_events": false });
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    world.v4("POST", "/hooks").by(maker).json(all).gives(201).id()
}

pub fn header<'a>(sent: &'a OutgoingRequest, name: &str) -> Option<&'a str> {
    sent.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

pub fn body(sent: &OutgoingRequest) -> Value {
    serde_json::from_str(&sent.body).unwrap()
}

/// Sends what is due. Returns what the receivers got.
pub fn delivered(server: &'static Server, now: i64) -> Vec<OutgoingRequest> {
    server.deliver(now);
    server.database().take_sent()
}

/// The log of a hook, newest first.
pub fn log(world: &World, hook: i64) -> Value {
    world.v4("GET", &format!("/hooks/{hook}/events")).by(&world.cast.ann).gives(200).json
}
