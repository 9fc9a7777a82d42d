//! The lists of sessions.

use super::{is_over, started, token_of, unauthorized};
use crate::support::v4::has_keys;
use crate::support::{Person, Visibility, World, spec};
use serde_json::json;

#[test]
fn a_person_sees_and_ends_their_own_sessions() {
    let (person, other) = (spec().person("Kim"), spec().person("Lou"));
    let place = format!("/users/{}/sessions", person.id);
    let (first, second) = (started(spec(), &person), started(spec(), &person));
    first.get(spec(), "/user").gives(200);
    let listed = first.get(spec(), &place).gives(200).json;
    has_keys(&listed[0], &["id", "created_at", "last_used_at", "expires_at", "user_agent", "via", "current"]);
    let told =
        |at: usize| json!([listed[at]["id"], listed[at]["current"], listed[at]["via"], listed[at]["user_agent"]]);
    assert_eq!(
        [told(0), told(1)],
        [json!([second.id, false, "token", "Firefox"]), json!([first.id, true, "token", "Firefox"])]
    );
    assert_eq!((listed[0]["last_used_at"].is_null(), listed[1]["last_used_at"].is_null()), (true, false));
    let page = first.get(spec(), &format!("{place}?per_page=1")).gives(200);
    assert_eq!(page.each("id"), [json!(second.id)]);
    assert_eq!(first.get(spec(), &page.next().unwrap()).gives(200).each("id"), [json!(first.id)]);
    // others neither see nor end them
    let forbidden = json!({ "message": "403 Forbidden" });
    let of_second = format!("{place}/{}", second.id);
    started(spec(), &other).get(spec(), &place).refused(403, forbidden.clone());
    started(spec(), &other).write(spec(), "DELETE", &of_second).refused(403, forbidden);
    let own = format!("/users/{}/sessions/{}", other.id, second.id);
    let missing = json!({ "message": "404 Not found" });
    started(spec(), &other).write(spec(), "DELETE", &own).refused(404, missing.clone());
    second.get(spec(), "/user").gives(200);
    first.write(spec(), "DELETE", &of_second).gives(204);
    is_over(spec(), &second);
    first.write(spec(), "DELETE", &of_second).refused(404, missing.clone());
    // a token is no session
    let (id, _) = token_of(spec(), &person, json!({ "name": "t", "scopes": ["api"] }));
    first.write(spec(), "DELETE", &format!("{place}/{id}")).refused(404, missing.clone());
    first.write(spec(), "DELETE", &format!("{place}/x")).refused(404, missing);
    spec().ask_v4("DELETE", format!("{place}/{}", first.id)).by(&person).gives(204);
    is_over(spec(), &first);
}

#[test]
fn an_administrator_sees_and_ends_the_sessions_of_others() {
    let root = spec().root();
    let person = spec().person("Noa");
    let browser = started(spec(), &person);
    let place = format!("/users/{}/sessions", person.id);
    let listed = spec().ask_v4("GET", &place).by(&root).gives(200);
    assert_eq!(listed.each("id"), [json!(browser.id)]);
    assert_eq!(listed.json[0]["current"], false);
    spec().ask_v4("DELETE", format!("{place}/{}", browser.id)).by(&root).gives(204);
    is_over(spec(), &browser);
    let acts = spec().ask_v4("GET", format!("/audit_events?entity_type=User&entity_id={}", person.id)).by(&root);
    let acts = acts.gives(200).each("event_name");
    assert!(acts.contains(&json!("DELETE /users/:id/sessions/:session_id")), "{acts:?}");
    // a sign-in is no act of an administrator, nor is ending an own session
    let before = spec().ask_v4("GET", "/audit_events").by(&root).gives(200).json[0]["id"].clone();
    let own = started(spec(), &root);
    let listed = own.get(spec(), "/users/1/sessions").gives(200);
    assert_eq!(listed.json[0]["via"], "admin_token");
    own.write(spec(), "DELETE", &format!("/users/1/sessions/{}", own.id)).gives(204);
    assert_eq!(spec().ask_v4("GET", "/audit_events").by(&root).gives(200).json[0]["id"], before);
    let missing = json!({ "message": "404 User Not Found" });
    spec().ask_v4("GET", "/users/999999999/sessions").by(&root).refused(404, missing);
}

#[test]
fn no_program_with_less_than_all_rights_sees_who_is_signed_in() {
    let world = World::new(spec(), Visibility::Private);
    let person = spec().person("Ole");
    let place = format!("/users/{}/sessions", person.id);
    let browser = started(spec(), &person);
    let scopes = json!({ "message": "403 Forbidden - The scopes of the token do not allow this" });
    let (_, reads) = token_of(spec(), &person, json!({ "name": "r", "scopes": ["read_api"] }));
    spec().ask_v4("GET", &place).by(&reads).refused(403, scopes.clone());
    spec().ask_v4("DELETE", format!("{place}/{}", browser.id)).by(&reads).refused(403, scopes.clone());
    started(spec(), &reads).get(spec(), &place).refused(403, scopes.clone());
    let fields = json!({ "name": "ci", "scopes": ["api"], "access_level": 40 });
    let made = world.v4("POST", "/access_tokens").by(&world.ann).json(fields).gives(201).json;
    let program = Person { token: made["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
    spec().ask_v4("GET", format!("/users/{}/sessions", world.ann.id)).by(&program).refused(403, scopes);
    spec().ask_v4("GET", &place).refused(401, unauthorized());
}
