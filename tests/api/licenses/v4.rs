//! License templates of v4.

use crate::support::v4::has_keys;
use crate::support::{Visibility, World, spec, templates};
use serde_json::json;

#[test]
fn templates_are_listed_in_pages_under_both_spellings() {
    let all: Vec<_> = templates::listed().into_iter().map(|key| json!(key)).collect();
    // no credentials are needed, and bad ones are none
    for path in ["/templates/licenses", "/templates/Licenses/"] {
        let listed = spec().ask_v4("GET", path).header("PRIVATE-TOKEN", "wrong").gives(200);
        assert_eq!(listed.each("key"), all, "{path}");
        let total = all.len().to_string();
        assert_eq!(listed.header("X-Total"), Some(total.as_str()));
        has_keys(
            &listed.json[0],
            &[
                "key name nickname html_url source_url popular featured description conditions permissions limitations content",
            ],
        );
    }
    let second = spec().ask_v4("GET", "/templates/licenses?per_page=4&page=2").gives(200);
    assert_eq!(second.each("key"), all[4..8]);
    assert_eq!((second.header("X-Next-Page"), second.header("X-Prev-Page")), (Some("3"), Some("1")));
    let popular = spec().ask_v4("GET", "/templates/Licenses/?popular=true").gives(200);
    assert!(!popular.each("key").is_empty() && popular.each("popular").iter().all(|it| *it == json!(true)));
    spec().ask_v4("GET", "/templates/licenses?popular=perhaps").refused(400, json!({ "error": "popular is invalid" }));
    spec().ask_v4("GET", "/templates/licenses?page=x").refused(400, json!({ "error": "page is invalid" }));
}

#[test]
fn a_template_is_filled_in_for_a_project() {
    let missing = json!({ "message": "404 License Not Found" });
    spec().ask_v4("GET", "/templates/licenses/no-such").refused(404, missing.clone());
    for path in ["/templates/licenses/mit", "/templates/Licenses/MIT?fullname=Ann"] {
        assert_eq!(spec().ask_v4("GET", path).gives(200).json["key"], "mit");
    }
    let world = World::new(spec(), Visibility::Public);
    let hidden = World::new(spec(), Visibility::Private);
    let list = "/templates/licenses";
    spec().ask_v4("GET", hidden.at(list)).refused(404, json!({ "message": "404 Project Not Found" }));
    let listed = spec().ask_v4("GET", world.at(list)).gives(200);
    assert_eq!(listed.each("key").len(), templates::listed().len());
    has_keys(&listed.json[0], &["key name"]);
    assert_eq!(listed.header("X-Page"), None);
    spec().ask_v4("GET", world.at("/templates/licenses/no-such")).refused(404, missing);
    let filled = spec().ask_v4("GET", world.at("/templates/licenses/mit")).by(&world.bob).gives(200).json;
    assert!(filled["content"].as_str().unwrap().contains(&world.bob.name), "{filled}");
}
