use crate::support::git::commit;
use crate::support::{Visibility, World, spec};
use serde_json::json;

/// A line of commits, each by the next of these authors.
fn push_of(world: &World, authors: &[&'static str]) {
    let made = |(number, author): (u32, &&'static str)| {
        let parents: Vec<u32> = if number == 1 { Vec::new() } else { vec![number - 1] };
        commit(number, &parents).with(|commit| commit.author = author)
    };
    let commits: Vec<_> = (1..).zip(authors).map(made).collect();
    world.push(&commits, &[("refs/heads/master", &commits.last().unwrap().sha)]);
}

#[test]
fn contributors_are_counted_by_their_address() {
    let world = World::new(spec(), Visibility::Public);
    world.v4("GET", "/repository/contributors").refused(404, json!({ "message": "404 Not Found" }));
    let people = ["Ann <ann@x>", "Bob <bob@x>", "Anna <ann@x>", "carl <Carl@x>"];
    push_of(&world, &people);
    let list = |query: &str| world.v4("GET", &format!("/repository/contributors?{query}")).gives(200);
    let one = |name: &str, email: &str, commits: i64| json!({ "name": name, "email": email, "commits": commits, "additions": 0, "deletions": 0 });
    let all = list("");
    assert_eq!(all.json, json!([one("carl", "Carl@x", 1), one("Bob", "bob@x", 1), one("Anna", "ann@x", 2)]));
    let link = all.header("Link").unwrap();
    assert!(link.contains("order_by=commits") && link.contains("sort=asc"), "{link}");
    assert_eq!(list("sort=desc").each("name"), ["Anna", "carl", "Bob"]);
    assert_eq!(list("order_by=name").each("name"), ["Anna", "Bob", "carl"]);
    assert_eq!(list("order_by=email&sort=desc").each("name"), ["carl", "Bob", "Anna"]);
    let second = list("per_page=1&page=2&order_by=name");
    assert_eq!((second.each("name"), second.header("X-Total")), (vec![json!("Bob")], Some("3")));
    let old = world.get("/repository/contributors").by(&world.eve).gives(200);
    assert_eq!(old.json, all.json);
    world.v4("GET", "/repository/contributors?ref=nothing").refused(404, json!({ "message": "404 Not Found" }));
}

#[test]
fn contributors_are_ordered_by_name_and_address_without_case() {
    let world = World::new(spec(), Visibility::Public);
    push_of(&world, &["Zoe <B@x>", "xar <a@x>", "秉虎 <_@x>", "ann <C@x>", "Élan <d@x>", "_u <é@x>"]);
    let list = |query: &str| world.v4("GET", &format!("/repository/contributors?order_by={query}")).gives(200);
    // letters that are not ASCII come last, by their bytes
    let by_name = ["_u", "ann", "xar", "Zoe", "Élan", "秉虎"];
    assert_eq!(list("name").each("name"), by_name);
    let backwards: Vec<&str> = by_name.into_iter().rev().collect();
    assert_eq!(list("name&sort=desc").each("name"), backwards);
    let by_address = ["_@x", "a@x", "B@x", "C@x", "d@x", "é@x"];
    assert_eq!(list("email").each("email"), by_address);
}
