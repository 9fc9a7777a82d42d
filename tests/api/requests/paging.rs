//! Pages, limits and the paging headers (specification, "Limits"; behaviour 5.3).

use crate::support::{Answer, Server, Visibility, World, gitlab, spec};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A project with that many issues.
fn filled(count: usize) -> World {
    let world = World::new(spec(), Visibility::Private);
    for number in 1..=count {
        world.issue(&world.ann, json!({ "title": format!("issue {number}") }));
    }
    world
}

/// The paging headers in the order total, pages, size, page, next, previous.
fn figures(answer: &Answer) -> [&str; 6] {
    ["X-Total", "X-Total-Pages", "X-Per-Page", "X-Page", "X-Next-Page", "X-Prev-Page"]
        .map(|name| answer.header(name).unwrap_or_else(|| panic!("{}: no {name}", answer.what)))
}

/// Relation and address of each link, taken apart at commas as clients do.
fn links(answer: &Answer) -> Vec<(String, String)> {
    let header = answer.header("Link").unwrap_or_else(|| panic!("{}: no Link", answer.what));
    let link = |part: &str| {
        let (address, relation) = part.trim().split_once("; ").unwrap_or_else(|| panic!("Link: {header}"));
        let address = address.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
        let relation = relation.strip_prefix("rel=\"").and_then(|text| text.strip_suffix('"'));
        (relation.expect(header).to_owned(), address.expect(header).to_owned())
    };
    header.split(',').map(link).collect()
}

fn relations(answer: &Answer) -> Vec<String> {
    links(answer).into_iter().map(|(relation, _)| relation).collect()
}

/// Path below the base, and query, of one link.
fn link(answer: &Answer, relation: &str) -> Option<String> {
    let address = links(answer).into_iter().find(|(name, _)| name == relation)?.1;
    let base = format!("{}/api/v3", spec().origin);
    Some(address.strip_prefix(&base).unwrap_or_else(|| panic!("{address} is not below {base}")).to_owned())
}

#[test]
fn a_page_that_is_none_is_refused() {
    let world = filled(0);
    for (query, text) in [
        ("page=x", "page is invalid"),
        ("per_page=abc", "per_page is invalid"),
        ("per_page=1,5", "per_page is invalid"),
        ("page=1e3", "page is invalid"),
        ("page=x&per_page=y", "page is invalid, per_page is invalid"),
        ("page[]=x", "page is invalid"),
        ("page[]=1&per_page[x]=1", "page is invalid, per_page is invalid"),
        ("cursor=x", "cursor is invalid"),
        ("cursor[]=x", "cursor is invalid"),
    ] {
        for list in ["/issues", "/repository/commits"] {
            world.get(&format!("{list}?{query}")).by(&world.ann).refused(400, json!({ "error": text }));
        }
    }
    // an issue is checked against each label, milestone and word
    for (filter, most) in [
        ("milestone=v1", 10_000),
        ("labels=No+Label", 5000),
        ("labels=a,b,c", 3333),
        ("labels=a&milestone=v1", 5000),
        ("state=all&order_by=updated_at&milestone=v1", 5000),
    ] {
        let list = |page: i64| world.get(&format!("/issues?{filter}&per_page=100&page={page}")).by(&world.ann);
        list(most / 100 + 1).gives(200);
        // the list has ended before, which its total shows
        assert_eq!(list(most / 100 + 2).gives(200).json, json!([]), "{filter}");
    }
    for (filter, most) in [
        ("search=a", 300),
        ("search=a+b", 150),
        ("not[labels]=a,b,c,d", 2500),
        ("my_reaction_emoji=None&milestone=Any", 5000),
    ] {
        let list = |page: i64| world.v4("GET", &format!("/issues?{filter}&per_page=100&page={page}")).by(&world.ann);
        list(most / 100 + 1).gives(200);
        // the list has ended before, which its total shows
        assert_eq!(list(most / 100 + 2).gives(200).json, json!([]), "{filter}");
    }
}

#[test]
fn a_page_past_the_end_is_empty_however_far() {
    let world = filled(3);
    world.push_line(3);
    for list in ["/issues", "/repository/commits", "/milestones", "/labels", "/repository/branches"] {
        for page in ["3", "502", "2502", "99999999999999999999"] {
            for ask in [
                world.get(&format!("{list}?page={page}&per_page=100")),
                world.v4("GET", &format!("{list}?page={page}&per_page=100")),
            ] {
                let answer = ask.by(&world.ann).gives(200);
                assert_eq!((&answer.json, answer.next()), (&json!([]), None), "{}", answer.what);
            }
        }
    }
}

#[test]
fn of_45_issues_the_first_page_has_20_and_the_headers_tell_the_rest() {
    let world = filled(45);
    let get = |query: &str| world.get(&format!("/issues?{query}")).by(&world.ann).gives(200);
    let iids = |answer: &Answer| -> Vec<i64> { answer.each("iid").iter().filter_map(Value::as_i64).collect() };

    let first = get("");
    assert_eq!(iids(&first), (26..=45).rev().collect::<Vec<_>>());
    assert_eq!(figures(&first), ["45", "3", "20", "1", "2", ""]);
    assert_eq!(relations(&first), ["next", "first", "last"]);

    let second = get("per_page=20&page=2");
    assert_eq!(iids(&second), (6..=25).rev().collect::<Vec<_>>());
    assert_eq!(figures(&second), ["45", "3", "20", "2", "3", "1"]);
    assert_eq!(relations(&second), ["prev", "next", "first", "last"]);

    let third = get("page=3");
    assert_eq!(iids(&third), [5, 4, 3, 2, 1]);
    assert_eq!(figures(&third), ["45", "3", "20", "3", "", "2"]);
    assert_eq!(relations(&third), ["prev", "first", "last"]);

    let ninth = get("page=9");
    assert_eq!(ninth.json, json!([]));
    assert_eq!(figures(&ninth), ["45", "3", "20", "9", "", "8"]);
    assert_eq!(relations(&ninth), ["prev", "first", "last"]);
    assert!(link(&ninth, "prev").unwrap().contains("page=8&"));
    assert!(link(&ninth, "last").unwrap().contains("page=3&"));

    for query in ["per_page=0", "per_page=-5", "page=0", "page=-1", "page=&per_page=", "page=1.9"] {
        assert_eq!(figures(&get(query)), ["45", "3", "20", "1", "2", ""], "{query}");
    }
    assert_eq!(figures(&get("per_page=101")), ["45", "1", "100", "1", "", ""]);
    assert_eq!(figures(&get("per_page=45")), ["45", "1", "45", "1", "", ""]);
    assert_eq!(figures(&get("per_page=44&page=2")), ["45", "2", "44", "2", "", "1"]);
    assert_eq!(get("page=2501").json, json!([]));
}

#[test]
fn an_empty_list_has_a_first_page_and_no_last() {
    let world = filled(0);
    let answer = world.get("/issues").by(&world.ann).gives(200);
    assert_eq!(answer.json, json!([]));
    assert_eq!(figures(&answer), ["0", "0", "20", "1", "", ""]);
    let id = world.project.id;
    assert_eq!(link(&answer, "first").unwrap(), format!("/projects/{id}/issues?id={id}&page=1&per_page=20"));
    assert_eq!(link(&answer, "last").unwrap(), format!("/projects/{id}/issues?id={id}&page=0&per_page=20"));
}

#[test]
fn links_repeat_the_parameters_in_order_with_the_paths_own() {
    let world = filled(0);
    let id = world.project.id;
    let answer = world.get("/issues?state=closed&per_page=3").by(&world.ann).gives(200);
    let expected = format!("/projects/{id}/issues?id={id}&page=1&per_page=3&state=closed");
    assert_eq!(link(&answer, "first").unwrap(), expected);

    let query = "labels=a,b&milestone=x%20y%2Fz&iid[]=1&iid[]=2&sort=asc&sort=desc&id=7";
    let answer = world.get(&format!("/issues?{query}")).by(&world.ann).gives(200);
    let expected = format!(
        "/projects/{id}/issues?id={id}&iid%5B%5D=1&iid%5B%5D=2&labels=a%2Cb&milestone=x+y%2Fz&page=1&per_page=20&sort=desc"
    );
    assert_eq!(link(&answer, "first").unwrap(), expected);

    let path = world.project.path.replace('/', "%2F");
    let answer = spec().get(format!("/projects/{path}/issues")).by(&world.ann).gives(200);
    assert_eq!(link(&answer, "first").unwrap(), format!("/projects/{path}/issues?id={path}&page=1&per_page=20"));
}

#[test]
fn no_link_repeats_a_token() {
    let world = filled(2);
    for name in ["private_token", "access_token"] {
        let answer = world.get("/issues?per_page=1").query(name, &world.ann.token).gives(200);
        let header = answer.header("Link").unwrap();
        assert!(!header.contains(&world.ann.token) && !header.contains("_token"), "{header}");
    }
}

#[test]
fn following_next_shows_every_issue_once_in_the_order_of_the_pages() {
    let world = filled(7);
    // some of the same millisecond
    for title in ["a", "b", "c", "d"] {
        world.issue(&world.ann, json!({ "title": title, "created_at": "2016-01-01T00:00:00Z" }));
    }
    for order in ["", "sort=asc&", "order_by=updated_at&", "order_by=updated_at&sort=asc&", "state=opened&"] {
        let numbered = |page: usize| world.get(&format!("/issues?{order}per_page=3&page={page}")).by(&world.ann);
        let mut seen = Vec::new();
        let mut next = Some(world.at(&format!("/issues?{order}per_page=3")));
        for page in 1.. {
            let Some(address) = next else { break };
            let answer = spec().get(address).by(&world.ann).gives(200);
            assert_eq!(answer.json, numbered(page).gives(200).json, "{order} page {page}");
            assert_eq!(figures(&answer)[3], page.to_string());
            assert_eq!(figures(&answer)[0], "11");
            seen.extend(answer.each("id").iter().filter_map(Value::as_i64));
            next = link(&answer, "next");
        }
        assert_eq!(seen.len(), 11, "{order}");
        assert_eq!(BTreeSet::from_iter(&seen).len(), 11, "{order}");
    }
}

#[test]
fn commits_are_paged_with_the_same_headers() {
    let world = filled(0);
    world.push_line(5);
    let get = |query: &str| world.get(&format!("/repository/commits?{query}")).by(&world.ann).gives(200);
    let titles = |answer: &Answer| answer.each("title");
    let first = get("per_page=2");
    assert_eq!(titles(&first), ["Change 5", "Change 4"]);
    assert_eq!(first.header("X-Next-Page"), Some("2"));
    assert_eq!(first.header("X-Prev-Page"), Some(""));
    let second = spec().get(link(&first, "next").unwrap()).by(&world.ann).gives(200);
    assert_eq!(titles(&second), ["Change 3", "Change 2"]);
    assert_eq!(second.header("X-Page"), Some("2"));
    let third = get("per_page=2&page=3");
    assert_eq!(titles(&third), ["Change 1"]);
    assert_eq!(third.header("X-Next-Page"), Some(""));
    assert_eq!(third.header("X-Prev-Page"), Some("2"));
    assert_eq!(get("per_page=2&page=4").json, json!([]));
    assert_eq!(get("per_page=2&page=0").json, first.json);
    assert_eq!(get("per_page=5").header("X-Next-Page"), Some(""));
    for page in [&first, &second, &third] {
        assert_eq!((page.header("X-Total"), page.header("X-Total-Pages")), (Some("5"), Some("3")));
    }
    // a number that would need counting is not told
    assert_eq!(get("since=1990-01-01T00:00:00Z").header("X-Total"), None);
}

#[test]
fn gitlab_clients_count_the_pages_of_commits_from_zero() {
    let world = World::new(gitlab(), Visibility::Private);
    world.push_line(5);
    for (query, shown, page, next, previous) in [
        ("", vec!["Change 5", "Change 4"], "0", "1", ""),
        ("&page=", vec!["Change 5", "Change 4"], "0", "1", ""),
        ("&page=-1", vec!["Change 5", "Change 4"], "0", "1", ""),
        ("&page=0", vec!["Change 5", "Change 4"], "0", "1", ""),
        ("&page=1", vec!["Change 3", "Change 2"], "1", "2", "0"),
        ("&page=1.9", vec!["Change 3", "Change 2"], "1", "2", "0"),
        ("&page=2", vec!["Change 1"], "2", "", "1"),
        ("&page=3", vec![], "3", "", "2"),
    ] {
        let list = world.get(&format!("/repository/commits?per_page=2{query}")).by(&world.ann).gives(200);
        assert_eq!(list.each("title"), shown, "{query}");
        let header = |name: &str| list.header(name).unwrap_or("none").to_owned();
        assert_eq!(["X-Page", "X-Next-Page", "X-Prev-Page"].map(header), [page, next, previous], "{query}");
        assert!(header("Link").contains("&page=0&per_page=2>; rel=\"first\""), "{query}");
    }
}

#[test]
fn addresses_of_pages_begin_with_the_external_url_and_links_with_the_requests_origin() {
    for address in ["https://forge.example.com/base", ""] {
        let server = Server::with(|config| config.external_url = address.to_owned());
        let base = if address.is_empty() { server.origin.as_str() } else { address };
        let world = World::new(server, Visibility::Private);
        let issue = world.issue(&world.ann, json!({ "title": "t" }));
        let page = format!("{base}/{}/issues/1", world.project.path);
        assert_eq!(issue["web_url"], page);
        let author = format!("{base}/{}", world.ann.username);
        assert_eq!(issue["author"]["web_url"], author);
        let list = world.get("/issues").by(&world.ann).gives(200);
        let links = list.header("Link").unwrap();
        assert!(links.starts_with(&format!("<{}/api/v3/projects/", server.origin)), "{links}");
    }
}
