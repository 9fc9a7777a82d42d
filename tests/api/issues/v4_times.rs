//! Time tracking.

use crate::support::v4::{at, made};
use crate::support::{Answer, Ask, Person, Visibility, World, spec};
use serde_json::{Value, json};

fn track(world: &World, issue: &Value, person: &Person, path: &str, duration: &str) -> Ask {
    at(world, "POST", issue, path).by(person).json(json!({ "duration": duration }))
}

fn stats(answer: &Answer) -> Value {
    let fields = ["time_estimate", "total_time_spent", "human_time_estimate", "human_total_time_spent"];
    json!(fields.map(|name| answer.json[name].clone()))
}

#[test]
fn only_reporters_track_time_not_the_author_of_an_issue() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.gus, json!({ "title": "t" }));
    let hidden = made(&world, &world.ann, json!({ "title": "t", "confidential": true }));
    for path in ["/time_estimate", "/add_spent_time", "/reset_time_estimate", "/reset_spent_time"] {
        at(&world, "POST", &issue, path).refused(401, json!({ "message": "401 Unauthorized" }));
        track(&world, &hidden, &world.gus, path, "1h").refused(404, json!({ "message": "404 Not found" }));
        track(&world, &issue, &world.gus, path, "1h").refused(403, json!({ "message": "403 Forbidden" }));
        let status = if path == "/add_spent_time" { 201 } else { 200 };
        track(&world, &issue, &world.rae, path, "1h").gives(status);
    }
}

#[test]
fn a_duration_that_cannot_be_read_is_refused() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    for path in ["/time_estimate", "/add_spent_time"] {
        at(&world, "POST", &issue, path)
            .by(&world.rae)
            .json(json!({}))
            .refused(400, json!({ "error": "duration is missing" }));
        for text in ["soon", "1 fortnight", "99999999h"] {
            track(&world, &issue, &world.rae, path, text).refused(400, json!({ "error": "duration is invalid" }));
        }
    }
    track(&world, &issue, &world.rae, "/time_estimate", "-1h").refused(400, json!({ "error": "duration is invalid" }));
    track(&world, &issue, &world.rae, "/add_spent_time", "0").refused(400, json!({ "error": "duration is invalid" }));
    let too_much = json!({ "message": { "base": ["Time to subtract exceeds the total time spent"] } });
    track(&world, &issue, &world.rae, "/add_spent_time", "-1h").refused(400, too_much);
    track(&world, &issue, &world.rae, "/add_spent_time", "596523h").gives(201);
    let too_long = json!({ "message": { "base": ["Time spent is too long"] } });
    track(&world, &issue, &world.rae, "/add_spent_time", "1h").refused(400, too_long);
}

#[test]
fn an_estimate_and_the_time_spent_are_in_every_answer_with_the_issue() {
    let world = World::new(spec(), Visibility::Public);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    assert_eq!(
        issue["time_stats"],
        json!({ "time_estimate": 0, "total_time_spent": 0, "human_time_estimate": null, "human_total_time_spent": null })
    );
    let estimated = track(&world, &issue, &world.rae, "/time_estimate", "1w 2d 3h 30m").gives(200);
    assert_eq!(stats(&estimated), json!([214_200, 0, "1w 2d 3h 30m", null]));
    let spent = track(&world, &issue, &world.rae, "/add_spent_time", "1.5").gives(201);
    assert_eq!(stats(&spent), json!([214_200, 5400, "1w 2d 3h 30m", "1h 30m"]));
    let less = track(&world, &issue, &world.rae, "/add_spent_time", "-30 minutes").gives(201);
    assert_eq!(stats(&less), json!([214_200, 3600, "1w 2d 3h 30m", "1h"]));
    assert_eq!(at(&world, "GET", &issue, "/time_stats").gives(200).json, less.json);
    let shown = at(&world, "GET", &issue, "").gives(200).json;
    assert_eq!(shown["time_stats"], less.json);
    assert!(shown["updated_at"].as_str() > issue["updated_at"].as_str());
    let listed = world.v4("GET", "/issues").gives(200).json;
    assert_eq!(listed[0]["time_stats"], less.json);
    assert_eq!(
        stats(&at(&world, "POST", &issue, "/reset_time_estimate").by(&world.rae).gives(200)),
        json!([0, 3600, null, "1h"])
    );
    assert_eq!(
        stats(&at(&world, "POST", &issue, "/reset_spent_time").by(&world.rae).gives(200)),
        json!([0, 0, null, null])
    );
}

#[test]
fn tracked_time_is_told_in_comments_of_the_service() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    for (path, duration) in
        [("time_estimate", "3h"), ("time_estimate", "3h"), ("add_spent_time", "1h"), ("add_spent_time", "-15m")]
    {
        track(&world, &issue, &world.rae, &format!("/{path}"), duration).send();
    }
    for path in ["reset_time_estimate", "reset_spent_time", "reset_spent_time"] {
        at(&world, "POST", &issue, &format!("/{path}")).by(&world.rae).gives(200);
    }
    let notes = at(&world, "GET", &issue, "/notes?sort=asc").by(&world.gus).gives(200);
    let expected = [
        "changed time estimate to 3h",
        "added 1h of time spent",
        "subtracted 15m of time spent",
        "removed time estimate",
        "removed time spent",
    ];
    assert_eq!(notes.each("body"), expected);
    assert!(notes.each("system").iter().all(|system| *system == true));
}

#[test]
fn time_that_many_track_at_once_adds_up() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| track(&world, &issue, &world.rae, "/add_spent_time", "1m").gives(201));
        }
    });
    let taken = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..12)
            .map(|_| scope.spawn(|| track(&world, &issue, &world.rae, "/add_spent_time", "-1m").send().status))
            .collect();
        tries.into_iter().map(|each| each.join().unwrap()).filter(|status| *status == 201).count()
    });
    assert_eq!(taken, 8);
    assert_eq!(stats(&at(&world, "GET", &issue, "/time_stats").by(&world.gus).gives(200))[1], 0);
}
