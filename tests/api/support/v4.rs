//! Helpers of the tests of v4.

use super::ask::Ask;
use super::people::{Person, World};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The sorted names of an object's members.
pub fn keys(object: &Value) -> Vec<&str> {
    object.as_object().map(|members| members.keys().map(String::as_str).collect()).unwrap_or_default()
}

pub fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    words.sort_unstable();
    words
}

/// Fails unless the object has exactly these members. Each text may list several names.
#[track_caller]
pub fn has_keys(value: &Value, names: &[&str]) {
    let actual: BTreeSet<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    let wanted: BTreeSet<&str> = names.iter().flat_map(|names| names.split_whitespace()).collect();
    let missing: Vec<_> = wanted.difference(&actual).collect();
    let invented: Vec<_> = actual.difference(&wanted).collect();
    assert!(missing.is_empty() && invented.is_empty(), "missing: {missing:?}, invented: {invented:?}");
}

/// The sorted names of an object's members, in one line.
pub fn names(of: &Value) -> String {
    let mut names: Vec<&str> = of.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names.join(" ")
}

/// The refusal of a write to an archived project.
pub fn archived() -> Value {
    json!({ "message": "403 Forbidden - The project is archived and only read. An owner can unarchive it" })
}

/// A request to v4 for a path of the project.
pub fn ask(world: &World, method: &str, rest: &str) -> Ask {
    world.server.ask_v4(method, world.at(rest))
}

pub fn at(world: &World, method: &str, issue: &Value, rest: &str) -> Ask {
    ask(world, method, &format!("/issues/{}{rest}", issue["iid"]))
}

/// Creates an issue as that person.
pub fn made(world: &World, person: &Person, fields: Value) -> Value {
    ask(world, "POST", "/issues").by(person).json(fields).gives(201).json
}
