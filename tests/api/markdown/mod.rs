//! Markdown as HTML (behaviour 18).

use crate::support::{Visibility, World, spec};
use serde_json::json;

#[test]
fn markdown_is_rendered_for_all_with_a_token() {
    let world = World::new(spec(), Visibility::Private);
    let post = |fields: serde_json::Value| spec().ask_v4("POST", "/markdown").json(fields);
    post(json!({ "text": "x" })).gives(401);
    post(json!({})).by(&world.eve).refused(400, json!({ "error": "text is missing" }));
    let html = |fields| post(fields).by(&world.gus).gives(201).json;
    assert_eq!(html(json!({ "text": "*a* <b>" })), json!({ "html": "<p><em>a</em> &lt;b&gt;</p>" }));
    assert_eq!(html(json!({ "text": "" })), json!({ "html": "" }));
    let of = json!({ "text": "a", "gfm": true, "project": world.project.path });
    assert_eq!(html(of.clone()), json!({ "html": "<p>a</p>" }));
    post(of).by(&world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
}
