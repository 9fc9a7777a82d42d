//! The people of the tests, and a project with a member of each level.

use super::ask::Ask;
use super::host::{Server, random_number};
use serde_json::{Value, json};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Clone)]
pub struct Person {
    pub id: i64,
    pub username: String,
    pub name: String,
    pub email: String,
    pub token: String,
}

/// The people that all tests of a process share.
pub struct Cast {
    /// The administrator, whose token is the Worker's secret.
    pub root: Person,
    /// Owner.
    pub ann: Person,
    /// Developer.
    pub bob: Person,
    /// Reporter.
    pub rae: Person,
    /// Guest.
    pub gus: Person,
    /// Outsider.
    pub eve: Person,
    /// A group of ann's without other members.
    pub group: i64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Visibility {
    Private = 0,
    Internal = 10,
    Public = 20,
}

pub fn unique(name: &str) -> String {
    static PREFIX: LazyLock<String> = LazyLock::new(|| format!("{:06x}", random_number() & 0xff_ffff));
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{name}-{}-{}", *PREFIX, COUNT.fetch_add(1, Ordering::Relaxed))
}

impl Server {
    pub fn cast(&'static self) -> &'static Cast {
        self.cast.get_or_init(|| {
            let root = self.root();
            let ann = self.person("Ann");
            let path = unique("crew");
            let group = json!({ "name": path, "path": path, "visibility_level": 20 });
            let group = self.post("/groups").by(&ann).json(group).gives(201).id();
            let [bob, rae, gus, eve] = ["Bob", "Rae", "Gus", "Eve"].map(|name| self.person(name));
            Cast { root, ann, bob, rae, gus, eve, group }
        })
    }

    pub fn root(&self) -> Person {
        let token = self.admin_token.clone();
        let (username, name) = ("root".to_owned(), "Administrator".to_owned());
        Person { id: 1, username, name, email: "admin@example.com".to_owned(), token }
    }

    /// A new user with a token.
    pub fn person(&'static self, name: &str) -> Person {
        let root = self.root();
        let username = unique(&name.to_lowercase());
        let email = format!("{username}@example.com");
        // tests make more projects than the default limit allows
        let user = json!({ "email": email, "username": username, "name": name, "projects_limit": 1_000_000 });
        let id = self.post("/users").by(&root).json(user).gives(201).id();
        let token = self.post(format!("/users/{id}/personal_access_tokens")).by(&root);
        let token = token.json(json!({ "name": "tests" })).gives(201).json["token"].clone();
        let token = token.as_str().expect("a token").to_owned();
        Person { id, username, name: name.to_owned(), email, token }
    }

    /// Creates a project of that person, in their personal namespace or in a group.
    pub fn project(&'static self, owner: &Person, namespace: i64, visibility: Visibility) -> Project {
        let path = unique("project");
        let level = visibility as i64;
        let new = json!({ "name": path, "path": path, "namespace_id": namespace, "visibility_level": level });
        let made = self.post("/projects").by(owner).json(new).gives(201);
        let path = made.json["path_with_namespace"].as_str().expect("a path").to_owned();
        Project { id: made.id(), path }
    }
}

#[derive(Debug, Clone)]
pub struct Project {
    pub id: i64,
    /// With its namespace.
    pub path: String,
}

/// A project of ann's. Bob is developer, rae reporter, and gus guest.
pub struct World {
    pub server: &'static Server,
    pub cast: &'static Cast,
    pub project: Project,
}

impl std::ops::Deref for World {
    type Target = Cast;

    fn deref(&self) -> &Cast {
        self.cast
    }
}

impl World {
    pub fn new(server: &'static Server, visibility: Visibility) -> World {
        World::within(server, server.cast().group, visibility)
    }

    pub fn personal(server: &'static Server, visibility: Visibility) -> World {
        World::within(server, server.cast().ann.id, visibility)
    }

    /// The id of a new group. The other worlds of the suite share one.
    pub fn group_of_its_own(server: &'static Server) -> i64 {
        let name = unique("g");
        let group = json!({ "name": name, "path": name, "visibility": "public" });
        let made = server.ask_v4("POST", "/groups").by(&server.cast().ann).json(group).gives(201);
        made.json["id"].as_i64().unwrap()
    }

    pub fn within(server: &'static Server, namespace: i64, visibility: Visibility) -> World {
        let cast = server.cast();
        let project = server.project(&cast.ann, namespace, visibility);
        let world = World { server, cast, project };
        for (person, level) in [(&cast.bob, 30), (&cast.rae, 20), (&cast.gus, 10)] {
            world.admit(person, level);
        }
        world
    }

    pub fn admit(&self, person: &Person, level: i64) {
        let member = json!({ "user_id": person.id, "access_level": level });
        self.post("/members").by(&self.cast.ann).json(member).gives(201);
    }

    pub fn at(&self, rest: &str) -> String {
        format!("/projects/{}{rest}", self.project.id)
    }

    pub fn get(&self, rest: &str) -> Ask {
        self.server.get(self.at(rest))
    }

    pub fn post(&self, rest: &str) -> Ask {
        self.server.post(self.at(rest))
    }

    pub fn put(&self, rest: &str) -> Ask {
        self.server.put(self.at(rest))
    }

    pub fn delete(&self, rest: &str) -> Ask {
        self.server.delete(self.at(rest))
    }

    /// A request to v4 for a path in the project.
    pub fn v4(&self, method: &str, rest: &str) -> Ask {
        self.server.ask_v4(method, self.at(rest))
    }

    /// Creates an issue. Returns the body of the answer.
    pub fn issue(&self, author: &Person, fields: Value) -> Value {
        self.post("/issues").by(author).json(fields).gives(self.created()).json
    }

    /// The status of this profile's answer to a new issue or to-do item.
    pub fn created(&self) -> u16 {
        if self.server.profile == edgeforge::Profile::Gitlab { 201 } else { 200 }
    }
}
