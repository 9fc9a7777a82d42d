//! Badges.

mod of_project;

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

/// The address of v4's badge, and GitLab's own.
fn addresses(world: &World, git_ref: &str) -> [String; 3] {
    let path = &world.project.path;
    [
        format!("/api/v4/projects/{}/badges/{}/pipeline.svg", world.project.id, git_ref.replace('/', "%2F")),
        format!("/{path}/badges/{git_ref}/pipeline.svg"),
        format!("/{path}/-/badges/{git_ref}/build.svg"),
    ]
}

#[test]
fn a_badge_has_gitlabs_address_and_words() {
    let world = World::new(spec(), Visibility::Public);
    world.push(&line(1), &[("refs/heads/main", &sha(1)), ("refs/heads/feature/x", &sha(1))]);
    let shown = |address: &str, word: &str| {
        let badge = spec().ask_at("GET", address).gives(200);
        assert_eq!(badge.header("Content-Type"), Some("image/svg+xml"));
        assert_eq!(badge.header("Cache-Control"), Some("public, max-age=60"));
        assert!(badge.text.contains(&format!("<title>pipeline {word}</title>")), "{address}: {}", badge.text);
    };
    for git_ref in ["main", "feature/x", "none"] {
        addresses(&world, git_ref).iter().for_each(|address| shown(address, "unknown"));
    }
    world.post("/statuses/main").by(&world.bob).json(json!({ "state": "success" })).gives(201);
    for git_ref in ["main", "feature/x"] {
        addresses(&world, git_ref).iter().for_each(|address| shown(address, "passed"));
    }
    world.post("/statuses/main").by(&world.bob).json(json!({ "state": "failed", "name": "x" })).gives(201);
    addresses(&world, "main").iter().for_each(|address| shown(address, "failed"));
    let [_, own, _] = addresses(&world, "main");
    spec().ask_at("HEAD", &own).gives(200);
    spec().ask_at("POST", &own).gives(405);
}

#[test]
fn a_badges_text_is_escaped_and_values_out_of_bounds_count_as_none() {
    let world = World::new(spec(), Visibility::Public);
    let ask = |query: &str| {
        let address = format!("{}?{query}", addresses(&world, "main")[1]);
        spec().ask_at("GET", &address).gives(200).text
    };
    let odd = ask("key_text=%3Cscript%3E%22%26%01&style=flat-square&key_width=80");
    assert!(odd.contains("<title>&lt;script&gt;&quot;&amp;\u{fffd} unknown</title>"), "{odd}");
    assert!(odd.contains("rx=\"0\"") && odd.contains("width=\"134\""), "{odd}");
    let long = format!("key_text={}", "x".repeat(65));
    for query in ["key_text=", &long, "key_width=0", "key_width=513", "style=odd", "ignore_skipped=true"] {
        assert_eq!(ask(query), ask(""), "{query}");
    }
}

#[test]
fn gitlabs_address_of_a_badge_says_nothing_that_v3s_does_not() {
    for visibility in [Visibility::Public, Visibility::Internal, Visibility::Private] {
        let world = World::new(spec(), visibility);
        world.push(&line(1), &[("refs/heads/main", &sha(1))]);
        let nobody = crate::support::Person { token: "nobody's".to_owned(), ..world.eve.clone() };
        for person in [None, Some(&nobody), Some(&world.eve), Some(&world.gus), Some(&world.rae)] {
            let by = |ask: crate::support::Ask| if let Some(person) = person { ask.by(person) } else { ask };
            let known = by(world.get("/badges/main/build.svg")).send();
            for address in addresses(&world, "main") {
                let answer = by(spec().ask_at("GET", &address)).send();
                assert_eq!(answer.status, known.status, "{}", answer.what);
                assert_eq!(answer.header("Cache-Control"), known.header("Cache-Control"), "{}", answer.what);
                if answer.status != 200 {
                    assert_eq!(answer.json, known.json, "{}", answer.what);
                }
            }
        }
    }
    let hidden = World::new(spec(), Visibility::Private);
    let told = |path: &str| {
        let answer = spec().ask_at("GET", format!("/{path}/badges/main/pipeline.svg")).by(&hidden.eve).send();
        (answer.status, answer.text)
    };
    assert_eq!(told(&hidden.project.path), told("nobody/nothing"));
    let alone = |path: &str| spec().ask_at("GET", format!("/{path}/badges/main/pipeline.svg")).gives(401).text;
    assert_eq!(alone(&hidden.project.path), alone("nobody/nothing"));
}

/// The two words of a badge, and the color behind the second.
fn shown(address: &str) -> [String; 3] {
    let text = spec().ask_at("GET", address).gives(200).text;
    let nth = |mark: &str, nth: usize| text.split(mark).nth(nth).unwrap().split(['<', '"']).next().unwrap().to_owned();
    [nth("y=\"14\">", 1), nth("y=\"14\">", 2), nth("height=\"20\" fill=\"", 2)]
}

#[test]
fn a_badge_shows_the_coverage_of_the_newest_successful_pipeline() {
    let world = World::new(spec(), Visibility::Public);
    world.push(&line(2), &[("refs/heads/main", &sha(2))]);
    let address = |query: &str| format!("/{}/-/badges/main/coverage.svg?{query}", world.project.path);
    let post = |commit: u32, fields: serde_json::Value| {
        let mut all = json!({ "ref": "main" });
        all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        world.post(&format!("/statuses/{}", sha(commit))).by(&world.bob).json(all).gives(201);
    };
    let [grey, green, light, yellow, red] = ["#9f9f9f", "#4c1", "#a3c51c", "#dfb317", "#e05d44"];
    assert_eq!(shown(&address("")), ["coverage", "unknown", grey]);
    post(1, json!({ "state": "success", "name": "unit", "coverage": 91.5 }));
    post(1, json!({ "state": "success", "name": "api", "coverage": 90 }));
    post(1, json!({ "state": "success", "name": "lint" }));
    assert_eq!(shown(&address("")), ["coverage", "90.75%", light]);
    // the sum of both is no number, and their mean is one
    post(1, json!({ "state": "success", "name": "unit", "coverage": 1e308 }));
    post(1, json!({ "state": "success", "name": "api", "coverage": 1e308 }));
    assert_eq!(shown(&address(""))[1], format!("{:.2}%", 1e308));
    let listed = world.v4("GET", "/pipelines?ref=main").by(&world.bob).gives(200).json;
    let newest = world.v4("GET", &format!("/pipelines/{}", listed[0]["id"])).by(&world.bob).gives(200).json;
    assert_eq!(newest["coverage"], json!(format!("{:.2}", 1e308)));
    post(1, json!({ "state": "success", "name": "unit", "coverage": 91.5 }));
    post(1, json!({ "state": "success", "name": "api", "coverage": 90 }));
    // a pipeline that is not successful does not count, but its successful jobs do
    post(2, json!({ "state": "failed", "name": "lint", "coverage": 1 }));
    post(2, json!({ "state": "success", "name": "unit", "coverage": 30 }));
    assert_eq!(shown(&address("")), ["coverage", "90.75%", light]);
    assert_eq!(shown(&address("job=unit")), ["coverage", "30.00%", red]);
    assert_eq!(shown(&address("job=api")), ["coverage", "90.00%", light]);
    for none in ["job=lint", "job=nothing"] {
        assert_eq!(shown(&address(none)), ["coverage", "unknown", grey], "{none}");
    }
    for (query, colour) in [
        ("min_good=90", green),
        ("min_good=91", light),
        ("min_acceptable=92&min_medium=80", yellow),
        ("min_good=100&min_acceptable=99&min_medium=98", red),
        ("min_good=101&min_acceptable=95", light),
    ] {
        assert_eq!(shown(&address(&format!("{query}&key_text=c")))[2], colour, "{query}");
    }
    let other = address("").replace("main", "other");
    assert_eq!(shown(&other), ["coverage", "unknown", grey]);
}

#[test]
fn a_badge_shows_the_tag_of_the_newest_release() {
    let world = World::new(spec(), Visibility::Public);
    world.push(&line(1), &[("refs/heads/main", &sha(1)), ("refs/tags/v1&2", &sha(1)), ("refs/tags/v0", &sha(1))]);
    let address = format!("/{}/-/badges/release.svg", world.project.path);
    assert_eq!(shown(&address), ["Latest Release", "none", "#e05d44"]);
    for (tag, at) in [("v1&2", "2020-01-02"), ("v0", "2020-01-01")] {
        let fields = json!({ "tag_name": tag, "released_at": at });
        world.v4("POST", "/releases").by(&world.bob).json(fields).gives(201);
    }
    assert_eq!(shown(&address), ["Latest Release", "v1&amp;2", "#3076af"]);
    let wide = spec().ask_at("GET", format!("{address}?value_width=100&key_width=100&key_text=r")).gives(200).text;
    assert!(wide.contains("<title>r v1&amp;2</title>") && wide.contains("width=\"200\""), "{wide}");
    for odd in ["value_width=0", "value_width=201", "style=odd"] {
        assert_eq!(
            spec().ask_at("GET", format!("{address}?{odd}")).gives(200).text,
            spec().ask_at("GET", &address).gives(200).text
        );
    }
    // tags are for those who read code
    let hidden = World::new(spec(), Visibility::Private);
    let badge = |person| hidden.v4("GET", "/badges/release.svg").by(person).send().status;
    assert_eq!([badge(&hidden.rae), badge(&hidden.gus), badge(&hidden.eve)], [200, 403, 404]);
    hidden.v4("GET", "/badges/release.svg").gives(404);
}
