//! The one status that stands for all of a commit's (behaviour 8.3).

use super::Scene;
use crate::storage::counters::disagreements;
use crate::support::{Server, spec, templates};
use serde_json::{Value, json};

#[test]
fn a_commits_status_is_that_of_its_newest_statuses_together() {
    for (states, together) in [
        (&["success"][..], "success"),
        (&["pending"], "pending"),
        (&["pending", "pending"], "pending"),
        (&["running"], "running"),
        (&["failed"], "failed"),
        (&["success", "failed"], "failed"),
        (&["success", "running"], "running"),
        (&["success", "pending"], "running"),
        (&["success", "canceled"], "canceled"),
        (&["failed", "canceled"], "failed"),
        (&["running", "canceled"], "running"),
        (&["canceled", "canceled"], "canceled"),
        (&["failed", "running"], "running"),
        (&["success", "failed", "pending"], "running"),
    ] {
        let scene = Scene::new(spec());
        for (number, state) in states.iter().enumerate() {
            scene.post_by(&scene.bob, &[("state", state), ("name", &format!("job {number}"))]);
        }
        assert_eq!(status(&scene), together, "{states:?}");
    }
}

fn status(scene: &Scene) -> Value {
    scene.get(&format!("/repository/commits/{}", scene.tip)).by(&scene.rae).gives(200).json["status"].clone()
}

#[test]
fn a_commit_without_statuses_has_none() {
    let scene = Scene::new(spec());
    assert_eq!(status(&scene), Value::Null);
    let parent = scene.get("/repository/commits/master").by(&scene.rae).gives(200).json["parent_ids"][0].clone();
    scene.post_by(&scene.bob, &[("state", "success")]);
    let path = format!("/repository/commits/{}", parent.as_str().unwrap());
    assert_eq!(scene.get(&path).by(&scene.rae).gives(200).json["status"], json!(null));
}

#[test]
fn what_was_superseded_no_longer_counts() {
    let scene = Scene::new(spec());
    scene.post_by(&scene.bob, &[("state", "failed")]);
    assert_eq!(status(&scene), "failed");
    scene.post_by(&scene.bob, &[("state", "running")]);
    assert_eq!(status(&scene), "running");
    scene.post_by(&scene.bob, &[("state", "success")]);
    assert_eq!(status(&scene), "success");
    scene.post_by(&scene.bob, &[("state", "failed"), ("ref", "develop")]);
    assert_eq!(status(&scene), "failed", "all refs count");
}

/// The third version cannot say so yet.
#[test]
fn a_skipped_status_is_a_canceled_one_that_is_counted_apart() {
    let scene = Scene::new(Server::own(templates::blobs()));
    let set = |name: &str, columns: &str| {
        scene.server.tamper(&format!("update statuses set {columns} where name = '{name}'"));
    };
    let counts =
        || scene.server.rows("select json_array(sum(canceled), sum(skipped)) as v from status_counts").remove(0);
    for name in ["a", "b", "c"] {
        scene.post_by(&scene.bob, &[("state", "pending"), ("name", name)]);
    }
    set("a", "state = 'canceled', skipped = 1");
    set("b", "state = 'canceled'");
    assert_eq!(counts(), json!([2, 1]));
    assert_eq!(status(&scene), "running");
    scene.post_by(&scene.bob, &[("state", "success"), ("name", "a")]);
    assert_eq!(counts(), json!([1, 0]), "the newest of a name counts");
    assert!(disagreements(scene.server).is_empty());
}
