use super::tagged;
use crate::support::Visibility;
use crate::support::v4::ask;
use serde_json::json;

const AT: &str = "/repository/tags/v1/release";

#[test]
fn a_tag_is_described_by_developers() {
    let world = tagged(Visibility::Private);
    let notes = json!({ "description": "New" });
    for ask in [world.post(AT), world.put(AT)] {
        ask.json(notes.clone()).gives(401);
    }
    for person in [&world.gus, &world.rae] {
        world.post(AT).by(person).json(notes.clone()).gives(403);
        world.put(AT).by(person).json(notes.clone()).gives(403);
    }
    world.post(AT).by(&world.eve).json(notes.clone()).gives(404);
    let missing = json!({ "message": "400 (Bad request) \"description\" not given" });
    world.post(AT).by(&world.bob).json(json!({})).refused(400, missing);
    let absent = json!({ "message": "Release does not exist" });
    world.put(AT).by(&world.bob).json(notes.clone()).refused(404, absent);
    let unknown = "/repository/tags/v9/release";
    let no_tag = || json!({ "message": "Tag does not exist" });
    world.post(unknown).by(&world.bob).json(notes.clone()).refused(404, no_tag());
    world.put(unknown).by(&world.bob).json(notes.clone()).refused(404, no_tag());
    let made = world.post(AT).by(&world.bob).json(notes.clone()).gives(201).json;
    assert_eq!(made, json!({ "tag_name": "v1", "description": "New" }));
    let taken = json!({ "message": "Release already exists" });
    world.post(AT).by(&world.bob).json(notes).refused(409, taken);
    let changed = world.put(AT).by(&world.bob).json(json!({ "description": "Newer" })).gives(200).json;
    assert_eq!(changed, json!({ "tag_name": "v1", "description": "Newer" }));
    assert_eq!(world.get("/repository/tags/v1").by(&world.rae).gives(200).json["release"], changed);
    let release = ask(&world, "GET", "/releases/v1").by(&world.rae).gives(200).json;
    assert_eq!(release["description"], "Newer");
}
