//! Reads from replicas: what a replica that lags may answer, and to which caller (behaviour 4.6).

mod client;
mod histories;
mod network;
mod site;

use edgeforge::Replicas;
use serde_json::{Value, json};
use site::{Site, Who};

/// A lag so long that no replica receives a write during a test.
const FAR: i64 = 86_400_000;

/// Ann is a developer of a project with one issue. All replicas have this state, and receive nothing later.
struct World {
    site: Site,
    ann: (i64, String),
    project: i64,
    /// A bookmark of the state that all replicas have.
    mark: String,
}

fn world(replicas: Replicas, visibility: &str) -> World {
    let site = Site::new(1, replicas, None);
    let ann = site.person("ann");
    let project = site.project("p", visibility, &[ann.0]);
    site.made(&format!("/projects/{project}/issues"), json!({ "title": "old" }));
    site.settle();
    let mark = network::Network::bookmark(site.network.written());
    site.network.lag(FAR);
    World { site, ann, project, mark }
}

impl World {
    fn at(&self, rest: &str) -> String {
        format!("/projects/{}{rest}", self.project)
    }

    fn ann(&self) -> Who<'_> {
        Who::with_token(&self.ann.1)
    }

    /// Ann, with a bookmark of that state.
    fn late(&self) -> Who<'_> {
        self.ann().knowing(&self.mark)
    }

    /// Root creates the second issue.
    fn second(&self) -> site::Told {
        self.site.made(&self.at("/issues"), json!({ "title": "new" }))
    }
}

#[test]
fn switched_off_nothing_is_read_near_by_and_no_bookmark_is_told() {
    let world = world(Replicas::Off, "public");
    assert_eq!(world.second().bookmark, None);
    let ((), away) = world.site.away(|| {
        for who in [world.late(), world.ann(), Who::NOBODY, Who::NOBODY.knowing(&world.mark)] {
            let told = world.site.gets(who, &world.at("/issues/2"));
            assert_eq!((told.status, told.trips, told.bookmark), (200, 1, None));
        }
    });
    assert_eq!(away, 0);
}

#[test]
fn what_is_no_bookmark_is_passed_over() {
    let world = world(Replicas::On, "public");
    let long = format!("0-{}", "0".repeat(1000));
    let forged = ["", "x", "first-unconstrained", "first-primary", "0", "0-", "0-0 ", "0-0, 0-0", "é-0", &long];
    for bookmark in forged {
        let (told, away) = world.site.away(|| world.site.gets(world.ann().knowing(bookmark), &world.at("/issues/1")));
        assert_eq!((told.status, told.trips, away), (200, 1, 0), "{bookmark}");
    }
}

#[test]
fn a_bookmark_of_a_state_that_never_was_is_answered_by_the_primary() {
    let world = world(Replicas::Nearest, "public");
    world.second();
    for bookmark in [&network::Network::bookmark(1_000_000), "ffffffff-ffffffff-0-0", "0-zz"] {
        for who in [world.ann(), Who::NOBODY] {
            assert_eq!(world.site.gets(who.knowing(bookmark), &world.at("/issues/2")).status, 200);
            let refused = world.site.gets(who.knowing(bookmark), &world.at("/issues/99"));
            assert_eq!(refused.status, 404, "{bookmark}");
        }
    }
}

#[test]
fn who_wrote_is_told_a_bookmark_and_nobody_else() {
    let world = world(Replicas::On, "private");
    let written = world.second();
    assert_eq!(written.bookmark, Some(network::Network::bookmark(world.site.network.written())));
    let post = |who| world.site.asks(who, "POST", &world.at("/issues"), json!({}));
    for (who, status) in [(Who::NOBODY, 401), (Who::with_token("wrong"), 401), (world.ann(), 400)] {
        let told = post(who);
        assert_eq!((told.status, told.bookmark), (status, None));
    }
    assert_eq!(world.site.gets(world.late(), &world.at("/issues")).bookmark, None);
}

#[test]
fn a_token_that_ended_is_refused_though_a_replica_takes_it_for_good() {
    let world = world(Replicas::Nearest, "private");
    let issues = world.at("/issues");
    let (other_id, other) = world.site.token(world.ann.0);
    world.site.settle();
    world.site.network.lag(FAR);
    let (told, away) = world.site.away(|| world.site.gets(world.late(), &issues));
    assert_eq!((told.status, told.trips, away), (200, 2, 1));

    let still = Who::with_token(&other).knowing(&world.mark);
    assert_eq!(world.site.gets(still, &issues).status, 200);
    let revoke = format!("/personal_access_tokens/{other_id}");
    assert_eq!(world.site.asks(Who::root(), "DELETE", &revoke, Value::Null).status, 204);
    assert_eq!(world.site.gets(still, &issues).status, 401);
    // another token of the user works as before, until the user is blocked
    assert_eq!(world.site.gets(world.late(), &issues).status, 200);
    let block = format!("/users/{}/block", world.ann.0);
    assert!(world.site.asks(Who::root(), "POST", &block, Value::Null).status < 300);
    assert_eq!(world.site.gets(world.late(), &issues).status, 401);
}

#[test]
fn a_token_without_a_bookmark_is_answered_by_the_primary() {
    let world = world(Replicas::Nearest, "public");
    world.second();
    let (told, away) = world.site.away(|| world.site.gets(world.ann(), &world.at("/issues/2")));
    assert_eq!((told.status, told.trips, away), (200, 1, 0));
}

#[test]
fn who_is_no_member_any_more_is_refused_though_a_replica_knows_them_as_one() {
    let world = world(Replicas::On, "private");
    assert_eq!(world.site.gets(world.late(), &world.at("/issues")).status, 200);
    let member = world.at(&format!("/members/{}", world.ann.0));
    assert_eq!(world.site.asks(Who::root(), "DELETE", &member, Value::Null).status, 204);
    assert_eq!(world.site.gets(world.late(), &world.at("/issues")).status, 404);
    // lists across projects are authorized row by row, on the primary
    let (told, away) = world.site.away(|| world.site.gets(world.late(), "/projects?membership=true"));
    assert_eq!((told.json, away), (json!([]), 0));
}

#[test]
fn with_a_token_a_project_is_private_as_soon_as_it_is_made_so() {
    let world = world(Replicas::Nearest, "public");
    let eve = world.site.person("eve").1;
    world.site.settle();
    world.site.network.lag(FAR);
    let eve = Who::with_token(&eve).knowing(&world.mark);
    assert_eq!(world.site.gets(eve, &world.at("/issues")).status, 200);
    let changed = world.site.asks(Who::root(), "PUT", &world.at(""), json!({ "visibility": "private" }));
    assert_eq!(changed.status, 200);
    assert_eq!(world.site.gets(eve, &world.at("/issues")).status, 404);
    // without a bookmark as far as replicas lag; a record that was private a moment ago is not shown
    assert_eq!(world.site.gets(Who::NOBODY, &world.at("/issues")).status, 200);
    world.site.settle();
    assert_eq!(world.site.gets(Who::NOBODY, &world.at("/issues")).status, 404);
}

#[test]
fn who_brings_the_bookmark_of_a_write_sees_it_on_a_replica() {
    let world = world(Replicas::Nearest, "public");
    let written = world.second().bookmark.unwrap();
    let nobody = Who::NOBODY.knowing(&written);
    for (who, trips) in [(world.ann().knowing(&written), 2), (nobody, 1)] {
        let (told, away) = world.site.away(|| world.site.gets(who, &world.at("/issues/2")));
        assert_eq!((told.status, told.trips, away), (200, trips, 1));
    }
}

#[test]
fn where_replicas_answer_tokens_alone_a_bookmark_without_a_token_is_ignored() {
    let world = world(Replicas::On, "public");
    let changed = world.site.asks(Who::root(), "PUT", &world.at(""), json!({ "visibility": "private" }));
    assert_eq!(changed.status, 200);
    for mark in [world.mark.as_str(), "0-0"] {
        let nobody = Who::NOBODY.knowing(mark);
        let (told, away) = world.site.away(|| world.site.gets(nobody, &world.at("/issues")));
        assert_eq!((told.status, told.trips, away), (404, 1, 0));
    }
}

#[test]
fn without_bookmark_and_token_a_read_is_near_by_where_it_is_configured() {
    for (replicas, expected) in [(Replicas::On, 0), (Replicas::Nearest, 1)] {
        let world = world(replicas, "public");
        let (told, away) = world.site.away(|| world.site.gets(Who::NOBODY, &world.at("/issues/1")));
        assert_eq!((told.status, told.trips, away), (200, 1, expected));
    }
}

#[test]
fn where_somebody_wrote_from_reads_go_to_the_primary_for_a_minute() {
    let world = world(Replicas::Nearest, "public");
    let here = Who { token: None, ..world.ann() };
    let change = json!({ "description": "changed" });
    let written = world.site.asks(world.ann(), "PUT", &world.at("/issues/1"), change);
    assert_eq!(written.status, 200);
    let read = |who: Who<'_>| world.site.gets(who, &world.at("/issues/1")).json["description"].clone();
    assert_eq!(read(here), "changed");
    // another isolate has no memory of the write, and neither has another address
    assert_eq!(read(Who { isolate: 1, ..here }), Value::Null);
    assert_eq!(read(Who::NOBODY), Value::Null);
    world.site.network.wait(60_000);
    assert_eq!(read(here), Value::Null);
}

#[test]
fn what_a_replica_does_not_know_is_looked_for_on_the_primary() {
    let world = world(Replicas::Nearest, "public");
    world.second();
    let (told, away) = world.site.away(|| world.site.gets(Who::NOBODY, &world.at("/issues/2")));
    assert_eq!((told.status, told.trips, away), (200, 2, 1));
    let other = world.site.project("q", "public", &[]);
    assert_eq!(world.site.gets(Who::NOBODY, &format!("/projects/{other}")).status, 200);
    // also with a bookmark of an older state
    assert_eq!(world.site.gets(world.late(), &world.at("/issues/2")).status, 200);
    assert_eq!(world.site.gets(Who::NOBODY, &world.at("/issues/99")).status, 404);
}

#[test]
fn a_variable_that_says_something_else_is_told() {
    let words = ["", "off", "on", "nearest"].map(|word| Replicas::read(word).unwrap());
    assert_eq!(words, [Replicas::Off, Replicas::Off, Replicas::On, Replicas::Nearest]);
    assert!(Replicas::read("yes").unwrap_err().contains("READ_REPLICAS"));
}
