//! Who follows a label (behaviour 6.9).

use crate::support::{Person, Visibility, World, spec};
use serde_json::json;

fn labeled(visibility: Visibility) -> World {
    let world = World::new(spec(), visibility);
    for name in ["bug", "new"] {
        world.post("/labels").by(&world.ann).json(json!({ "name": name, "color": "#ff0000" })).gives(201);
    }
    world
}

fn followed(world: &World, person: &Person) -> Vec<serde_json::Value> {
    let v3 = world.get("/labels").by(person).gives(200).each("subscribed");
    assert_eq!(world.v4("GET", "/labels").by(person).gives(200).each("subscribed"), v3);
    v3
}

#[test]
fn a_label_that_the_caller_does_not_see_is_not_followed() {
    let world = labeled(Visibility::Private);
    for word in ["subscribe", "unsubscribe"] {
        let missing = json!({ "message": "404 Label Not Found" });
        world.v4("POST", &format!("/labels/none/{word}")).by(&world.gus).refused(404, missing);
    }
    let path = "/labels/none/subscription";
    world.post(path).by(&world.gus).refused(404, json!({ "message": "404 Label Not Found" }));
    world.delete(path).by(&world.gus).refused(404, json!({ "message": "404 Label Not Found" }));
}

#[test]
fn everybody_follows_labels_for_themselves_in_both_versions() {
    let world = labeled(Visibility::Internal);
    let one = world.v4("POST", "/labels/bug/subscribe").by(&world.gus).gives(201).json;
    assert_eq!((&one["name"], &one["subscribed"]), (&json!("bug"), &json!(true)));
    world.v4("POST", &format!("/labels/{}/subscribe", one["id"])).by(&world.gus).gives(304);
    world.post("/labels/bug/subscription").by(&world.gus).gives(304);
    assert_eq!(world.post("/labels/bug/subscription").by(&world.eve).gives(201).json["subscribed"], true);
    assert_eq!(followed(&world, &world.gus), [true, false]);
    assert_eq!(followed(&world, &world.eve), [true, false]);
    assert_eq!(followed(&world, &world.ann), [false, false]);
    let shown = world.v4("GET", "/labels/bug").by(&world.gus).gives(200).json;
    assert_eq!(shown["subscribed"], true);
    let changed = world.v4("PUT", "/labels/bug").by(&world.rae).json(json!({ "color": "#00ff00" })).gives(200).json;
    assert_eq!(changed["subscribed"], false);
    let gone = world.delete("/labels/bug/subscription").by(&world.gus).gives(200).json;
    assert_eq!(gone["subscribed"], false);
    world.delete("/labels/bug/subscription").by(&world.gus).gives(304);
    world.v4("POST", "/labels/bug/unsubscribe").by(&world.gus).gives(304);
    assert_eq!(world.v4("POST", "/labels/bug/unsubscribe").by(&world.eve).gives(201).json["subscribed"], false);
    assert_eq!(followed(&world, &world.eve), [false, false]);
}

#[test]
fn nobody_follows_a_label_that_has_the_name_of_a_deleted_one() {
    let world = labeled(Visibility::Private);
    world.v4("POST", "/labels/new/subscribe").by(&world.gus).gives(201);
    world.v4("DELETE", "/labels/new").by(&world.ann).gives(204);
    world.post("/labels").by(&world.ann).json(json!({ "name": "new", "color": "#ff0000" })).gives(201);
    assert_eq!(followed(&world, &world.gus), [false, false]);
}
