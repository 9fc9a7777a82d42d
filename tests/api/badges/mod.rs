//! Badges.

use crate::support::git::{line, sha};
use crate::support::{Visibility, World, spec};
use serde_json::json;

#[test]
fn a_badge_shows_the_status_of_the_refs_commit() {
    let world = World::new(spec(), Visibility::Public);
    let tip = sha(2);
    world.push(&line(2), &[("refs/heads/feature/x", &tip), ("refs/tags/v1", &tip)]);
    let word = |git_ref: &str| {
        let badge = world.get(&format!("/badges/{git_ref}/build.svg")).gives(200);
        assert_eq!(badge.header("Content-Type"), Some("image/svg+xml"));
        assert_eq!(badge.header("Cache-Control"), Some("public, max-age=60"));
        let label = badge.text.split("aria-label=\"build ").nth(1).expect("a label");
        label.split('"').next().unwrap().to_owned()
    };
    assert_eq!(word("feature%2Fx"), "unknown");
    assert_eq!(word("no-such-branch"), "unknown");
    for state in ["pending", "running", "success", "failed", "canceled"] {
        let fields = json!({ "state": state, "name": if state == "success" { "default" } else { state } });
        if state == "failed" || state == "canceled" {
            continue;
        }
        world.post(&format!("/statuses/{tip}")).by(&world.bob).json(fields).gives(201);
        let expected = if state == "success" { "running" } else { state };
        assert_eq!(word("v1"), expected);
    }
    for (name, state, expected) in [
        ("pending", "success", "running"),
        ("running", "success", "success"),
        ("more", "canceled", "canceled"),
        ("more", "failed", "failed"),
    ] {
        let fields = json!({ "state": state, "name": name });
        world.post(&format!("/statuses/{tip}")).by(&world.bob).json(fields).gives(201);
        assert_eq!(word("v1"), expected);
        assert_eq!(word("feature%2Fx"), expected);
    }
}

#[test]
fn a_badge_that_is_known_is_not_sent_again() {
    let world = World::new(spec(), Visibility::Public);
    world.push_line(1);
    let badge = world.get("/badges/master/build.svg").gives(200);
    let tag = badge.header("ETag").unwrap().to_owned();
    world.get("/badges/master/build.svg").header("If-None-Match", tag.clone()).gives(304);
    world.post("/statuses/master").by(&world.bob).json(json!({ "state": "success" })).gives(201);
    let changed = world.get("/badges/master/build.svg").header("If-None-Match", tag).gives(200);
    assert!(changed.text.contains(">success<"));
    spec().ask("HEAD", world.at("/badges/master/build.svg")).gives(200);
}

#[test]
fn a_badge_of_a_public_project_needs_no_token_and_others_are_like_all_reads() {
    let unauthorized = json!({ "message": "401 Unauthorized" });
    let missing = json!({ "message": "404 Project Not Found" });
    let badge = "/badges/master/build.svg";
    let public = World::new(spec(), Visibility::Public);
    public.get(badge).gives(200);
    public.get(badge).by(&public.eve).gives(200);
    public.get(badge).header("PRIVATE-TOKEN", "nobody's").gives(200);
    let path = public.project.path.replace('/', "%2F");
    spec().get(format!("/projects/{path}{badge}")).gives(200);
    for visibility in [Visibility::Internal, Visibility::Private] {
        let world = World::new(spec(), visibility);
        world.get(badge).refused(401, unauthorized.clone());
        world.get(badge).header("PRIVATE-TOKEN", "nobody's").refused(401, unauthorized.clone());
        let shown = world.get(badge).by(&world.rae).gives(200);
        assert_eq!(shown.header("Cache-Control"), Some("private, no-cache"));
        if visibility == Visibility::Private {
            world.get(badge).by(&world.eve).refused(404, missing.clone());
            world.get(badge).by(&world.gus).refused(403, json!({ "message": "403 Forbidden" }));
        }
    }
    spec().get(format!("/projects/999999999{badge}")).refused(401, unauthorized);
}
