use super::{made, tagged, with_tags};
use crate::support::git::{commit, sha};
use crate::support::v4::{ask, names};
use crate::support::{Person, Visibility, World, spec};
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
    ask(&world, "GET", "/releases?updated_after=x").refused(400, json!({ "error": "updated_after is invalid" }));
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
    for file in ["bin/tool", "latest.json", "bin/latest.json"] {
        assert_eq!(to(&format!("{at}/downloads/{file}")), format!("{here}/downloads/{file}"));
    }
}

#[test]
fn a_group_lists_the_releases_of_the_projects_that_the_caller_sees() {
    let group = World::group_of_its_own(spec());
    let world = with_tags(World::within(spec(), group, Visibility::Private));
    made(&world, json!({ "tag_name": "v1", "released_at": "2020-01-02T00:00:00Z" }));
    made(&world, json!({ "tag_name": "a/b", "released_at": "2020-01-04T00:00:00Z" }));
    let open = World::within(spec(), group, Visibility::Public);
    open.push(&[commit(1, &[])], &[("refs/heads/master", &sha(1)), ("refs/tags/open", &sha(1))]);
    let fields = json!({ "tag_name": "open", "released_at": "2020-01-03T00:00:00Z" });
    ask(&open, "POST", "/releases").by(&open.ann).json(fields).gives(201);
    let list = |query: &str| spec().ask_v4("GET", format!("/groups/{group}/releases?{query}"));
    let tags = |query: &str| list(query).by(&world.ann).gives(200).each("tag_name");
    assert_eq!(tags(""), ["a/b", "open", "v1"]);
    assert_eq!(tags("sort=asc"), ["v1", "open", "a/b"]);
    let first = list("per_page=1").by(&world.ann).gives(200);
    assert_eq!(world.next_of(&first).each("tag_name"), ["open"]);
    let single = ask(&world, "GET", "/releases/a%2Fb").by(&world.ann).gives(200).json;
    assert_eq!(first.json[0], single);
    let simple = list("simple=true&per_page=1").by(&world.ann).gives(200).json;
    assert_eq!(names(&simple[0]), "created_at description name released_at tag_name upcoming_release");
    // a guest gets no name of a tag of a private project
    let seen = list("").by(&world.gus).gives(200);
    assert_eq!(seen.each("tag_name"), [json!(null), json!("open"), json!(null)]);
    assert!(!seen.text.contains("v1") && !seen.text.contains("a%2Fb"), "{}", seen.text);
    assert_eq!(list("").by(&world.eve).gives(200).each("tag_name"), ["open"]);
    list("sort=x").by(&world.ann).refused(400, json!({ "error": "sort does not have a valid value" }));
}

#[test]
fn an_external_guest_of_a_group_gets_no_name_of_a_tag_of_its_projects_that_are_not_public() {
    let group = World::group_of_its_own(spec());
    let guest = spec().person("Exa");
    let external = json!({ "external": true });
    spec().put(format!("/users/{}", guest.id)).by(&spec().root()).json(external).gives(200);
    let cast = spec().cast();
    let member = json!({ "user_id": guest.id, "access_level": 10 });
    spec().post(format!("/groups/{group}/members")).by(&cast.ann).json(member).gives(201);
    let all = [Visibility::Private, Visibility::Internal, Visibility::Public].map(|visibility| {
        let world = with_tags(World::within(spec(), group, visibility));
        made(&world, json!({ "tag_name": "v1", "name": "hush" }));
        world
    });
    let list = |person: &Person| spec().ask_v4("GET", format!("/groups/{group}/releases")).by(person).gives(200);
    assert_eq!(list(&guest).each("tag_name"), [json!("v1"), json!(null), json!(null)]);
    assert_eq!(list(&cast.gus).each("tag_name"), [json!("v1"), json!("v1"), json!(null)]);
    // each is the same as in the list of its project
    for (world, release) in all.iter().rev().zip(list(&guest).json.as_array().unwrap()) {
        assert_eq!(&ask(world, "GET", "/releases").by(&guest).gives(200).json[0], release);
    }
}
