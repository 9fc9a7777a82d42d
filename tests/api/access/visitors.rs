//! What visitors read of a project in v4: who has no token, and who is no member.

use crate::support::git::sha;
use crate::support::v4::{ask, at, made};
use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

/// A project with a record of each kind, and the paths that visitors may read.
struct Place {
    world: World,
    open: Value,
    secret: Value,
    paths: Vec<String>,
}

fn place(visibility: Visibility) -> Place {
    let world = World::new(spec(), visibility);
    world.push_line(1);
    let post =
        |path: &str, fields: Value| ask(&world, "POST", path).by(&world.ann).json(fields).gives(201).json["id"].clone();
    let label = post("/labels", json!({ "name": "bug", "color": "red" }));
    let milestone = post("/milestones", json!({ "title": "1.0" }));
    let planned = json!({ "title": "open", "labels": "bug", "milestone_id": milestone });
    let open = made(&world, &world.ann, planned);
    let note = at(&world, "POST", &open, "/notes").by(&world.gus).json(json!({ "body": "said" })).gives(201).id();
    let hidden = json!({ "title": "secret", "confidential": true, "milestone_id": milestone, "labels": "bug" });
    let secret = made(&world, &world.ann, hidden);
    at(&world, "POST", &secret, "/notes").by(&world.ann).json(json!({ "body": "hushed" })).gives(201);
    post("/statuses/master", json!({ "state": "success" }));
    let deployed = json!({ "environment": "live", "sha": sha(1), "ref": "master", "tag": false, "status": "success" });
    let deployment = post("/deployments", deployed);
    let environment = ask(&world, "GET", "/environments").by(&world.ann).gives(200).json[0]["id"].clone();
    let commit = format!("/repository/commits/{}", sha(1));
    post(&format!("{commit}/comments"), json!({ "note": "well" }));
    let issue = format!("/issues/{}", open["iid"]);
    let discussions = at(&world, "GET", &open, "/discussions").by(&world.ann).gives(200);
    let discussion = format!("{issue}/discussions/{}", discussions.json[0]["id"].as_str().unwrap());
    let paths = vec![
        format!("{issue}/notes"),
        format!("{issue}/notes/{note}"),
        format!("{issue}/discussions"),
        format!("{discussion}/notes/{note}"),
        discussion,
        "/labels".to_owned(),
        format!("/labels/{label}"),
        "/milestones".to_owned(),
        format!("/milestones/{milestone}"),
        format!("/milestones/{milestone}/issues"),
        "/environments".to_owned(),
        format!("/environments/{environment}"),
        "/deployments".to_owned(),
        format!("/deployments/{deployment}"),
        format!("{commit}/statuses"),
        format!("{commit}/comments"),
        format!("{commit}/discussions"),
        "/members".to_owned(),
        "/members/all".to_owned(),
        format!("/members/{}", world.bob.id),
        format!("/members/all/{}", world.ann.id),
        "/users".to_owned(),
    ];
    Place { world, open, secret, paths }
}

#[test]
fn visitors_read_what_a_public_project_has_but_what_is_confidential() {
    let Place { world, secret, paths, open } = place(Visibility::Public);
    for path in &paths {
        let alone = ask(&world, "GET", path).gives(200);
        assert!(!["[]", "{}"].contains(&alone.text.as_str()), "{path}");
        assert!(!alone.text.contains("@") && !alone.text.contains("\"email\""), "{path}: {}", alone.text);
        assert!(!alone.text.contains("secret") && !alone.text.contains("hushed"), "{path}: {}", alone.text);
        let stranger = ask(&world, "GET", path).by(&world.eve).gives(200);
        assert_eq!(alone.text, stranger.text, "{path}");
    }
    for rest in ["/notes", "/discussions"] {
        at(&world, "GET", &secret, rest).refused(404, json!({ "message": "404 Not found" }));
    }
    let counted = ask(&world, "GET", "/labels?with_counts=true").gives(200);
    assert_eq!(counted.json[0]["open_issues_count"], 1);
    let unauthorized = json!({ "message": "401 Unauthorized" });
    for (verb, path) in [
        ("GET", "/hooks"),
        ("GET", "/access_tokens"),
        ("GET", "/hook_tokens"),
        ("GET", "/uploads"),
        ("POST", "/labels"),
        ("POST", "/milestones"),
        ("POST", "/members"),
        ("POST", "/environments"),
        ("POST", "/deployments"),
        ("POST", "/statuses/master"),
    ] {
        ask(&world, verb, path).json(json!({})).refused(401, unauthorized.clone());
    }
    for rest in ["/notes", "/discussions", "/todo", "/subscribe"] {
        at(&world, "POST", &open, rest).json(json!({ "body": "x" })).refused(401, unauthorized.clone());
    }
}

#[test]
fn visitors_read_nothing_of_other_projects_but_signed_in_ones_the_same_of_internal_ones() {
    let absent = json!({ "message": "404 Project Not Found" });
    let Place { world, secret, paths, .. } = place(Visibility::Internal);
    for path in &paths {
        ask(&world, "GET", path).refused(404, absent.clone());
        let stranger = ask(&world, "GET", path).by(&world.eve).gives(200);
        assert!(!stranger.text.contains("secret") && !stranger.text.contains("hushed"), "{path}");
    }
    at(&world, "GET", &secret, "/notes").by(&world.eve).refused(404, json!({ "message": "404 Not found" }));
    world.v4("PUT", "").by(&world.ann).json(json!({ "visibility": "private" })).gives(200);
    for path in &paths {
        ask(&world, "GET", path).refused(404, absent.clone());
        ask(&world, "GET", path).by(&world.eve).refused(404, absent.clone());
    }
}

#[test]
fn in_v3_deployments_of_an_internal_project_are_for_reporters() {
    let Place { world, .. } = place(Visibility::Internal);
    for path in ["/deployments", "/environments"] {
        world.get(path).by(&world.eve).refused(403, json!({ "message": "403 Forbidden" }));
        world.get(path).by(&world.rae).gives(200);
        world.v4("GET", path).by(&world.eve).gives(200);
    }
}

#[test]
fn in_v3_visitors_without_a_token_read_nothing_of_a_public_project() {
    let Place { world, .. } = place(Visibility::Public);
    for path in ["/issues", "/labels", "/milestones", "/members", "/environments", "/deployments"] {
        world.get(path).refused(401, json!({ "message": "401 Unauthorized" }));
        world.get(path).by(&world.eve).gives(200);
    }
}
