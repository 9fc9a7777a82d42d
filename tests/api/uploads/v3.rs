use super::{FORM, form};
use crate::support::v4::{ask, names};
use crate::support::{Visibility, World, spec};
use serde_json::json;

#[test]
fn v3_uploads_to_the_same_addresses() {
    let world = World::new(spec(), Visibility::Public);
    let post = || world.post("/uploads").body(FORM, form("dk.png", b"x"));
    let made = post().by(&world.eve).gives(201).json;
    assert_eq!(names(&made), "alt is_image markdown url");
    assert_eq!((&made["alt"], &made["is_image"]), (&json!("dk"), &json!(true)));
    assert_eq!(made["markdown"], format!("![dk]({})", made["url"].as_str().unwrap()));
    assert_eq!(ask(&world, "GET", made["url"].as_str().unwrap()).gives(200).text, "x");
    world.post("/uploads").by(&world.eve).json(json!({})).refused(400, json!({ "error": "file is missing" }));
}
