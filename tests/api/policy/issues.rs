//! Attempts with public and confidential issues. Each uses a new issue of ann's.

use super::Scene;
use super::attempts::{Attempt, effect, status};
use crate::support::{Ask, unique};
use edgeforge::policy::Action;
use serde_json::json;

/// The same attempt with a public issue and with a confidential one.
macro_rules! attempts {
    ($($action:ident / $hidden:ident $what:literal / $secret:literal: $ask:expr, $shown:expr;)*) => {
        &[$(
            (Action::$action, $what, |scene, _| $ask(scene, &scene.issue_of_ann(false)), $shown),
            (Action::$hidden, $secret, |scene, _| $ask(scene, &scene.issue_of_ann(true)), $shown),
        )*]
    };
}

pub const ISSUES: &[Attempt] = attempts! {
    ReadIssues / ReadConfidentialIssues "read one" / "  confidential": Scene::read, status;
    ReadIssues / ReadConfidentialIssues "find it by number" / "  confidential": Scene::find,
        |answer| effect(answer, answer.json.as_array().is_some_and(|list| list.len() == 1));
    CreateIssue / CreateIssue "write one" / "  confidential": Scene::write_alike, status;
    EditAnyIssue / EditAnyIssue "close it" / "  confidential": Scene::close, status;
    EditAnyIssue / EditAnyIssue "label it" / "  confidential": Scene::label,
        |answer| effect(answer, answer.json["labels"] == json!(["bug"]));
    ReadIssues / ReadConfidentialIssues "subscribe" / "  confidential": Scene::subscribe, status;
    ReadIssues / ReadConfidentialIssues "unsubscribe" / "  confidential": Scene::unsubscribe, status;
    ReadIssues / ReadConfidentialIssues "make a todo of it" / "  confidential": Scene::todo, status;
    ReadIssues / ReadConfidentialIssues "list comments" / "  confidential": Scene::notes, status;
    ReadIssues / ReadConfidentialIssues "comment" / "  confidential": Scene::comment_on, status;
    EditAnyNote / EditAnyNote "delete a comment" / "  confidential": Scene::uncomment, status;
    MoveIssue / MoveIssue "move it" / "  confidential": Scene::move_it, status;
    DeleteIssue / DeleteIssue "delete it" / "  confidential": Scene::delete_it, status;
};

/// Records that issues refer to.
pub const PLANS: &[Attempt] = &[
    (Action::ManageLabels, "rename a label", |scene, _| scene.rename_label(), status),
    (Action::ManageLabels, "delete a label", |scene, _| scene.delete_label(), status),
    (Action::ReadMilestones, "read a milestone", |scene, _| scene.get(&scene.plan("")), status),
    (Action::ReadMilestones, "list its issues", |scene, _| scene.get(&scene.plan("/issues")), status),
    (Action::ManageMilestones, "close a milestone", |scene, _| scene.close_plan(), status),
];

impl Scene {
    /// The path of a new issue.
    fn issue_of_ann(&self, confidential: bool) -> String {
        let issue = self.world.issue(&self.ann, json!({ "title": "x", "confidential": confidential }));
        format!("/issues/{}", issue["id"])
    }

    fn read(&self, path: &str) -> Ask {
        self.get(path)
    }

    fn find(&self, path: &str) -> Ask {
        let issue = self.get(path).by(&self.ann).gives(200).json;
        self.get(&format!("/issues?iid={}", issue["iid"]))
    }

    /// Another issue with the same confidentiality.
    fn write_alike(&self, path: &str) -> Ask {
        let issue = self.get(path).by(&self.ann).gives(200).json;
        self.post("/issues").json(json!({ "title": "x", "confidential": issue["confidential"] }))
    }

    fn close(&self, path: &str) -> Ask {
        self.put(path).form(&[("state_event", "close")])
    }

    fn label(&self, path: &str) -> Ask {
        self.put(path).form(&[("labels", "bug")])
    }

    fn subscribe(&self, path: &str) -> Ask {
        self.post(&format!("{path}/subscription"))
    }

    fn unsubscribe(&self, path: &str) -> Ask {
        self.delete(&format!("{path}/subscription"))
    }

    fn todo(&self, path: &str) -> Ask {
        self.post(&format!("{path}/todo"))
    }

    fn notes(&self, path: &str) -> Ask {
        self.get(&format!("{path}/notes"))
    }

    fn comment_on(&self, path: &str) -> Ask {
        self.post(&format!("{path}/notes")).form(&[("body", "x")])
    }

    fn uncomment(&self, path: &str) -> Ask {
        let note = self.comment_on(path).by(&self.ann).gives(201).id();
        self.delete(&format!("{path}/notes/{note}"))
    }

    fn move_it(&self, path: &str) -> Ask {
        let target = self.target.project.id.to_string();
        self.post(&format!("{path}/move")).form(&[("to_project_id", &target)])
    }

    fn delete_it(&self, path: &str) -> Ask {
        self.delete(path)
    }

    fn new_label(&self) -> String {
        let name = unique("label");
        self.post("/labels").by(&self.ann).form(&[("name", &name), ("color", "#ff0000")]).gives(201);
        name
    }

    fn rename_label(&self) -> Ask {
        self.put("/labels").form(&[("name", &self.new_label()), ("new_name", &unique("label"))])
    }

    fn delete_label(&self) -> Ask {
        self.delete("/labels").form(&[("name", &self.new_label())])
    }

    /// A path in a new milestone.
    fn plan(&self, rest: &str) -> String {
        format!("/milestones/{}{rest}", self.world.milestone(&unique("milestone")))
    }

    fn close_plan(&self) -> Ask {
        self.put(&self.plan("")).form(&[("state_event", "close")])
    }
}
