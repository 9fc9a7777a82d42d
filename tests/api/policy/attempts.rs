//! The attempts: each line is a row of the table.

use super::Scene;
use crate::support::git::sha;
use crate::support::{Answer, Ask, unique};
use edgeforge::policy::Action;
use serde_json::json;

/// One attempt: the action by its name in the policy, a description, the request, and its outcome.
pub type Attempt = (Action, &'static str, fn(&Scene, &str) -> Ask, fn(&Answer) -> String);

pub const ATTEMPTS: &[Attempt] = &[
    (Action::ReadProject, "read a project", |scene, _| scene.get(""), status),
    (Action::EditProject, "describe it", |scene, _| scene.put("").form(&[("description", "x")]), status),
    (Action::DeleteProject, "delete it", |scene, who| scene.fresh(who), status),
    (Action::ReadMembers, "list members", |scene, _| scene.get("/members"), status),
    (Action::ReadMembers, "and in v4", |scene, _| scene.world.v4("GET", "/members"), status),
    (Action::ManageMembers, "change a member", |scene, _| scene.change_member(), status),
    (Action::CreateProject, "make one in a group", |scene, _| scene.new_project(), status),
    (Action::ManageGroup, "describe the group", |scene, _| scene.change_group(), status),
    (Action::ManageTokens, "list hook tokens", |scene, _| scene.get("/hook_tokens"), status),
    (
        Action::ManageTokens,
        "make a project's token",
        |scene, _| scene.post("/access_tokens").json(json!({ "name": "x", "scopes": ["statuses"] })),
        status,
    ),
    (Action::ManageHooks, "list web hooks", |scene, _| scene.world.v4("GET", "/hooks"), status),
    (
        Action::ManageHooks,
        "make a web hook",
        |scene, _| scene.world.v4("POST", "/hooks").json(json!({ "url": "https://hooks.example.org/" })),
        status,
    ),
    (Action::ReadIssues, "list issues", |scene, _| scene.get("/issues"), status),
    (Action::ReadIssues, "read an issue", |scene, _| scene.get(&scene.open("")), status),
    (Action::ReadIssues, "subscribe to it", |scene, _| scene.post(&scene.open("/subscription")), status),
    (Action::ReadIssues, "list its comments", |scene, _| scene.get(&scene.open("/notes")), status),
    (Action::ReadIssues, "comment on it", |scene, _| scene.post(&scene.open("/notes")).form(&[("body", "x")]), status),
    (
        Action::ReadIssues,
        "give it an emoji",
        |scene, _| scene.post(&scene.open("/award_emoji")).form(&[("name", &unique("star"))]),
        status,
    ),
    (Action::CreateIssue, "write an issue", |scene, _| scene.write(&[]), status),
    (
        Action::SetTimes,
        "say when",
        |scene, _| scene.write(&[("created_at", "2001-01-01")]),
        |answer| effect(answer, answer.json["created_at"] == "2001-01-01T00:00:00.000Z"),
    ),
    (
        Action::EditAnyIssue,
        "label a new one",
        |scene, _| scene.write(&[("labels", "bug")]),
        |answer| effect(answer, answer.json["labels"] == json!(["bug"])),
    ),
    (Action::ReadConfidentialIssues, "read a confidential one", |scene, _| scene.get(&scene.hidden("")), status),
    (Action::EditAnyIssue, "edit an issue", |scene, _| scene.put(&scene.open("")).form(&[("title", "x")]), status),
    (
        Action::EditAnyIssue,
        "edit a confidential one",
        |scene, _| scene.put(&scene.hidden("")).form(&[("title", "x")]),
        status,
    ),
    (Action::EditAnyNote, "edit a comment", |scene, _| scene.put(&scene.note()).form(&[("body", "x")]), status),
    (Action::MoveIssue, "move an issue", |scene, _| scene.moving(), status),
    (
        Action::DeleteIssue,
        "delete an issue",
        |scene, _| scene.delete(&format!("/issues/{}", scene.new_issue())),
        status,
    ),
    (Action::ReadLabels, "list labels", |scene, _| scene.get("/labels"), status),
    (Action::ReadLabels, "read a label", |scene, _| scene.get("/labels/bug"), status),
    (Action::ReadLabels, "and in v4", |scene, _| scene.world.v4("GET", "/labels/bug"), status),
    (Action::ReadLabels, "follow a label", |scene, _| scene.post("/labels/bug/subscription"), status),
    (
        Action::ManageLabels,
        "make a label",
        |scene, _| scene.post("/labels").form(&[("name", &unique("label")), ("color", "#ff0000")]),
        status,
    ),
    (Action::ReadMilestones, "list milestones", |scene, _| scene.get("/milestones"), status),
    (Action::ReadMilestones, "and in v4", |scene, _| scene.world.v4("GET", "/milestones"), status),
    (
        Action::ManageMilestones,
        "make a milestone",
        |scene, _| scene.post("/milestones").form(&[("title", &unique("milestone"))]),
        status,
    ),
    (Action::ReadCommits, "list commits", |scene, _| scene.get("/repository/commits"), status),
    (Action::ReadCommits, "read a commit", |scene, _| scene.get("/repository/commits/master"), status),
    (Action::ReadCommits, "read its diff", |scene, _| scene.get("/repository/commits/master/diff"), status),
    (Action::ReadCommits, "list its comments", |scene, _| scene.get("/repository/commits/master/comments"), status),
    (Action::ReadCommits, "list branches", |scene, _| scene.get("/repository/branches"), status),
    (
        Action::CommentCommit,
        "comment on it",
        |scene, _| scene.post("/repository/commits/master/comments").form(&[("note", "x")]),
        status,
    ),
    (Action::ReadStatuses, "list its statuses", |scene, _| scene.get("/repository/commits/master/statuses"), status),
    (
        Action::ReadGate,
        "ask the gate",
        |scene, _| scene.world.v4("GET", "/repository/commits/master/gate"),
        |answer| if answer.status == 409 { "yes".to_owned() } else { status(answer) },
    ),
    (
        Action::PostStatus,
        "post a status",
        |scene, _| scene.post("/statuses/master").form(&[("state", "success")]),
        status,
    ),
    (Action::ReadPipelines, "list pipelines", |scene, _| scene.world.v4("GET", "/pipelines"), status),
    (Action::ReadPipelines, "list jobs", |scene, _| scene.world.v4("GET", "/jobs"), status),
    (Action::ReadDeployments, "list deployments", |scene, _| scene.get("/deployments"), status),
    (Action::ReadDeployments, "list environments", |scene, _| scene.get("/environments"), status),
    (Action::ReadEnvironments, "and in v4", |scene, _| scene.world.v4("GET", "/environments"), status),
    (Action::ReadEnvironments, "list deployments in v4", |scene, _| scene.world.v4("GET", "/deployments"), status),
    (
        Action::CreateDeployment,
        "record a deployment",
        |scene, _| scene.post("/deployments").form(&[("environment", "x"), ("sha", "master"), ("ref", "master")]),
        status,
    ),
    (Action::ReadReleases, "list releases", |scene, _| scene.world.v4("GET", "/releases"), status),
    (
        Action::ManageReleases,
        "release a tag",
        |scene, _| scene.world.v4("POST", "/releases").json(json!({ "tag_name": "absent" })),
        |answer| if answer.status == 422 { "yes".to_owned() } else { status(answer) },
    ),
    (
        Action::ManageReleases,
        "describe a tag",
        |scene, _| scene.post("/repository/tags/absent/release").form(&[("description", "x")]),
        |answer| {
            if answer.json["message"] == "Tag does not exist" { "yes".to_owned() } else { status(answer) }
        },
    ),
    (
        Action::ReadUploads,
        "read an upload",
        |scene, _| scene.world.v4("GET", &format!("/uploads/{}/x", "0".repeat(32))),
        |answer| found(answer, "404 Not found"),
    ),
    (
        Action::CreateUpload,
        "upload nothing",
        |scene, _| scene.post("/uploads"),
        |answer| found(answer, "file is missing"),
    ),
    (Action::ManageUploads, "list uploads", |scene, _| scene.world.v4("GET", "/uploads"), status),
    (Action::ReadPackages, "list packages", |scene, _| scene.world.v4("GET", "/packages"), status),
    (
        Action::PublishPackage,
        "publish a file without a name",
        |scene, _| scene.world.v4("PUT", "/packages/generic/x/1/~"),
        |answer| found(answer, "file_name is invalid"),
    ),
    (
        Action::DeletePackage,
        "delete a package that is not there",
        |scene, _| scene.world.v4("DELETE", "/packages/0"),
        |answer| found(answer, "404 Not found"),
    ),
    (Action::PushMirror, "see the mirror", |scene, _| scene.get("/mirror"), status),
    (Action::PushMirror, "ask for a commit", |scene, _| scene.get(&format!("/mirror/commits/{}", sha(1))), status),
    (Action::PushMirror, "push to it", |scene, _| scene.post("/mirror/commits").json(json!({ "commits": [] })), status),
    (
        Action::ImportRecords,
        "import records",
        |scene, _| scene.world.v4("POST", "/import_records").json(json!({ "records": [] })),
        status,
    ),
    (Action::ForgetCommit, "forget a commit", |scene, _| scene.delete(&format!("/mirror/commits/{}", sha(1))), status),
];

pub fn status(answer: &Answer) -> String {
    answer.status.to_string()
}

/// "yes" for a refusal that only those get who may do it.
fn found(answer: &Answer, text: &str) -> String {
    let told = [&answer.json["message"], &answer.json["error"]];
    if told.iter().any(|told| **told == text) { "yes".to_owned() } else { status(answer) }
}

/// Whether the change really happened, for attempts whose refusal is not an error.
pub fn effect(answer: &Answer, happened: bool) -> String {
    match answer.status {
        200 => (if happened { "yes" } else { "no" }).to_owned(),
        refused => refused.to_string(),
    }
}
