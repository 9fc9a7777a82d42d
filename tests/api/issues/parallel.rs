//! Many at once.

use crate::support::{Visibility, World, spec};
use serde_json::json;
use std::thread;

#[test]
fn fifty_issues_made_at_once_have_fifty_numbers_without_gaps() {
    let world = World::new(spec(), Visibility::Private);
    let mut iids: Vec<i64> = thread::scope(|scope| {
        let make = |number: usize| {
            let fields = json!({ "title": format!("issue {number}"), "labels": "shared, also" });
            world.issue(&world.rae, fields)["iid"].as_i64().unwrap()
        };
        let makers: Vec<_> = (0..50).map(|number| scope.spawn(move || make(number))).collect();
        makers.into_iter().map(|maker| maker.join().unwrap()).collect()
    });
    iids.sort_unstable();
    assert_eq!(iids, (1..=50).collect::<Vec<_>>());
    let list = world.get("/issues?per_page=100&labels=shared").by(&world.gus).gives(200);
    assert_eq!((list.each("iid").len(), list.header("X-Total")), (50, Some("50")));
    assert_eq!(world.get("/labels").by(&world.gus).gives(200).each("name"), ["also", "shared"]);
}
