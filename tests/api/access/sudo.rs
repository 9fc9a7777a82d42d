//! An administrator acting as somebody else (behaviour 2.2).

use crate::support::{Person, Visibility, World, spec};
use serde_json::json;

#[test]
fn sudo_is_for_administrators() {
    let world = World::new(spec(), Visibility::Public);
    let refusal = json!({ "message": "403 Forbidden  - Must be admin to use sudo" });
    for whom in [&world.eve, &world.root, &world.ann] {
        world.get("/issues").by(&world.ann).header("SUDO", &whom.username).refused(403, refusal.clone());
        world.get("/issues").by(&world.ann).query("sudo", &whom.id.to_string()).refused(403, refusal.clone());
    }
    world.get("/issues").by(&world.ann).header("SUDO", "no-such").refused(403, refusal);
}

#[test]
fn sudo_needs_the_private_token() {
    let world = World::new(spec(), Visibility::Public);
    let made = spec().post("/users/1/personal_access_tokens").by(&world.root);
    let token = made.json(json!({ "name": "for sudo" })).gives(201).json["token"].clone();
    let refusal = json!({ "message": "403 Forbidden  - Private token must be specified in order to use sudo" });
    let ask = || spec().get("/user").header("PRIVATE-TOKEN", token.as_str().unwrap());
    ask().header("SUDO", &world.ann.username).refused(403, refusal);
    assert_eq!(ask().gives(200).id(), 1);
}

#[test]
fn sudo_as_nobody_known_is_not_found() {
    let root = &spec().cast().root;
    for name in ["999999999", "no-such", "ROOT", "0"] {
        let refusal = json!({ "message": format!("404 No user id or username for: {name} Not Found") });
        spec().get("/user").by(root).header("SUDO", name).refused(404, refusal.clone());
        spec().get("/user").by(root).query("sudo", name).refused(404, refusal);
    }
}

#[test]
fn sudo_without_a_good_token_is_401() {
    let refusal = json!({ "message": "401 Unauthorized" });
    spec().get("/user").header("SUDO", "root").refused(401, refusal.clone());
    spec().get("/user?sudo=1").header("PRIVATE-TOKEN", "wrong").refused(401, refusal);
}

#[test]
fn an_administrator_acts_as_the_user_named_by_id_or_username_in_header_or_parameter() {
    let cast = spec().cast();
    let ask = || spec().get("/user").by(&cast.root);
    let acts_as = |person: &Person| {
        let (id, name) = (person.id.to_string(), person.username.as_str());
        for whom in [id.as_str(), name] {
            assert_eq!(ask().header("SUDO", whom).gives(200).id(), person.id);
            assert_eq!(ask().header("Sudo", whom).gives(200).id(), person.id);
            assert_eq!(ask().query("sudo", whom).gives(200).id(), person.id);
        }
    };
    acts_as(&cast.bob);
    acts_as(&cast.root);
    assert_eq!(ask().gives(200).id(), 1);
    assert_eq!(ask().header("SUDO", "").gives(200).id(), 1);
}

#[test]
fn the_sudo_parameter_wins_over_the_header() {
    let cast = spec().cast();
    let ask = spec().get("/user").by(&cast.root).header("SUDO", &cast.ann.username);
    assert_eq!(ask.query("sudo", &cast.bob.username).gives(200).id(), cast.bob.id);
}

#[test]
fn after_sudo_all_permissions_are_those_of_the_other() {
    let world = World::new(spec(), Visibility::Private);
    let sudo = |person: &Person| world.get("/issues").by(&world.root).header("SUDO", &person.username);
    sudo(&world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
    sudo(&world.gus).gives(200);
    let post = world.post("/issues").by(&world.root).query("sudo", &world.gus.username);
    let issue = post.form(&[("title", "by root as gus"), ("created_at", "2001-01-01T00:00:00Z")]).gives(200);
    assert_eq!(issue.json["author"]["id"], world.gus.id);
    assert_ne!(issue.json["created_at"], "2001-01-01T00:00:00.000Z");
}
