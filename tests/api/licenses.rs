//! License templates (specification, "License templates"; contract B 4.7).

use crate::support::{spec, templates};
use serde_json::json;

#[test]
fn an_unknown_template_is_not_found() {
    for key in ["no-such", "other", "no-license", "..."] {
        spec().get(format!("/licenses/{key}")).refused(404, json!({ "message": "404 License Not Found" }));
    }
    for no_key in ["foo%2Fbar", "%20", "m%C3%AFt"] {
        spec().get(format!("/licenses/{no_key}")).refused(404, json!({ "error": "404 Not Found" }));
    }
}

#[test]
fn fifteen_templates_are_listed_in_order_of_their_keys() {
    let answer = spec().get("/licenses").gives(200);
    assert_eq!(answer.each("key"), templates::listed());
    assert_eq!(answer.header("X-Total"), None);
}
