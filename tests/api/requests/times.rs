//! Times in requests: every parameter accepts and refuses the same forms (behaviour 4.3).

use crate::support::{Visibility, World, now, spec};
use serde_json::{Value, json};

/// A text and the instant that it is, as answers show it.
const TIMES: &[(&str, &str)] = &[
    ("2001-02-03T04:05:06Z", "2001-02-03T04:05:06.000Z"),
    ("20010203T040506Z", "2001-02-03T04:05:06.000Z"),
    ("2001-02-03T04:05Z", "2001-02-03T04:05:00.000Z"),
    ("2001-02-03T04:05:06+0200", "2001-02-03T02:05:06.000Z"),
    ("2001-02-03T04:05:06+02", "2001-02-03T02:05:06.000Z"),
    ("2001-02-03T04:05:06-03:30", "2001-02-03T07:35:06.000Z"),
    ("2001-02-03T04:05:06 02:00", "2001-02-03T02:05:06.000Z"),
    ("2001-02-03T04:05:06,5Z", "2001-02-03T04:05:06.500Z"),
    ("2001-02-03T24:00:00Z", "2001-02-04T00:00:00.000Z"),
    ("2001-034T04:05:06", "2001-02-03T04:05:06.000Z"),
    ("2001-W05-6T04:05:06Z", "2001-02-03T04:05:06.000Z"),
    ("2001-02-03 04:05:06 UTC", "2001-02-03T04:05:06.000Z"),
    ("2001-02-03", "2001-02-03T00:00:00.000Z"),
    ("Sat, 3 Feb 2001 04:05:06 +0200", "2001-02-03T02:05:06.000Z"),
    ("3 Feb 2001 04:05:06 GMT", "2001-02-03T04:05:06.000Z"),
];

const NO_TIMES: &[&str] = &[
    "someday",
    "2001/02/03 04:05:06",
    "2001-02-30T00:00:00Z",
    "2001-13-01",
    "2001-02-03T25:00:00Z",
    "2001-02-03T04:05:06+24:00",
    "981173106",
    "99999-01-01T00:00:00Z",
    "Mon, 3 Feb 2001 04:05:06 +0200",
];

fn invalid(field: &str) -> Value {
    json!({ "message": { field: ["is invalid"] } })
}

#[test]
fn what_is_no_time_is_refused_by_every_parameter() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(1);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let (at, notes) = (format!("/issues/{}", issue["id"]), format!("/issues/{}/notes", issue["id"]));
    let tokens = format!("/users/{}/personal_access_tokens", world.ann.id);
    for time in NO_TIMES {
        let new = json!({ "title": "t", "created_at": time });
        world.post("/issues").by(&world.ann).json(new).refused(400, invalid("created_at"));
        let edit = json!({ "title": "x", "updated_at": time });
        world.put(&at).by(&world.ann).json(edit).refused(400, invalid("updated_at"));
        let note = json!({ "body": "b", "created_at": time });
        world.post(&notes).by(&world.ann).json(note).refused(400, invalid("created_at"));
        let token = json!({ "name": "t", "expires_at": time });
        spec().post(&tokens).by(&world.ann).json(token).refused(400, invalid("expires_at"));
        for name in ["since", "until"] {
            let list = world.get("/repository/commits").by(&world.ann).query(name, time);
            list.refused(400, invalid(name));
        }
    }
    let both = json!({ "message": { "since": ["is invalid"], "until": ["is invalid"] } });
    world.get("/repository/commits?since=x&until=y").by(&world.ann).refused(400, both);
    assert_eq!(world.seen(&world.ann, &issue)["title"], "t");
    assert_eq!(world.seen(&world.ann, &issue)["user_notes_count"], 0);
}

#[test]
fn every_form_is_read_by_every_parameter() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let notes = format!("/issues/{}/notes", issue["id"]);
    for (text, shown) in TIMES {
        let made = world.issue(&world.ann, json!({ "title": "t", "created_at": text }));
        assert_eq!(made["created_at"], *shown, "{text}");
        let edited = world.edit(&world.ann, &issue, json!({ "updated_at": text }));
        assert_eq!(edited["updated_at"], *shown, "{text}");
        let note = json!({ "body": "b", "created_at": text });
        assert_eq!(world.post(&notes).by(&world.ann).json(note).gives(201).json["created_at"], *shown);
        let tokens = format!("/users/{}/personal_access_tokens", world.ann.id);
        // the same form of a time to come
        let later = text.replace("2001", "2091").replace("Sat, ", "").replace("W05-6", "W05-3");
        let token = json!({ "name": "t", "expires_at": later });
        let token = spec().post(tokens).by(&world.ann).json(token).gives(201).json["expires_at"].clone();
        assert_eq!(token.as_str().unwrap()[10..], shown[10..], "{later}");
    }
}

#[test]
fn a_list_of_commits_is_bounded_by_any_form() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(3);
    let count = |name: &str, time: &str| {
        world.get("/repository/commits").by(&world.ann).query(name, time).gives(200).each("id").len()
    };
    // the second commit's instant, and a second later
    for time in ["2014-05-15T16:53:20Z", "20140515T185320+02", "Thu, 15 May 2014 16:53:20 GMT"] {
        assert_eq!((count("since", time), count("until", time)), (2, 2), "{time}");
    }
    for time in ["2014-05-15T16:53:21Z", "20140515T185320.5+02", "Thu, 15 May 2014 16:53:21 GMT"] {
        assert_eq!((count("since", time), count("until", time)), (1, 2), "{time}");
    }
    assert_eq!((count("since", "2014-05-15"), count("until", "2014-05-15")), (2, 1));
}

#[test]
fn a_time_from_someone_without_the_right_is_dropped_whatever_it_is() {
    let world = World::new(spec(), Visibility::Private);
    for time in ["2001-02-03T04:05:06Z", "someday"] {
        let issue = world.issue(&world.rae, json!({ "title": "t", "created_at": time }));
        assert!(issue["created_at"].as_str() > Some("2020"), "{issue}");
        let edited = world.edit(&world.rae, &issue, json!({ "title": "u", "updated_at": time }));
        assert!(edited["updated_at"].as_str() > Some("2020"), "{edited}");
    }
}

#[test]
fn an_issue_of_the_past_was_changed_now() {
    let world = World::new(spec(), Visibility::Private);
    let before = chrono::DateTime::from_timestamp_millis(now() - 60_000).unwrap().to_rfc3339();
    let issue = world.issue(&world.ann, json!({ "title": "t", "created_at": "2001-02-03T04:05:06Z" }));
    assert!(issue["updated_at"].as_str() > Some(before.as_str()), "{issue}");
    let newest = world.get("/issues?order_by=updated_at&per_page=1").by(&world.ann).gives(200);
    assert_eq!(newest.each("id"), [issue["id"].clone()]);
}

#[test]
fn a_token_that_would_be_over_already_is_not_made() {
    let person = spec().person("Past");
    let token = json!({ "name": "t", "expires_at": "2001-02-03" });
    let at = format!("/users/{}/personal_access_tokens", person.id);
    let past = json!({ "message": { "expires_at": ["is in the past"] } });
    spec().post(at).by(&person).json(token).refused(400, past);
}
