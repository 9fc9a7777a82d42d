use super::{made, tagged};
use crate::support::Visibility;
use crate::support::v4::ask;
use serde_json::json;

#[test]
fn releases_are_listed_by_their_day_or_by_when_they_were_made() {
    let world = tagged(Visibility::Public);
    for (tag, day) in [("v1", "2020-03-01"), ("v2", "2020-01-01"), ("a/b", "2020-02-01")] {
        made(&world, json!({ "tag_name": tag, "released_at": day }));
    }
    let tags = |query: &str| ask(&world, "GET", &format!("/releases?{query}")).gives(200).each("tag_name");
    assert_eq!(tags(""), ["v1", "a/b", "v2"]);
    assert_eq!(tags("sort=asc"), ["v2", "a/b", "v1"]);
    assert_eq!(tags("order_by=created_at"), ["a/b", "v2", "v1"]);
    assert_eq!(tags("order_by=created_at&sort=asc"), ["v1", "v2", "a/b"]);
    assert_eq!(tags("updated_after=2999-01-01"), Vec::<serde_json::Value>::new());
    assert_eq!(tags("updated_before=2999-01-01").len(), 3);
    ask(&world, "GET", "/releases?updated_after=x")
        .refused(400, json!({ "error": "updated_after is invalid" }));
}

#[test]
fn pages_of_releases_follow_their_links() {
    let world = tagged(Visibility::Public);
    for tag in ["v1", "v2", "a/b"] {
        made(&world, json!({ "tag_name": tag, "released_at": "2020-01-01" }));
    }
    for query in ["", "&sort=asc", "&order_by=created_at", "&order_by=created_at&sort=asc"] {
        let all = ask(&world, "GET", &format!("/releases?x{query}")).gives(200);
        assert_eq!(all.header("X-Total"), Some("3"));
        let mut pages = Vec::new();
        let mut page = ask(&world, "GET", &format!("/releases?per_page=1{query}")).gives(200);
        loop {
            pages.extend(page.each("tag_name"));
            let Some(next) = page.next() else { break };
            page = world.server.ask_v4("GET", next).gives(200);
        }
        assert_eq!(pages, all.each("tag_name"), "{query}");
    }
}

#[test]
fn the_newest_release_has_a_lasting_address() {
    let world = tagged(Visibility::Public);
    let at = "/releases/permalink/latest";
    ask(&world, "GET", at).refused(404, json!({ "message": "404 Not Found" }));
    made(&world, json!({ "tag_name": "v1", "released_at": "2020-01-01" }));
    made(&world, json!({ "tag_name": "a/b", "released_at": "2021-01-01" }));
    let to = |path: &str| {
        let answer = ask(&world, "GET", path).gives(302);
        let location = answer.header("Location").unwrap();
        location.split_once("/api/v4").unwrap().1.to_owned()
    };
    let here = format!("/projects/{}/releases/a%2Fb", world.project.id);
    assert_eq!(to(at), here);
    assert_eq!(to(&format!("{at}?order_by=x&x=1&private_token={}", world.bob.token)), format!("{here}?x=1"));
    assert_eq!(to(&format!("{at}/downloads/bin/tool")), format!("{here}/downloads/bin/tool"));
}
