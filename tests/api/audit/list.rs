//! Who reads the list, its pages and its filters.

use super::{events, new_hook, new_user};
use crate::support::v4::names;
use crate::support::{Server, now, spec};
use serde_json::{Value, json};

#[test]
fn administrators_alone_read_what_administrators_did() {
    let cast = spec().cast();
    let list = spec().ask_v4("GET", "/audit_events").by(&cast.root).gives(200).json;
    let row = &list[0];
    assert_eq!(names(row), "author_id created_at details entity_id entity_type event_name id");
    let details = "author_email author_name change custom_message ip_address target_details target_id target_type";
    assert_eq!(names(&row["details"]), details);
    let one = format!("/audit_events/{}", row["id"]);
    assert_eq!(&spec().ask_v4("GET", &one).by(&cast.root).gives(200).json, row);
    for path in ["/audit_events", &one, "/audit_events/987654321", "/audit_events/x"] {
        spec().ask_v4("GET", path).refused(401, json!({ "message": "401 Unauthorized" }));
        spec().ask_v4("GET", path).by(&cast.ann).refused(403, json!({ "message": "403 Forbidden" }));
    }
    let missing = json!({ "message": "404 Not found" });
    spec().ask_v4("GET", "/audit_events/987654321").by(&cast.root).refused(404, missing);
    for (query, error) in [
        ("entity_id=1", "entity_type is missing"),
        ("entity_type=Nothing", "entity_type does not have a valid value"),
        ("created_after=x", "created_after is invalid"),
        ("created_before=x", "created_before is invalid"),
    ] {
        let refusal = json!({ "error": error });
        spec().ask_v4("GET", format!("/audit_events?{query}")).by(&cast.root).refused(400, refusal);
    }
}

#[test]
fn what_administrators_did_is_listed_in_pages_newest_first_and_filtered() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let root = server.root();
    let (user, hook) = (new_user(server), new_hook(server));
    let began = now();
    for minute in 1..=3 {
        server.turn_to(began + minute * 60_000);
        // two at the same time
        server.ask_v4("POST", format!("/users/{user}/block")).by(&root).gives(201);
        server.ask_v4("PUT", format!("/hooks/{hook}")).by(&root).json(json!({ "name": "n" })).gives(200);
    }
    let all: Vec<Value> = events(server).iter().map(|row| row["id"].clone()).collect();
    assert!(all.len() == 9 && all.is_sorted_by_key(|id| -id.as_i64().unwrap()), "{all:?}");
    let pages = |query: &str| {
        let (mut ids, mut pages) = (Vec::new(), 0);
        let mut next = Some(format!("/audit_events?{query}"));
        while let Some(target) = next {
            let page = server.ask_v4("GET", target).by(&root).gives(200);
            ids.extend(page.each("id"));
            (pages, next) = (pages + 1, page.next());
        }
        (ids, pages)
    };
    for query in ["per_page=2", "per_page=2&pagination=keyset"] {
        assert_eq!(pages(query), (all.clone(), 5), "{query}");
    }
    let first = server.ask_v4("GET", "/audit_events?per_page=2&page=2").by(&root).gives(200);
    assert_eq!((first.each("id"), first.header("X-Total")), (all[2..4].to_vec(), Some("9")));
    let named = |query: &str| server.ask_v4("GET", format!("/audit_events?{query}")).by(&root).gives(200).each("id");
    let of = |kind: &str, id: i64| named(&format!("entity_type={kind}&entity_id={id}"));
    assert_eq!(of("SystemHook", hook), [all[0].clone(), all[2].clone(), all[4].clone(), all[6].clone()]);
    assert_eq!(of("User", user).len(), 5);
    assert_eq!(pages(&format!("entity_type=User&entity_id={user}&per_page=2")).0, of("User", user));
    assert_eq!((of("User", 987_654_321), named("entity_type=Group")), (Vec::new(), Vec::new()));
    assert_eq!(named("entity_type=SystemHook").len(), 4);
    let row = server.ask_v4("GET", format!("/audit_events/{}", all[2])).by(&root).gives(200).json;
    let at = row["created_at"].as_str().unwrap();
    assert_eq!(named(&format!("created_after={at}")), all[..4]);
    assert_eq!(named(&format!("created_before={at}")), all[2..]);
    assert_eq!(named(&format!("created_after={at}&created_before={at}&entity_type=User")), [all[3].clone()]);
    assert_eq!(pages(&format!("created_before={at}&per_page=3")).0, all[2..]);
}

#[test]
fn a_page_of_what_administrators_did_reads_at_most_500_rows() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let root = server.root();
    let add = |first: u32, last: u32| {
        server.tamper(&format!(
            "insert into audit_events (author_id, entity_type, entity_id, event_name, path, request, created_at)
            with recursive n (n) as (select {first} union all select n + 1 from n where n < {last})
            select 1, iif(n % 1000 = 0, 'Group', 'User'), n, 'POST /users', '/api/v4/users', '0123456789abcdef', n from n"
        ));
    };
    add(1, 3000);
    let list = |target: &str| server.ask_v4("GET", target).by(&root).cost();
    let first = "/audit_events?entity_type=Group&pagination=keyset";
    let (mut ids, mut pages) = (Vec::new(), 0);
    let mut next = Some(first.to_owned());
    while let Some(target) = next {
        let page = list(&target).0;
        ids.extend(page.each("entity_id"));
        (pages, next) = (pages + 1, page.next());
    }
    assert_eq!((ids, pages), (vec![json!(3000), json!(2000), json!(1000)], 7));
    let before = list(first).1;
    add(3001, 6000);
    assert_eq!(list(first).1, before);
}
