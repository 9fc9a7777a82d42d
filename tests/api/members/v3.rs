//! Members of projects and groups (behaviour 3.2).

use crate::support::{Visibility, World, spec, unique};
use serde_json::json;

#[test]
fn a_member_needs_a_known_user_and_level() {
    let world = World::new(spec(), Visibility::Private);
    let post = |body| world.post("/members").by(&world.ann).json(body);
    post(json!({ "access_level": 10 })).refused(400, json!({ "message": "400 (Bad request) \"user_id\" not given" }));
    post(json!({ "user_id": world.eve.id }))
        .refused(400, json!({ "message": "400 (Bad request) \"access_level\" not given" }));
    post(json!({ "user_id": world.eve.id, "access_level": 15 }))
        .refused(400, json!({ "message": { "access_level": ["is not included in the list"] } }));
    post(json!({ "user_id": 987654321, "access_level": 10 })).refused(404, json!({ "message": "404 User Not Found" }));
    post(json!({ "user_id": world.bob.id, "access_level": 10 }))
        .refused(409, json!({ "message": "Member already exists" }));
}

#[test]
fn a_member_is_shown_changed_and_removed() {
    let world = World::new(spec(), Visibility::Private);
    let bob = format!("/members/{}", world.bob.id);
    let shown = world.get(&bob).by(&world.gus).gives(200).json;
    assert_eq!(shown["username"], world.bob.username);
    assert_eq!(shown["access_level"], 30);
    assert_eq!(shown["expires_at"], json!(null));
    assert!(shown.get("email").is_none());
    let changed = world.put(&bob).by(&world.ann).json(json!({ "access_level": 40 })).gives(200).json;
    assert_eq!(changed["access_level"], 40);
    // a master gives no more than their own level, and takes nothing from those above
    let eve = json!({ "user_id": world.eve.id, "access_level": 50 });
    world.post("/members").by(&world.bob).json(eve.clone()).gives(403);
    world.post("/members").by(&world.ann).json(eve).gives(201);
    let eve = format!("/members/{}", world.eve.id);
    world.put(&eve).by(&world.bob).json(json!({ "access_level": 10 })).gives(403);
    world.delete(&eve).by(&world.bob).gives(403);
    // an owner of the project may end it
    world.delete("").by(&world.bob).gives(403);
    assert_eq!(world.delete(&bob).by(&world.ann).gives(200).json["id"], world.bob.id);
    world.delete(&bob).by(&world.ann).refused(404, json!({ "message": "404 Not found" }));
    world.get("").by(&world.bob).gives(404);
    world.delete("").by(&world.eve).gives(200);
}

#[test]
fn a_member_may_leave_and_removes_nobody_else() {
    let world = World::new(spec(), Visibility::Private);
    let rae = format!("/members/{}", world.rae.id);
    world.delete(&rae).by(&world.bob).refused(403, json!({ "message": "403 Forbidden" }));
    let gus = format!("/members/{}", world.gus.id);
    world.delete(&gus).by(&world.gus).gives(200);
    world.delete(&gus).by(&world.gus).gives(404);
}

#[test]
fn members_are_listed_in_pages() {
    let world = World::new(spec(), Visibility::Public);
    let all = world.get("/members").by(&world.eve).gives(200);
    assert_eq!(all.each("id"), [world.bob.id, world.rae.id, world.gus.id]);
    let first = world.get("/members?per_page=2").by(&world.eve).gives(200);
    assert_eq!(first.each("id"), [world.bob.id, world.rae.id]);
    assert_eq!(first.header("X-Next-Page"), Some("2"));
    let link = first.header("Link").unwrap();
    let next = link.split(", ").find(|part| part.contains("rel=\"next\"")).unwrap();
    let query = next.split('?').nth(1).unwrap().split('>').next().unwrap();
    let second = world.get(&format!("/members?{query}")).by(&world.eve).gives(200);
    assert_eq!(second.each("id"), [world.gus.id]);
    assert_eq!(second.header("X-Next-Page"), Some(""));
    assert_eq!(world.get("/members?page=2&per_page=2").by(&world.eve).gives(200).json, second.json);
    let found = world.get("/members").query("query", &world.rae.username.to_uppercase()).by(&world.eve).gives(200);
    assert_eq!(found.each("id"), [world.rae.id]);
}

#[test]
fn the_last_owner_of_a_group_stays() {
    let cast = spec().cast();
    let owner = spec().person("Olga");
    let path = unique("owned");
    let group = spec().post("/groups").by(&owner).json(json!({ "name": path, "path": path })).gives(201).id();
    let at = |rest: String| format!("/groups/{group}/members{rest}");
    spec().get(at(String::new())).by(&cast.eve).refused(404, json!({ "message": "404 Group Not Found" }));
    let own = at(format!("/{}", owner.id));
    spec().delete(own.clone()).by(&owner).gives(403);
    spec().put(own.clone()).by(&owner).json(json!({ "access_level": 40 })).gives(403);
    spec().delete(own.clone()).by(&cast.root).gives(403);
    let bob = json!({ "user_id": cast.bob.id, "access_level": 40 });
    spec().post(at(String::new())).by(&owner).json(bob.clone()).gives(201);
    spec().post(at(String::new())).by(&owner).json(bob).gives(409);
    // a master of a group does not manage it
    spec().put(own.clone()).by(&cast.bob).json(json!({ "access_level": 10 })).gives(403);
    spec().put(at(format!("/{}", cast.bob.id))).by(&owner).json(json!({ "access_level": 50 })).gives(200);
    spec().delete(own.clone()).by(&owner).gives(200);
    spec().get(own).by(&cast.bob).gives(404);
    assert_eq!(spec().get(at(String::new())).by(&cast.bob).gives(200).each("access_level"), [50]);
}

#[test]
fn the_level_is_the_highest_of_project_and_group() {
    let cast = spec().cast();
    for (in_project, in_group) in [(30, 10), (10, 30)] {
        let zoe = spec().person("Zoe");
        let path = unique("levels");
        let group = spec().post("/groups").by(&cast.ann).json(json!({ "name": path, "path": path })).gives(201);
        let project = spec().project(&cast.ann, group.id(), Visibility::Private);
        let label = || {
            let label = json!({ "name": unique("label"), "color": "#ffffff" });
            spec().post(format!("/projects/{}/labels", project.id)).by(&zoe).json(label).send().status
        };
        let admit = |place: String, level: i64| {
            let member = json!({ "user_id": zoe.id, "access_level": level });
            spec().post(format!("{place}/members")).by(&cast.ann).json(member).gives(201);
        };
        let places = [format!("/projects/{}", project.id), format!("/groups/{}", group.id())];
        let mut levels: Vec<_> = places.into_iter().zip([in_project, in_group]).collect();
        levels.sort_by_key(|(_, level)| *level);
        let mut seen = vec![label()];
        for (place, level) in levels {
            admit(place, level);
            seen.push(label());
        }
        assert_eq!(seen, [404, 403, 201], "{in_project} in the project, {in_group} in the group");
    }
}
