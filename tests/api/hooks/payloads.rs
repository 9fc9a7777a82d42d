//! The bodies that hooks get, and which routes are events.

use super::{body, delivered, header, hook};
use crate::support::v4::{has_keys, names};
use crate::support::{Server, now};
use crate::support::{Visibility, World};
use edgeforge::store::OutgoingRequest;
use serde_json::{Value, json};

const ISSUE: &str = "assignee_id assignee_ids author_id closed_at confidential created_at description discussion_locked due_date duplicated_to_id health_status human_time_change human_time_estimate human_total_time_spent id iid labels last_edited_at last_edited_by_id milestone_id moved_to_id project_id relative_position severity state state_id time_change time_estimate title total_time_spent type updated_at updated_by_id url weight";
const PROJECT: &str = "avatar_url ci_config_path default_branch description git_http_url git_ssh_url homepage http_url id name namespace path_with_namespace ssh_url url visibility visibility_level web_url";
const USER: &str = "avatar_url email id name username";

fn server() -> &'static Server {
    Server::with(|config| {
        config.external_url = "https://forge.example.com".to_owned();
        config.git_ssh_url = "git@git.example.com:{path}.git".to_owned();
        config.git_http_url = "https://git.example.com/{path}.git".to_owned();
    })
}

fn all() -> Value {
    json!({ "issues_events": true, "confidential_issues_events": true, "note_events": true, "confidential_note_events": true, "milestone_events": true })
}

/// Sends what is due, and returns kind and action of each.
fn heard(world: &World) -> Vec<String> {
    let action = |sent: &OutgoingRequest| {
        let body = body(sent);
        let action =
            body["object_attributes"]["action"].as_str().or(body["action"].as_str()).unwrap_or_default().to_owned();
        format!("{} {action}", header(sent, "X-Gitlab-Event").unwrap())
    };
    delivered(world.server, now()).iter().map(action).collect()
}

#[test]
fn a_payload_has_addresses_to_clone_from_where_none_are_configured() {
    for (external, http, ssh) in [
        ("https://forge.example.com", "https://forge.example.com/", "git@forge.example.com:"),
        ("http://forge.example.com:8787/a/", "http://forge.example.com:8787/a/", "git@forge.example.com:"),
    ] {
        let server = Server::with(|config| config.external_url = external.to_owned());
        let world = World::new(server, Visibility::Internal);
        hook(&world, all());
        world.issue(&world.ann, json!({ "title": "t" }));
        let project = body(&delivered(world.server, now())[0])["project"].clone();
        let path = &world.project.path;
        assert_eq!(project["git_http_url"], format!("{http}{path}.git"));
        assert_eq!(project["http_url"], project["git_http_url"]);
        assert_eq!(project["git_ssh_url"], format!("{ssh}{path}.git"));
        let shown = world.v4("GET", "").by(&world.ann).gives(200).json;
        assert_eq!((&shown["http_url_to_repo"], &shown["ssh_url_to_repo"]), (&json!(""), &json!("")));
    }
}

#[test]
fn an_issue_hook_has_the_whole_issue() {
    let world = World::new(server(), Visibility::Internal);
    hook(&world, all());
    let milestone = world.milestone("v1");
    delivered(world.server, now());
    world.issue(&world.ann, json!({
        "title": "Flod", "description": "see ![x](/uploads/a.png)", "labels": "bug", "assignee_id": world.bob.id, "milestone_id": milestone,
        "due_date": "2030-01-02",
    }));
    let sent = delivered(world.server, now());
    let opened = body(&sent[0]);
    has_keys(
        &opened,
        &["object_kind event_type user project object_attributes labels changes repository assignees assignee"],
    );
    has_keys(&opened["object_attributes"], &[ISSUE, "action"]);
    has_keys(&opened["project"], &[PROJECT]);
    has_keys(&opened["user"], &[USER]);
    has_keys(
        &opened["labels"][0],
        &["id title color project_id created_at updated_at template description type group_id"],
    );
    assert_eq!(names(&opened["repository"]), "description homepage name url");
    let attributes = &opened["object_attributes"];
    let web_url = format!("https://forge.example.com/{}", world.project.path);
    for (name, value) in [
        ("title", json!("Flod")),
        ("state", json!("opened")),
        ("state_id", json!(1)),
        ("due_date", json!("2030-01-02")),
        ("action", json!("open")),
        ("assignee_ids", json!([world.bob.id])),
        ("milestone_id", json!(milestone)),
        ("confidential", json!(false)),
        ("discussion_locked", Value::Null),
        ("description", json!(format!("see ![x]({web_url}/uploads/a.png)"))),
        ("url", json!(format!("{web_url}/-/issues/1"))),
    ] {
        assert_eq!(attributes[name], value, "{name}");
    }
    let is_time = |value: &Value| value.as_str().is_some_and(|text| text.len() == 23 && text.ends_with(" UTC"));
    assert!(is_time(&attributes["created_at"]), "{attributes}");
    assert_eq!(
        (&opened["user"]["username"], &opened["user"]["email"]),
        (&json!(world.ann.username), &json!("[REDACTED]"))
    );
    assert_eq!(opened["assignee"]["id"], world.bob.id);
    assert_eq!(opened["project"]["web_url"], web_url);
    assert_eq!(opened["project"]["git_ssh_url"], format!("git@git.example.com:{}.git", world.project.path));
    let changes = &opened["changes"];
    assert_eq!(
        names(changes),
        "assignees author_id created_at description due_date id iid labels milestone_id project_id title updated_at"
    );
    assert_eq!(changes["title"], json!({ "previous": null, "current": "Flod" }));
    assert_eq!(changes["labels"]["previous"], json!([]));
}

#[test]
fn an_edit_tells_what_it_changed() {
    let world = World::new(server(), Visibility::Internal);
    let issue = world.issue(&world.ann, json!({ "title": "Flod", "labels": "bug" }));
    hook(&world, all());
    let put = |fields: Value| {
        world.v4("PUT", &format!("/issues/{}", issue["iid"])).by(&world.ann).json(fields).gives(200);
        delivered(world.server, now()).iter().map(body).collect::<Vec<_>>()
    };
    let changed = put(
        json!({ "title": "Flood", "labels": "bug,wet", "assignee_ids": [world.bob.id], "discussion_locked": true, "due_date": "2030-01-02" }),
    );
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0]["object_attributes"]["action"], "update");
    let changes = &changed[0]["changes"];
    assert_eq!(names(changes), "assignees discussion_locked due_date labels title updated_at");
    assert_eq!(changes["title"], json!({ "previous": "Flod", "current": "Flood" }));
    assert_eq!(changes["discussion_locked"], json!({ "previous": null, "current": true }));
    assert_eq!(changes["labels"]["current"].as_array().unwrap().len(), 2);
    // what is the same already is no change
    assert_eq!(put(json!({ "title": "Flood", "labels": "wet,bug" })), Vec::<Value>::new());
    let closed = put(json!({ "state_event": "close" }));
    assert_eq!((closed.len(), &closed[0]["object_attributes"]["action"]), (1, &json!("close")));
    assert_eq!(names(&closed[0]["changes"]), "closed_at state_id updated_at");
    assert_eq!(put(json!({ "state_event": "close" })), Vec::<Value>::new());
    let both = put(json!({ "state_event": "reopen", "title": "Ebb" }));
    let actions: Vec<&Value> = both.iter().map(|one| &one["object_attributes"]["action"]).collect();
    assert_eq!(actions, ["reopen", "update"]);
    assert_eq!([&both[0], &both[1]].map(|one| one["object_attributes"]["title"].clone()), ["Ebb", "Ebb"]);
    assert_eq!(
        [&both[0], &both[1]].map(|one| names(&one["changes"])),
        ["closed_at state_id updated_at", "title updated_at"]
    );
    let unassigned = put(json!({ "assignee_ids": [] }));
    assert!(unassigned[0].get("assignees").is_none() && unassigned[0].get("assignee").is_none());
}

#[test]
fn a_note_hook_has_the_comment_and_its_issue() {
    let world = World::new(server(), Visibility::Internal);
    hook(&world, all());
    let issue = world.issue(&world.ann, json!({ "title": "Flood" }));
    delivered(world.server, now());
    let note = world.comment(&world.bob, &issue, "Seen.");
    let sent = body(&delivered(world.server, now())[0]);
    has_keys(&sent, &["object_kind event_type user project_id project object_attributes repository issue"]);
    has_keys(&sent["issue"], &[ISSUE]);
    has_keys(
        &sent["object_attributes"],
        &[
            "attachment author_id change_position commit_id created_at discussion_id id internal line_code note noteable_id noteable_type original_position position project_id resolved_at resolved_by_id resolved_by_push st_diff system type updated_at updated_by_id description url action",
        ],
    );
    let attributes = &sent["object_attributes"];
    assert_eq!(
        (&attributes["note"], &attributes["noteable_type"], &attributes["noteable_id"]),
        (&json!("Seen."), &json!("Issue"), &issue["id"])
    );
    assert_eq!(
        attributes["url"],
        format!("https://forge.example.com/{}/-/issues/1#note_{}", world.project.path, note["id"])
    );
    let discussions = world.v4("GET", "/issues/1/discussions").by(&world.ann).gives(200).json;
    assert_eq!(attributes["discussion_id"], discussions[0]["id"]);
}

#[test]
fn each_route_of_issues_comments_and_milestones_sends_its_events() {
    let world = World::new(server(), Visibility::Internal);
    let other = World::new(world.server, Visibility::Internal);
    hook(&world, all());
    hook(&other, all());
    let v4 = |verb: &str, path: &str, fields: Value| world.v4(verb, path).by(&world.ann).json(fields).send().json;
    v4("POST", "/issues", json!({ "title": "a" }));
    assert_eq!(heard(&world), ["Issue Hook open"]);
    v4("POST", "/issues/1/clone", json!({ "to_project_id": other.project.id }));
    assert_eq!(heard(&world), ["Issue Hook open"]);
    v4("POST", "/issues/1/move", json!({ "to_project_id": other.project.id }));
    assert_eq!(heard(&world), ["Issue Hook close", "Issue Hook open"]);
    v4("POST", "/issues", json!({ "title": "b" }));
    v4("POST", "/issues/2/notes", json!({ "body": "x" }));
    v4("POST", "/issues/2/discussions", json!({ "body": "y" }));
    assert_eq!(heard(&world), ["Issue Hook open", "Note Hook create", "Note Hook create"]);
    let note = v4("GET", "/issues/2/notes?activity_filter=only_comments", json!({}))[0]["id"].clone();
    v4("PUT", &format!("/issues/2/notes/{note}"), json!({ "body": "z" }));
    assert_eq!(heard(&world), ["Note Hook update"]);
    v4("PUT", &format!("/issues/2/notes/{note}"), json!({ "body": "z" }));
    v4("DELETE", &format!("/issues/2/notes/{note}"), json!({}));
    for path in ["subscribe", "todo"] {
        v4("POST", &format!("/issues/2/{path}"), json!({}));
    }
    v4("POST", "/labels", json!({ "name": "l", "color": "#ff0000" }));
    v4("PUT", "/labels/l", json!({ "new_name": "m" }));
    v4("DELETE", "/labels/m", json!({}));
    v4("DELETE", "/issues/2", json!({}));
    assert_eq!(heard(&world), Vec::<String>::new());
    let id = v4("POST", "/milestones", json!({ "title": "1.0" }))["id"].clone();
    assert_eq!(heard(&world), ["Milestone Hook create"]);
    let path = format!("/milestones/{id}");
    v4("PUT", &path, json!({ "title": "1.1" }));
    v4("PUT", &path, json!({ "state_event": "activate" }));
    assert_eq!(heard(&world), Vec::<String>::new());
    v4("PUT", &path, json!({ "state_event": "close" }));
    v4("PUT", &path, json!({ "state_event": "close" }));
    v4("PUT", &path, json!({ "state_event": "activate" }));
    assert_eq!(heard(&world), ["Milestone Hook close", "Milestone Hook reopen"]);
    v4("DELETE", &path, json!({}));
    let sent = delivered(world.server, now());
    let gone = body(&sent[0]);
    has_keys(&gone, &["object_kind event_type project object_attributes action"]);
    has_keys(
        &gone["object_attributes"],
        &["id iid title description state created_at updated_at due_date start_date group_id project_id"],
    );
    assert_eq!((&gone["action"], &gone["object_attributes"]["title"]), (&json!("delete"), &json!("1.1")));
}

#[test]
fn tracked_time_is_an_update_of_the_issue() {
    let world = World::new(server(), Visibility::Internal);
    let hook = hook(&world, all());
    world.issue(&world.ann, json!({ "title": "Flood" }));
    delivered(world.server, now());
    let track = |path: &str, fields: Value| {
        world.v4("POST", &format!("/issues/1/{path}")).by(&world.ann).json(fields).send();
        delivered(world.server, now()).iter().map(body).collect::<Vec<_>>()
    };
    let sent = track("time_estimate", json!({ "duration": "3h" }));
    assert_eq!((sent.len(), &sent[0]["object_attributes"]["action"]), (1, &json!("update")));
    assert_eq!(names(&sent[0]["changes"]), "time_estimate updated_at");
    assert_eq!(sent[0]["changes"]["time_estimate"], json!({ "previous": 0, "current": 10_800 }));
    let spent = &track("add_spent_time", json!({ "duration": "1h 30m" }))[0];
    assert_eq!(names(&spent["changes"]), "time_change total_time_spent updated_at");
    assert_eq!(spent["changes"]["time_change"], json!({ "previous": 0, "current": 5400 }));
    let less = &track("add_spent_time", json!({ "duration": "-30m" }))[0]["object_attributes"];
    for (name, value) in [
        ("time_estimate", json!(10_800)),
        ("total_time_spent", json!(3600)),
        ("time_change", json!(-1800)),
        ("human_time_estimate", json!("3h")),
        ("human_total_time_spent", json!("1h")),
        ("human_time_change", json!("-30m")),
    ] {
        assert_eq!(less[name], value, "{name}");
    }
    assert_eq!(track("reset_spent_time", json!({})).len(), 1);
    assert_eq!(track("reset_time_estimate", json!({})).len(), 1);
    // nothing is left to reset
    assert_eq!(track("reset_spent_time", json!({})), Vec::<Value>::new());
    world.v4("DELETE", &format!("/hooks/{hook}")).by(&world.ann).gives(204);
}

#[test]
fn an_emoji_that_is_given_or_taken_back_is_an_event() {
    let world = World::new(server(), Visibility::Internal);
    hook(&world, json!({ "emoji_events": true }));
    let issue = world.issue(&world.ann, json!({ "title": "Flood" }));
    let note = world.comment(&world.bob, &issue, "Seen.")["id"].clone();
    let on_note = format!("/issues/1/notes/{note}/award_emoji");
    let give = |on: &str| world.v4("POST", on).by(&world.bob).json(json!({ "name": "star" })).gives(201).id();
    let (first, second) = (give("/issues/1/award_emoji"), give(&on_note));
    world.v4("DELETE", &format!("/issues/1/award_emoji/{first}")).by(&world.bob).gives(204);
    let sent = delivered(world.server, now());
    assert!(sent.iter().all(|one| header(one, "X-Gitlab-Event") == Some("Emoji Hook")));
    let [given, on_comment, taken] = [0, 1, 2].map(|at| body(&sent[at]));
    has_keys(&given, &["object_kind event_type user project_id project object_attributes issue"]);
    has_keys(
        &given["object_attributes"],
        &["user_id created_at id name awardable_type awardable_id updated_at action awarded_on_url"],
    );
    has_keys(&given["issue"], &[ISSUE]);
    let kinds = [&given, &on_comment, &taken]
        .map(|one| (one["event_type"].clone(), one["object_attributes"]["awardable_type"].clone()));
    assert_eq!(
        kinds,
        [(json!("award"), json!("Issue")), (json!("award"), json!("Note")), (json!("revoke"), json!("Issue"))]
    );
    assert_eq!(
        (&given["object_attributes"]["id"], &on_comment["object_attributes"]["id"]),
        (&json!(first), &json!(second))
    );
    assert_eq!(on_comment["note"]["note"], "Seen.");
    // no hook asks for emoji of confidential issues
    world.edit(&world.ann, &issue, json!({ "confidential": true }));
    world.v4("DELETE", &format!("{on_note}/{second}")).by(&world.bob).gives(204);
    assert_eq!(delivered(world.server, now()), []);
}
