//! Releases of tags, their links, and the notes of tags in v3 (behaviour 16).

mod v3;
mod v4;
mod v4_links;
mod v4_lists;

use crate::support::git::{line, sha};
use crate::support::v4::ask;
use crate::support::{Person, Visibility, World, spec};
use serde_json::Value;

/// A project with three commits and the tags `v1`, `v2` and `a/b`.
fn tagged(visibility: Visibility) -> World {
    with_tags(World::new(spec(), visibility))
}

fn with_tags(world: World) -> World {
    let tips =
        [("refs/heads/master", sha(3)), ("refs/tags/v1", sha(1)), ("refs/tags/v2", sha(2)), ("refs/tags/a/b", sha(3))];
    world.push(&line(3), &tips.each_ref().map(|(name, sha)| (*name, sha.as_str())));
    world
}

fn made(world: &World, fields: Value) -> Value {
    ask(world, "POST", "/releases").by(&world.bob).json(fields).gives(201).json
}

/// Titles of milestones that were made.
fn milestone(world: &World, by: &Person, fields: Value) -> Value {
    ask(world, "POST", "/milestones").by(by).json(fields).gives(201).json
}
