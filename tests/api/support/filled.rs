//! A project with one record of each kind, and paths to the records.

use super::contract::templated;
use super::git::{commit, line, sha};
use super::host::Server;
use super::people::{Person, Visibility, World, unique};
use serde_json::{Value, json};

/// The values for the placeholders of a path, from that project.
pub struct Filled {
    pub world: World,
    pub other: World,
    pub group: i64,
    pub issue: i64,
    pub note: i64,
    pub milestone: i64,
    pub deployment: i64,
    /// A guest that no other test uses.
    pub guest: Person,
}

impl Filled {
    pub fn new(server: &'static Server) -> Filled {
        let world = World::new(server, Visibility::Internal);
        let other = World::new(server, Visibility::Internal);
        let commits = line(3);
        let three = sha(3);
        world.push(&commits, &[("refs/heads/master", &three), ("refs/heads/next", &three), ("refs/tags/v1", &three)]);
        other.push(&[commit(1, &[])], &[("refs/heads/master", &sha(1))]);
        let milestone = world.milestone("v1");
        let label = json!({ "name": "bug", "color": "#ff0000" });
        world.post("/labels").by(&world.ann).json(label).gives(201);
        let issue = json!({ "title": "t", "description": format!("for @{}", world.bob.username), "labels": "bug,new",
            "milestone_id": milestone, "assignee_id": world.bob.id, "confidential": true });
        let issue = world.issue(&world.ann, issue);
        let note = world.comment(&world.ann, &issue, &format!("for @{}", world.rae.username));
        let deployment = json!({ "environment": "e", "sha": "master", "ref": "master", "status": "running" });
        let deployment = world.post("/deployments").by(&world.ann).json(deployment).gives(201).id();
        let number = |value: &Value| value["id"].as_i64().unwrap();
        let (issue, note) = (number(&issue), number(&note));
        let path = unique("filled");
        let group = json!({ "name": path, "path": path, "visibility_level": 10 });
        let group = server.post("/groups").by(&world.ann).json(group).gives(201).id();
        let guest = server.person("Guest");
        world.admit(&guest, 10);
        Filled { group, guest, milestone, deployment, issue, note, world, other }
    }

    /// The value of the placeholder after this word.
    fn value(&self, word: &str) -> String {
        match word {
            "projects" => self.world.project.id.to_string(),
            "groups" | "namespaces" => self.group.to_string(),
            "issues" => self.issue.to_string(),
            "notes" => self.note.to_string(),
            "milestones" => self.milestone.to_string(),
            "deployments" => self.deployment.to_string(),
            "commits" | "statuses" | "badges" | "branches" => "master".to_owned(),
            "reports" => "tests".to_owned(),
            "tags" | "releases" => "v1".to_owned(),
            "archive" => "tar".to_owned(),
            "raw" => "master%2Fa".to_owned(),
            "licenses" => "mit".to_owned(),
            "labels" => "bug".to_owned(),
            "users" | "user" | "members" => self.guest.id.to_string(),
            _ => "1".to_owned(),
        }
    }

    /// The path of a pattern of `ROUTES`, with all placeholders filled.
    pub fn address(&self, pattern: &str) -> String {
        let (mut path, mut word) = (String::new(), "");
        let template = templated(pattern);
        for part in template.split('/').filter(|part| !part.is_empty()) {
            path.push('/');
            if part.starts_with('{') {
                path.push_str(&self.value(word));
            } else {
                path.push_str(part);
                word = part;
            }
        }
        path
    }
}
