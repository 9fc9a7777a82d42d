//! Users and the tokens that they come in with (contract B 3.1, 3.9).

use crate::support::spec;
use crate::support::unique;
use serde_json::json;

#[test]
fn a_new_user_is_made_by_administrators_alone() {
    let cast = spec().cast();
    let name = unique("new");
    let user = json!({ "email": format!("{name}@example.com"), "username": name, "name": "New" });
    spec().post("/users").json(user.clone()).refused(401, json!({ "message": "401 Unauthorized" }));
    spec()
        .post("/users")
        .by(&cast.ann)
        .json(user.clone())
        .refused(403, json!({ "message": "403 Forbidden" }));
    let made = spec().post("/users").by(&cast.root).json(user.clone()).gives(201);
    assert_eq!(made.json["username"], name);
    assert_eq!(made.json["email"], format!("{name}@example.com"));
    assert_eq!(made.json["projects_limit"], 10);
    spec()
        .post("/users")
        .by(&cast.root)
        .json(user)
        .refused(409, json!({ "message": "Email has already been taken" }));
    let other =
        json!({ "email": format!("{name}@example.org"), "username": name.to_uppercase(), "name": "New" });
    spec()
        .post("/users")
        .by(&cast.root)
        .json(other)
        .refused(409, json!({ "message": "Username has already been taken" }));
}

#[test]
fn whoever_has_a_token_is_shown_himself() {
    let cast = spec().cast();
    spec().get("/user").refused(401, json!({ "message": "401 Unauthorized" }));
    let own = spec().get("/user").by(&cast.ann).gives(200).json;
    assert_eq!(own["id"], cast.ann.id);
    assert_eq!(own["email"], cast.ann.email);
    assert_eq!(own["is_admin"], false);
    assert_eq!(spec().get("/user").by(&cast.root).gives(200).json["is_admin"], true);
}
