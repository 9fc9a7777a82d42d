//! Pipelines and deployments.

use super::{Source, at, number, stamp, text};
use crate::kernel::text::title::title;
use chrono::DateTime;
use serde_json::{Value, json};

/// Milliseconds between two times of a record.
fn between(record: &Value, from: &str, to: &str) -> Option<i64> {
    let time = |name: &str| record.get(name).and_then(Value::as_i64);
    Some((time(to)? - time(from)?).max(0))
}

impl Source<'_> {
    pub(super) fn deployment_body(&self) -> Value {
        let deployment = self.part("deployment");
        let user = self.part("user");
        let sha = text(&deployment, "sha");
        let changed = at(&deployment, "changed_at").as_i64().and_then(DateTime::from_timestamp_millis);
        json!({
            "object_kind": "deployment", "status": at(&deployment, "status"),
            "status_changed_at": changed.map(|time| time.format("%Y-%m-%d %H:%M:%S +0000").to_string()),
            "deployment_id": at(&deployment, "id"), "deployable_id": null, "deployable_url": null,
            "environment": at(&deployment, "environment"), "environment_tier": at(&deployment, "tier"),
            "environment_slug": at(&deployment, "slug"), "environment_external_url": at(&deployment, "external_url"),
            "project": self.project(), "ref": at(&deployment, "ref"), "short_sha": sha.get(..8).unwrap_or(&sha),
            "user": self.user(), "user_url": format!("{}/{}", self.links.base, text(&user, "username")),
            "commit_url": format!("{}/-/commit/{sha}", self.web_url()),
            "commit_title": title(&text(&deployment, "message")),
        })
    }

    pub(super) fn pipeline_body(&self) -> Value {
        let pipeline = self.part("pipeline");
        let (state, sha) = (text(&pipeline, "state"), text(&pipeline, "sha"));
        let is_finished = ["success", "failed", "canceled"].contains(&state.as_str());
        let builds = at(&pipeline, "builds");
        let builds = || builds.as_array().into_iter().flatten();
        let ended = builds().filter_map(|build| at(build, "finished_at").as_i64()).max().filter(|_| is_finished);
        let began =
            builds().filter_map(|build| at(build, "started_at").as_i64().or(at(build, "created_at").as_i64())).min();
        let attributes = json!({
            "id": at(&pipeline, "id"), "iid": at(&pipeline, "iid"), "name": null, "ref": at(&pipeline, "ref"),
            "tag": number(&pipeline, "tag") != 0, "sha": sha, "before_sha": "0".repeat(sha.len()), "source": "external",
            "status": state, "detailed_status": if state == "success" { "passed" } else { &state }, "stages": ["external"],
            "created_at": stamp(&at(&pipeline, "created_at")), "finished_at": stamp(&json!(ended)),
            "duration": ended.zip(began).map(|(ended, began)| (ended - began).max(0) / 1000), "queued_duration": null,
            "protected_ref": number(&pipeline, "tag") == 0 && self.is_protected(&text(&pipeline, "ref")), "variables": [],
            "url": format!("{}/-/pipelines/{}", self.web_url(), number(&pipeline, "id")),
        });
        json!({
            "object_kind": "pipeline", "object_attributes": attributes, "merge_request": null, "user": self.user(),
            "project": self.project(), "commit": self.commit(&at(&pipeline, "commit"), false),
            "builds": builds().map(|build| self.build(build)).collect::<Vec<_>>(),
        })
    }

    fn build(&self, build: &Value) -> Value {
        let state = text(build, "state");
        json!({
            "id": at(build, "id"), "stage": "external", "name": at(build, "name"), "status": state,
            "created_at": stamp(&at(build, "created_at")), "started_at": stamp(&at(build, "started_at")),
            "finished_at": stamp(&at(build, "finished_at")),
            "duration": between(build, "started_at", "finished_at").map(|millis| millis as f64 / 1000.0), "queued_duration": null,
            "failure_reason": (state == "failed").then_some("api_failure"), "when": "on_success", "manual": false,
            "allow_failure": false, "user": self.person(&at(build, "user")), "runner": null,
            "artifacts_file": { "filename": null, "size": null }, "environment": null,
        })
    }
}
