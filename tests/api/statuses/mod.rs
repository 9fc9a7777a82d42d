//! Commit statuses (specification, "Commit status"; behaviour 8).

mod aggregate;
mod gate;
mod list;
mod post;
mod rules;
mod v4;

use crate::support::{Person, Server, Visibility, World};
use serde_json::Value;

/// A private project with three commits on `master`, and the tip.
struct Scene {
    world: World,
    tip: String,
    /// Another developer.
    max: Person,
}

impl std::ops::Deref for Scene {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl Scene {
    fn new(server: &'static Server) -> Scene {
        let world = World::new(server, Visibility::Private);
        let tip = world.push_line(3);
        let max = server.person("Max");
        world.admit(&max, 30);
        Scene { world, tip, max }
    }

    /// A status of the tip.
    #[track_caller]
    fn post_by(&self, person: &Person, fields: &[(&str, &str)]) -> Value {
        self.post(&format!("/statuses/{}", self.tip)).by(person).form(fields).gives(201).json
    }

    /// Ids of the tip's statuses that a query lists.
    #[track_caller]
    fn ids(&self, query: &str) -> Vec<Value> {
        let path = format!("/repository/commits/{}/statuses?{query}", self.tip);
        let answer = self.get(&path).by(&self.rae).gives(200);
        let ids = answer.each("id");
        assert_eq!(answer.header("X-Total"), Some(ids.len().to_string().as_str()), "{}", answer.what);
        ids
    }
}
