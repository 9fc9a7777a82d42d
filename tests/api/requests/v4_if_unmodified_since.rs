//! `If-Unmodified-Since`: a record that was changed after that time is not deleted.

use crate::support::v4::{ask, at, made};
use crate::support::{Visibility, World, spec};
use serde_json::json;

#[test]
fn what_was_changed_since_a_time_is_not_deleted_by_who_knows_it_from_before() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let note =
        at(&world, "POST", &issue, "/notes").by(&world.ann).json(json!({ "body": "b" })).gives(201).id();
    let milestone = world.milestone("1.0");
    let of_issue = format!("/issues/{}", issue["iid"]);
    let paths = [
        (format!("{of_issue}/notes/{note}"), 204),
        (of_issue, 204),
        (format!("/milestones/{milestone}"), 204),
        (String::new(), 202),
    ];
    for (path, status) in paths {
        let delete = || ask(&world, "DELETE", &path);
        let since = |time: &str| delete().by(&world.ann).header("If-Unmodified-Since", time);
        for before in ["Thu, 01 Jan 2015 00:00:00 GMT", "2015-01-01T00:00:00Z"] {
            since(before).refused(412, json!({ "message": "412 Precondition Failed" }));
        }
        // who may not is not told whether it has changed
        delete().by(&world.eve).header("If-Unmodified-Since", "2015-01-01").gives(404);
        since("Fri, 01 Jan 2100 00:00:00 GMT").gives(status);
    }
}

#[test]
fn what_is_no_time_is_passed_over_and_so_is_the_header_in_v3() {
    let world = World::new(spec(), Visibility::Private);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    at(&world, "DELETE", &issue, "").by(&world.ann).header("If-Unmodified-Since", "soon").gives(204);
    let issue = made(&world, &world.ann, json!({ "title": "t" }));
    let v3 = world.delete(&format!("/issues/{}", issue["id"])).by(&world.ann);
    v3.header("If-Unmodified-Since", "2015-01-01").gives(200);
}
