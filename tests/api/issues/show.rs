//! GET /projects/:id/issues/:issue_id

use super::Scene;
use crate::support::{Visibility, World, spec};
use serde_json::json;

#[test]
fn an_issue_that_is_not_of_this_project_is_not_found() {
    let scene = Scene::new(spec());
    let elsewhere = World::new(spec(), Visibility::Public);
    let other = elsewhere.issue(&elsewhere.ann, json!({ "title": "elsewhere" }))["id"].clone();
    let refusal = json!({ "message": "404 Not found" });
    for id in [other.to_string().as_str(), "987654321", "0", "-1", "abc", "1.0", "9007199254740993", "1%20"] {
        scene.get(&format!("/issues/{id}")).by(&scene.ann).refused(404, refusal.clone());
    }
    let huge = "9".repeat(400);
    scene.get(&format!("/issues/{huge}")).by(&scene.ann).refused(404, refusal);
}

#[test]
fn the_id_in_the_path_is_never_the_number_within_the_project() {
    let world = World::new(spec(), Visibility::Private);
    let first = world.issue(&world.ann, json!({ "title": "first" }));
    let answer = world.get("/issues/1").by(&world.ann).send();
    assert!(first["id"] == 1 || answer.status == 404);
}

#[test]
fn a_confidential_issue_is_there_for_reporters_its_author_and_its_assignee() {
    let scene = Scene::new(spec());
    let path = format!("/issues/{}", scene.hidden);
    for person in [&scene.gus, &scene.eve] {
        scene.get(&path).by(person).refused(404, json!({ "message": "404 Not found" }));
    }
    for person in [&scene.rae, &scene.bob, &scene.ann, &scene.root, &scene.dan] {
        let issue = scene.get(&path).by(person).gives(200);
        assert_eq!((&issue.json["title"], &issue.json["confidential"]), (&json!("hidden"), &json!(true)));
    }
}

#[test]
fn an_issue_is_the_same_by_number_path_double_slash_and_suffix() {
    let scene = Scene::new(spec());
    let issue = scene.get(&format!("/issues/{}", scene.open)).by(&scene.eve).gives(200);
    assert_eq!(issue.json["labels"], json!(["label"]));
    assert_eq!(issue.json["milestone"]["title"], "1.0.0");
    let by_path = format!("/projects/{}/issues/{}", scene.project.path.replace('/', "%2F"), scene.open);
    assert_eq!(spec().get(by_path).by(&scene.eve).gives(200).json, issue.json);
    for path in
        [format!("/issues//{}", scene.open), format!("/issues/{}/", scene.open), format!("/issues/{}.json", scene.open)]
    {
        assert_eq!(scene.get(&path).by(&scene.eve).gives(200).json, issue.json);
    }
    spec().ask("HEAD", scene.at(&format!("/issues/{}", scene.open))).by(&scene.eve).gives(200);
}

#[test]
fn only_the_subscription_depends_on_who_asks() {
    let scene = Scene::new(spec());
    let get = |person| scene.get(&format!("/issues/{}", scene.open)).by(person).gives(200).json;
    let (mut anns, eves) = (get(&scene.ann), get(&scene.eve));
    assert_eq!((&anns["subscribed"], &eves["subscribed"]), (&json!(true), &json!(false)));
    anns["subscribed"] = json!(false);
    assert_eq!(anns, eves);
}
