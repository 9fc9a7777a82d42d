//! Issues: making, reading and listing them (specification, "Issues"; behaviour 6.1 and 6.2).

mod commands;
mod confidential;
mod create;
mod create_labels;
mod delete;
mod edit;
mod fields;
mod lists_against_oracle;
mod moves;
mod own_and_group_lists;
mod project_lists;
mod show;
mod subscriptions;
mod v4;
mod v4_events;
mod v4_lists;
mod v4_milestones_and_days;
mod v4_moves;
mod v4_times;
mod weights;

use crate::support::{Person, Server, Visibility, World};
use serde_json::{Value, json};

/// A project with issues of every kind, as the original's own tests had it.
struct Scene {
    world: World,
    /// By ann, for ann, closed, in milestone 1.0.0.
    closed: i64,
    /// By rae, for dan, confidential.
    hidden: i64,
    /// By eve the outsider, confidential.
    own: i64,
    /// By ann, for ann, open, in milestone 1.0.0, labelled `label`.
    open: i64,
    /// An outsider, whose issue `hidden` is.
    dan: Person,
}

impl std::ops::Deref for Scene {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl Scene {
    fn new(server: &'static Server) -> Scene {
        let world = World::personal(server, Visibility::Public);
        let dan = server.person("Dan");
        let milestone = milestone(&world, "1.0.0");
        milestone_without_issues(&world);
        let issue = |by: &Person, fields: Value| world.issue(by, fields)["id"].as_i64().unwrap();
        let closed = json!({ "title": "closed", "assignee_id": world.ann.id, "milestone_id": milestone });
        let closed = issue(&world.ann, closed);
        let edit = world.put(&format!("/issues/{closed}")).by(&world.ann);
        edit.json(json!({ "state_event": "close" })).gives(200);
        let hidden = json!({ "title": "hidden", "confidential": true, "assignee_id": dan.id });
        let hidden = issue(&world.rae, hidden);
        let own = issue(&world.eve, json!({ "title": "own", "confidential": true }));
        let open =
            json!({ "title": "open", "assignee_id": world.ann.id, "milestone_id": milestone, "labels": "label" });
        let open = issue(&world.ann, open);
        Scene { world, closed, hidden, own, open, dan }
    }

    /// Ids of the project's issues that a query selects for somebody.
    #[track_caller]
    fn list(&self, caller: &Person, query: &str) -> Vec<Value> {
        let answer = self.world.get(&format!("/issues?{query}")).by(caller).gives(200);
        let ids = answer.each("id");
        assert_eq!(answer.header("X-Total"), Some(ids.len().to_string().as_str()), "{}", answer.what);
        ids
    }
}

/// A new milestone of ann's.
fn milestone(world: &World, title: &str) -> i64 {
    world.post("/milestones").by(&world.ann).json(json!({ "title": title })).gives(201).id()
}

fn milestone_without_issues(world: &World) {
    milestone(world, "2.0.0");
}

/// Whether the text is a time in UTC with milliseconds.
fn is_time(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default();
    text.len() == 24 && text.ends_with('Z') && chrono::DateTime::parse_from_rfc3339(text).is_ok()
}
