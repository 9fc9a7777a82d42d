//! Helpers of the tests of issues.

use super::ask::Answer;
use super::people::{Person, Project, Visibility, World};
use serde_json::{Value, json};

impl World {
    pub fn issue_path(&self, issue: &Value) -> String {
        format!("/projects/{}/issues/{}", issue["project_id"], issue["id"])
    }

    pub fn seen(&self, person: &Person, issue: &Value) -> Value {
        self.server.get(self.issue_path(issue)).by(person).gives(200).json
    }

    /// The status of a GET by that person.
    pub fn status(&self, person: &Person, issue: &Value) -> u16 {
        self.server.get(self.issue_path(issue)).by(person).send().status
    }

    /// Edits an issue. Returns it as it is then.
    pub fn edit(&self, person: &Person, issue: &Value, fields: Value) -> Value {
        self.server.put(self.issue_path(issue)).by(person).json(fields).gives(200).json
    }

    pub fn close(&self, person: &Person, issue: &Value) -> Value {
        self.edit(person, issue, json!({ "state_event": "close" }))
    }

    /// Creates a milestone. Returns its id.
    pub fn milestone(&self, title: &str) -> i64 {
        self.post("/milestones").by(&self.ann).json(json!({ "title": title })).gives(201).id()
    }

    /// Creates a comment. Returns the body of the answer.
    pub fn comment(&self, person: &Person, issue: &Value, body: &str) -> Value {
        let path = format!("{}/notes", self.issue_path(issue));
        self.server.post(path).by(person).json(json!({ "body": body })).gives(201).json
    }

    /// Another project of the same group, with the same members.
    pub fn sibling(&self, visibility: Visibility) -> World {
        World::new(self.server, visibility)
    }

    /// Moves an issue to another project. Returns the copy.
    pub fn moved(&self, person: &Person, issue: &Value, to: &Project) -> Value {
        let path = format!("{}/move", self.issue_path(issue));
        self.server.post(path).by(person).json(json!({ "to_project_id": to.id })).gives(201).json
    }

    /// The total of the project's list of issues, and their titles in order.
    pub fn titles(&self, person: &Person, query: &str) -> (i64, Vec<String>) {
        titles(&self.get(&format!("/issues?{query}")).by(person).gives(200))
    }
}

pub fn titles(list: &Answer) -> (i64, Vec<String>) {
    let total = list.header("X-Total").and_then(|text| text.parse().ok()).expect("a total");
    (total, list.each("title").iter().map(|title| title.as_str().expect("a title").to_owned()).collect())
}
