//! POST /projects/:id/statuses/:sha

use super::Scene;
use crate::support::git::{commit, sha};
use crate::support::{Visibility, World, gitlab, spec};
use serde_json::{Value, json};
use std::thread;

#[test]
fn a_post_is_judged_in_order_state_given_commit_known_state_valid() {
    let scene = Scene::new(spec());
    let post = |sha: &str| scene.post(&format!("/statuses/{sha}")).by(&scene.bob);
    let not_given = json!({ "message": "400 (Bad request) \"state\" not given" });
    let no_commit = json!({ "message": "404 Commit Not Found" });
    post(&scene.tip).refused(400, not_given.clone());
    post(&scene.tip).form(&[("state", " ")]).refused(400, not_given.clone());
    post("invalid_sha").refused(400, not_given);
    post("invalid_sha").form(&[("state", "running")]).refused(404, no_commit.clone());
    post("invalid_sha").form(&[("state", "odd")]).refused(404, no_commit);
    for state in ["invalid", "SUCCESS", "created", "passed", "success ", "cancelled"] {
        let told = "invalid state: it is none of pending, running, success, failed, canceled, skipped";
        post(&scene.tip).form(&[("state", state)]).refused(400, json!({ "message": told }));
    }
    assert_eq!(scene.ids("all=1").len(), 0);
}

#[test]
fn a_status_goes_to_the_branch_that_is_named_like_a_file() {
    let world = World::new(spec(), Visibility::Private);
    let (old, new) = (sha(1), sha(2));
    let commits = [commit(1, &[]), commit(2, &[1])];
    world.push(&commits, &[("refs/heads/x", &old), ("refs/heads/x.json", &new), ("refs/heads/y", &old)]);
    let post = |v4: bool, name: &str| {
        let path = format!("/statuses/{name}");
        let ask = if v4 { world.v4("POST", &path) } else { world.post(&path) };
        ask.by(&world.bob).json(json!({ "state": "success" }))
    };
    for v4 in [false, true] {
        for name in ["x.json", "x%2Ejson", "refs%2Fheads%2Fx.json", &format!("{new}.json")] {
            assert_eq!(post(v4, name).gives(201).json["sha"], json!(new), "{name}");
        }
        assert_eq!(post(v4, "x").gives(201).json["sha"], json!(old));
        post(v4, "y.json").gives(404);
    }
}

#[test]
fn a_new_status_is_answered_whole() {
    let scene = Scene::new(spec());
    let made = scene.post_by(
        &scene.bob,
        &[
            ("state", "success"),
            ("context", "coverage"),
            ("ref", "develop"),
            ("target_url", "https://ci/1"),
            ("description", "test"),
        ],
    );
    assert_eq!(made["created_at"], made["finished_at"]);
    assert!(made["created_at"].as_str().unwrap().ends_with('Z'));
    let id = made["id"].as_i64().unwrap();
    let author = scene.get(&format!("/repository/commits/{}/statuses?ref=develop", scene.tip)).by(&scene.rae);
    let author = author.gives(200).json[0]["author"].clone();
    assert_eq!((&author["id"], &author["username"]), (&json!(scene.bob.id), &json!(scene.bob.username)));
    let expected = json!({
        "id": id, "sha": scene.tip, "ref": "develop", "status": "success", "name": "coverage", "target_url": "https://ci/1",
        "description": "test", "created_at": made["created_at"], "started_at": null,
        "finished_at": made["finished_at"], "allow_failure": false, "author": author,
    });
    assert_eq!(made, expected);
}

#[test]
fn a_state_is_all_that_a_status_needs() {
    for state in ["pending", "running", "success", "failed", "canceled"] {
        let scene = Scene::new(spec());
        let made = scene.post_by(&scene.bob, &[("state", state)]);
        assert_eq!(
            (&made["status"], &made["name"], &made["ref"]),
            (&json!(state), &json!("default"), &json!("master"))
        );
        assert_eq!((&made["target_url"], &made["description"]), (&Value::Null, &Value::Null));
        assert_eq!(made["started_at"].is_string(), state == "running");
        assert_eq!(made["finished_at"].is_string(), ["success", "failed", "canceled"].contains(&state));
    }
}

#[test]
fn what_was_skipped_is_stored_and_shown_as_canceled() {
    let scene = Scene::new(spec());
    let path = format!("/statuses/{}", scene.tip);
    let posted = scene.post(&path).by(&scene.bob).form(&[("state", "skipped")]).gives(201);
    assert_eq!(posted.json["status"], "canceled");
    assert!(posted.json["finished_at"].is_string(), "{}", posted.text);
    let commit = scene.get(&format!("/repository/commits/{}", scene.tip)).by(&scene.bob).gives(200);
    assert_eq!(commit.json["status"], "canceled");
}

#[test]
fn parameters_come_in_query_form_multipart_and_json() {
    let scene = Scene::new(spec());
    let post = |query: &str| scene.post(&format!("/statuses/{}{query}", scene.tip)).by(&scene.bob);
    let asks = [
        post("?state=success&name=n"),
        post("?state=success&name=n").body("application/json", ""),
        post("?state=success&name=n").body("application/json", "null"),
        post("").form(&[("state", "success"), ("name", "n")]),
        post("").multipart(&[("state", "success"), ("name", "n")]),
        post("").json(json!({ "state": "success", "name": "n", "coverage": 12.5 })),
    ];
    for ask in asks {
        let made = ask.gives(201).json;
        assert_eq!((&made["status"], &made["name"]), (&json!("success"), &json!("n")));
    }
}

#[test]
fn the_name_beats_the_context_and_a_blank_one_is_absent() {
    let scene = Scene::new(spec());
    let name = |fields: &[(&str, &str)]| {
        let fields = [&[("state", "success")], fields].concat();
        scene.post_by(&scene.bob, &fields)["name"].clone()
    };
    assert_eq!(name(&[("name", "a"), ("context", "b")]), "a");
    assert_eq!(name(&[("name", ""), ("context", "b")]), "b");
    assert_eq!(name(&[("name", " "), ("context", "")]), "default");
}

#[test]
fn the_commit_may_be_named_by_abbreviation_branch_or_tag() {
    let world = World::new(spec(), Visibility::Private);
    let (tip, tagged) = (sha(2), sha(1));
    let refs = [("refs/heads/feature/x", tip.as_str()), ("refs/tags/v1.0", tagged.as_str())];
    world.push(&[commit(1, &[]), commit(2, &[1])], &refs);
    for (name, full) in [(&tip[..8], &tip), ("feature%2Fx", &tip), ("v1.0", &tagged), (&tagged[..], &tagged)] {
        let made = world.post(&format!("/statuses/{name}")).by(&world.bob).form(&[("state", "success")]);
        assert_eq!(made.gives(201).json["sha"], *full, "{name}");
    }
}

#[test]
fn a_ref_is_taken_as_it_is() {
    let scene = Scene::new(spec());
    for name in ["anything-at-all", "feature/x", "Ümläut 🐙", "refs/heads/master"] {
        assert_eq!(scene.post_by(&scene.bob, &[("state", "success"), ("ref", name)])["ref"], name);
    }
    let odd = [("state", "success"), ("target_url", "HTTP://ci/an odd url/")];
    assert_eq!(scene.post_by(&scene.bob, &odd)["target_url"], "HTTP://ci/an odd url/");
}

#[test]
fn a_post_for_a_ref_that_is_not_there_is_taken_with_a_hint() {
    let scene = Scene::new(spec());
    let post = |fields: &[(&str, &str)]| {
        let made = scene.post(&format!("/statuses/{}", scene.tip)).by(&scene.bob).form(fields).gives(201);
        made.header("X-Hint").map(str::to_owned)
    };
    let hint = post(&[("state", "success"), ("ref", "nosuch")]);
    assert_eq!(hint.as_deref(), Some("ref is the name of no branch or tag of this project"));
    for name in ["master", "refs/heads/master", ""] {
        assert_eq!(post(&[("state", "success"), ("ref", name)]), None, "{name}");
    }
    assert_eq!(post(&[("state", "success")]), None);
}

#[test]
fn an_unfinished_status_is_moved_on() {
    for (from, to) in [
        ("pending", "running"),
        ("pending", "success"),
        ("pending", "failed"),
        ("pending", "canceled"),
        ("running", "success"),
        ("running", "failed"),
        ("running", "canceled"),
    ] {
        for server in [spec(), gitlab()] {
            let scene = Scene::new(server);
            let before =
                scene.post_by(&scene.bob, &[("state", from), ("description", "before"), ("target_url", "http://u")]);
            let after = scene.post_by(&scene.bob, &[("state", to), ("description", "after")]);
            assert_eq!((&after["id"], &after["status"]), (&before["id"], &json!(to)), "{from} {to}");
            assert_eq!((&after["description"], &after["target_url"]), (&json!("after"), &json!("http://u")));
            assert_eq!(after["created_at"], before["created_at"]);
            assert_eq!(after["started_at"].is_string(), from == "running" || to == "running");
            assert_eq!(after["finished_at"].is_string(), to != "running");
            assert_eq!(scene.ids("all=1").len(), 1);
        }
    }
}

fn refusal(event: &str, from: &str) -> Value {
    let text = format!(
        "Cannot transition status via :{event} from :{from} (Reason(s): Status cannot transition via \"{event}\")"
    );
    json!({ "message": text })
}

#[test]
fn a_running_status_never_goes_back_to_pending() {
    for server in [spec(), gitlab()] {
        let scene = Scene::new(server);
        let before = scene.post_by(&scene.bob, &[("state", "running"), ("description", "before")]);
        let post = scene.post(&format!("/statuses/{}", scene.tip)).by(&scene.bob);
        post.form(&[("state", "pending"), ("description", "after")]).refused(400, refusal("enqueue", "running"));
        let list = scene.get(&format!("/repository/commits/{}/statuses", scene.tip)).by(&scene.rae).gives(200);
        assert_eq!(list.json, json!([before]), "nothing is saved");
    }
}

#[test]
fn the_same_state_again_updates_the_status() {
    let scene = Scene::new(spec());
    for state in ["pending", "running"] {
        let name = ("name", state);
        let before =
            scene.post_by(&scene.bob, &[("state", state), name, ("description", "before"), ("target_url", "http://u")]);
        let after = scene.post_by(&scene.bob, &[("state", state), name, ("description", "after")]);
        let mut expected = before;
        expected["description"] = json!("after");
        assert_eq!(after, expected);
    }
}

#[test]
fn gitlab_clients_are_refused_the_same_state_again() {
    let scene = Scene::new(gitlab());
    for (state, event) in [("pending", "enqueue"), ("running", "run")] {
        let post = || {
            scene.post(&format!("/statuses/{}", scene.tip)).by(&scene.bob).form(&[("state", state), ("name", state)])
        };
        post().gives(201);
        post().refused(400, refusal(event, state));
    }
}

#[test]
fn a_finished_status_stays_and_a_new_one_takes_its_place() {
    for server in [spec(), gitlab()] {
        let scene = Scene::new(server);
        let failed = scene.post_by(&scene.bob, &[("state", "failed")]);
        let success = scene.post_by(&scene.bob, &[("state", "success")]);
        assert_ne!(failed["id"], success["id"]);
        assert_eq!(scene.ids(""), [success["id"].clone()]);
        assert_eq!(scene.ids("all=1"), [failed["id"].clone(), success["id"].clone()]);
    }
}

#[test]
fn a_status_of_somebody_else_of_another_ref_or_name_is_another() {
    let scene = Scene::new(spec());
    let first = scene.post_by(&scene.bob, &[("state", "running")]);
    for (person, fields) in [
        (&scene.max, vec![("state", "success")]),
        (&scene.bob, vec![("state", "success"), ("name", "other")]),
        (&scene.bob, vec![("state", "success"), ("ref", "other")]),
    ] {
        assert_ne!(scene.post_by(person, &fields)["id"], first["id"]);
    }
    assert_eq!(scene.post_by(&scene.bob, &[("state", "success"), ("ref", "master")])["id"], first["id"]);
}

#[test]
fn of_many_posts_at_once_one_status_is_open() {
    let scene = Scene::new(spec());
    let mut ids: Vec<i64> = thread::scope(|scope| {
        let post = || scene.post_by(&scene.bob, &[("state", "pending")])["id"].as_i64().unwrap();
        let posts: Vec<_> = (0..20).map(|_| scope.spawn(post)).collect();
        posts.into_iter().map(|post| post.join().unwrap()).collect()
    });
    ids.dedup();
    assert_eq!(ids.len(), 1);
    assert_eq!(scene.ids("all=1").len(), 1);
}
