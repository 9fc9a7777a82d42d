//! Labels of new issues (behaviour 6.2).

use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

fn world() -> World {
    World::new(spec(), Visibility::Private)
}

/// The labels of a new issue that was given these.
#[track_caller]
fn labelled(world: &World, labels: Value) -> Value {
    world.issue(&world.rae, json!({ "title": "x", "labels": labels }))["labels"].clone()
}

#[test]
fn label_names_are_trimmed_and_shown_once_in_order() {
    let world = world();
    for (given, shown) in [
        (json!("label, label2"), json!(["label", "label2"])),
        (json!(" b ,a,b , a"), json!(["a", "b"])),
        (json!("a,,b,"), json!(["a", "b"])),
        (json!(","), json!([])),
        (json!("label, label?, label&foo, ?, &"), json!(["&", "?", "label", "label&foo", "label?"])),
        (json!(["x", " y "]), json!(["x", "y"])),
        (json!("<b>bold</b>, a<br>b"), json!(["ab", "bold"])),
        (json!("Ä, ä, 🐙"), json!(["Ä", "ä", "🐙"])),
        (json!(7), json!(["7"])),
    ] {
        assert_eq!(labelled(&world, given.clone()), shown, "{given}");
    }
}

#[test]
fn an_unknown_label_is_made_once_and_a_known_one_is_found_by_its_exact_name() {
    let world = world();
    assert_eq!(labelled(&world, json!("bug")), json!(["bug"]));
    assert_eq!(labelled(&world, json!("bug, Bug")), json!(["Bug", "bug"]));
    let labels = world.get("/labels").by(&world.rae).gives(200);
    assert_eq!(labels.each("name"), ["Bug", "bug"]);
    assert_eq!(labels.each("color"), ["#428BCA", "#428BCA"]);
}

#[test]
fn a_comma_separates_labels_in_an_array_too() {
    let world = World::new(spec(), Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    for (given, shown) in [
        (json!(["a,b"]), json!(["a", "b"])),
        (json!(["ok", "py, new"]), json!(["new", "ok", "py"])),
        (json!([","]), json!([])),
    ] {
        assert_eq!(labelled(&world, given.clone()), shown, "{given}");
        let edit = world.put(&format!("/issues/{}", issue["id"])).by(&world.ann).json(json!({ "labels": given }));
        assert_eq!(edit.gives(200).json["labels"], shown, "{given}");
    }
    let form = [("title", "t"), ("labels[]", "a,b")];
    assert_eq!(world.post("/issues").by(&world.ann).form(&form).gives(200).json["labels"], json!(["a", "b"]));
}

#[test]
fn a_label_name_of_more_than_255_characters_is_refused() {
    let world = world();
    let post = |name: String| world.post("/issues").by(&world.rae).json(json!({ "title": "x", "labels": name }));
    let refusal = json!({ "message": { "labels": ["is too long (maximum is 255 characters)"] } });
    post("l".repeat(256)).refused(400, refusal);
    assert_eq!(post("l".repeat(255)).gives(200).json["labels"], json!(["l".repeat(255)]));
}

#[test]
fn many_labels_fit_one_issue() {
    let world = world();
    let names: Vec<String> = (100..300).map(|number| format!("label {number}")).collect();
    assert_eq!(labelled(&world, json!(names.join(","))), json!(names));
}

#[test]
fn a_flood_of_labels_is_refused_at_once() {
    let world = world();
    for (number, text) in [(10_000, "are too many (maximum is 500)"), (100_000, "is invalid")] {
        let names: Vec<String> = (0..number).map(|number| format!("l{number}")).collect();
        let flood = json!({ "title": "x", "labels": names.join(",") });
        world.post("/issues").by(&world.rae).json(flood).refused(400, json!({ "message": { "labels": [text] } }));
    }
    let crowd: String = (0..100_000).map(|number| format!("@u{number} ")).collect();
    world.issue(&world.rae, json!({ "title": "x", "description": crowd }));
}

#[test]
fn an_issue_has_at_most_500_labels() {
    let world = world();
    let names = |from: usize, to: usize| (from..to).map(|number| format!("l{number:04}")).collect::<Vec<_>>().join(",");
    let iid = world.issue(&world.rae, json!({ "title": "x", "labels": names(0, 499) }))["iid"].clone();
    let put = |body| world.v4("PUT", &format!("/issues/{iid}")).by(&world.rae).json(body);
    let refusal = json!({ "message": { "labels": ["are too many (maximum is 500)"] } });
    put(json!({ "add_labels": names(499, 501) })).refused(400, refusal.clone());
    put(json!({ "labels": names(0, 400), "add_labels": names(400, 501) })).refused(400, refusal);
    let whole = put(json!({ "add_labels": names(498, 501), "remove_labels": "l0000" })).gives(200).json;
    assert_eq!(whole["labels"].as_array().unwrap().len(), 500);
    let other = put(json!({ "labels": names(1000, 1500) })).gives(200).json;
    assert_eq!(other["labels"].as_array().unwrap().len(), 500);
}

#[test]
fn a_label_has_no_control_characters() {
    let world = world();
    let refused = |field: &str| json!({ "message": { field: ["cannot contain control characters"] } });
    let post = |body| world.post("/labels").by(&world.rae).json(body);
    post(json!({ "name": "a\u{1}", "color": "#ff0000" })).refused(400, refused("title"));
    let description = "x\u{202e}";
    post(json!({ "name": "a", "color": "#ff0000", "description": description })).refused(400, refused("description"));
    let issue = json!({ "title": "x", "labels": "a\u{7}b" });
    world.post("/issues").by(&world.rae).json(issue).refused(400, refused("labels"));
}
