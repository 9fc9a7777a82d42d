//! What D1 may do at any time: not be there, take a batch back, do it and lose the answer. Over HTTP there is no way to
//! make it, so these tests have servers in this process.

use crate::support::templates;
use crate::support::{Ask, Fault, Server, Visibility, World};
use serde_json::json;
use std::collections::VecDeque;

const LOST: &str = "D1_ERROR: Network connection lost.";
const OVERLOADED: &str = "D1_ERROR: D1 DB is overloaded. Too many requests queued.";

/// A world on a server of the test's own.
fn world() -> World {
    World::new(Server::own(templates::blobs()), Visibility::Private)
}

/// Sends it while batches fail in this order, then no more; its status, its trips, and when it says to come again.
fn during(faults: &[Option<Fault>], ask: Ask, world: &World) -> (u16, u32, Option<u32>) {
    let mut faults: VecDeque<_> = faults.iter().copied().collect();
    world.server.database().break_down(move || faults.pop_front().flatten());
    let answer = ask.send();
    world.server.database().mend();
    let after = answer.header("Retry-After").map(|text| text.parse().unwrap());
    if answer.status == 503 {
        assert_eq!(answer.json, json!({ "message": "503 Service Unavailable" }), "{}", answer.what);
    }
    (answer.status, answer.trips, after)
}

#[test]
fn a_read_is_tried_once_more_when_the_database_went_away() {
    let world = world();
    for fault in [Fault::Before(LOST), Fault::During(LOST), Fault::After(LOST)] {
        let ask = || world.get("/issues").by(&world.rae);
        assert_eq!(during(&[Some(fault)], ask(), &world), (200, 2, None));
        assert_eq!(during(&[Some(fault), Some(fault)], ask(), &world), (503, 2, Some(1)));
    }
}

#[test]
fn a_database_that_is_overloaded_is_left_alone() {
    let world = world();
    let ask = world.get("/issues").by(&world.rae);
    assert_eq!(during(&[Some(Fault::Before(OVERLOADED))], ask, &world), (503, 1, Some(5)));
    let ask = world.put("").by(&world.ann).json(json!({ "description": "x" }));
    assert_eq!(during(&[None, Some(Fault::Before(OVERLOADED))], ask, &world), (503, 2, Some(5)));
}

#[test]
fn a_change_is_tried_once_more_and_a_new_record_is_not() {
    let world = world();
    let lost = Some(Fault::After(LOST));
    let ask = world.put("").by(&world.ann).json(json!({ "description": "changed" }));
    assert_eq!(during(&[None, lost], ask, &world), (200, 3, None));
    let label = json!({ "name": "bug", "color": "#ff0000" });
    let ask = world.post("/labels").by(&world.rae).json(label);
    assert_eq!(during(&[None, lost], ask, &world), (503, 2, Some(1)));
    assert_eq!(world.get("/labels").by(&world.rae).gives(200).each("name"), ["bug"]);
    // a refusal is told with the same certainty
    let ask = world.put("").by(&world.gus).json(json!({ "description": "x" }));
    assert_eq!(during(&[lost], ask, &world), (403, 2, None));
}

#[test]
fn a_stranger_learns_of_a_failure_no_more_than_anybody() {
    let world = world();
    let lost = Some(Fault::Before(LOST));
    assert_eq!(during(&[lost, lost], world.get("/issues"), &world), (401, 0, None));
    let ask = world.get("/issues").header("PRIVATE-TOKEN", "no good");
    assert_eq!(during(&[lost, lost], ask, &world), (503, 2, Some(1)));
}
