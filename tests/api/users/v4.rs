//! Users of v4: the caller, lists, one user, and what administrators change.

use crate::support::v4::has_keys;
use crate::support::{Answer, Person, Visibility, World, spec, unique};
use serde_json::{Value, json};

const BASIC: &str = "id username public_email name state locked avatar_url web_url";
const USER: &str = "created_at bio location linkedin twitter discord website_url github job_title pronouns organization bot \
  work_information local_time followers following is_followed skype";
const OWN: &str = "last_sign_in_at confirmed_at last_activity_on email theme_id color_scheme_id projects_limit current_sign_in_at \
  identities can_create_group can_create_project two_factor_enabled external private_profile commit_email preferred_language";
const ADMIN: &str = "is_admin note namespace_id created_by";

fn unauthorized() -> Value {
    json!({ "message": "401 Unauthorized" })
}

#[test]
fn people_see_all_of_themselves_and_less_of_others() {
    let cast = spec().cast();
    spec().ask_v4("GET", "/user").refused(401, unauthorized());
    let own = spec().ask_v4("GET", "/user").by(&cast.bob).gives(200).json;
    has_keys(&own, &[BASIC, USER, OWN]);
    assert_eq!((&own["commit_email"], &own["bot"]), (&own["email"], &json!(false)));
    let root = spec().ask_v4("GET", "/user").by(&cast.root).gives(200).json;
    has_keys(&root, &[BASIC, USER, OWN, ADMIN]);
    assert_eq!((&root["is_admin"], &root["namespace_id"]), (&json!(true), &json!(1)));

    let path = format!("/users/{}", cast.bob.id);
    let anonymous = json!({ "message": "403 Forbidden - Not authorized!" });
    spec().ask_v4("GET", &path).refused(403, anonymous);
    has_keys(&spec().ask_v4("GET", &path).by(&cast.eve).gives(200).json, &[BASIC, USER]);
    has_keys(&spec().ask_v4("GET", &path).by(&cast.root).gives(200).json, &[BASIC, USER, OWN, ADMIN]);
    let missing = json!({ "message": "404 User Not Found" });
    spec().ask_v4("GET", "/users/987654321").by(&cast.eve).refused(404, missing);
    for name in [cast.bob.username.as_str(), "x"] {
        let missing = json!({ "message": "404 User Not Found" });
        spec().ask_v4("GET", format!("/users/{name}")).by(&cast.eve).refused(404, missing);
    }
}

#[test]
fn a_username_is_turned_into_an_id_by_anybody() {
    let cast = spec().cast();
    let named = |person: Option<&Person>, name: &str| {
        let ask = spec().ask_v4("GET", "/users").query("username", name);
        person.into_iter().fold(ask, |ask, person| ask.by(person)).gives(200)
    };
    for who in [None, Some(&cast.eve)] {
        let found = named(who, &cast.bob.username.to_uppercase());
        assert_eq!(found.each("id"), [json!(cast.bob.id)]);
        has_keys(&found.json[0], &[BASIC]);
        assert_eq!(found.header("X-Total"), Some("1"));
        let nobody = named(who, &unique("nobody"));
        assert_eq!((nobody.json,), (json!([]),));
    }
    assert_eq!(named(None, &unique("nobody")).header("X-Total-Pages"), Some("1"));
    has_keys(&named(Some(&cast.root), &cast.bob.username).json[0], &[BASIC, USER, OWN, ADMIN]);
    let refused = json!({ "message": "403 Forbidden - Not authorized to access /api/v4/users" });
    spec().ask_v4("GET", "/users").refused(403, refused);
    spec().ask_v4("GET", "/users?username=root").header("PRIVATE-TOKEN", "wrong").refused(401, unauthorized());
}

#[test]
fn nobody_has_a_status_keys_or_stars_and_everybody_one_address() {
    let cast = spec().cast();
    let get = |path: &str| spec().ask_v4("GET", path).by(&cast.eve);
    let none = json!({
        "emoji": null, "message": null, "availability": null, "message_html": null, "clear_status_at": null,
    });
    for path in ["/user/status".to_owned(), format!("/users/{}/status", cast.bob.id)] {
        assert_eq!(get(&path).gives(200).json, none, "{path}");
    }
    for path in ["keys", "starred_projects"].map(|name| format!("/users/{}/{name}", cast.bob.id)) {
        assert_eq!(get(&path).gives(200).json, json!([]), "{path}");
    }
    assert_eq!(get("/user/keys").gives(200).json, json!([]));
    let own = get("/user").gives(200).json;
    let addresses = get("/user/emails").gives(200);
    let (email, confirmed_at) = (&own["email"], &own["confirmed_at"]);
    assert_eq!(addresses.json, json!([{ "id": cast.eve.id, "email": email, "confirmed_at": confirmed_at }]));
    assert_eq!(addresses.header("X-Total"), Some("1"));
    assert_eq!(get("/user/emails?page=2").gives(200).json, json!([]));
    for name in ["status", "keys", "starred_projects"] {
        let missing = json!({ "message": "404 User Not Found" });
        get(&format!("/users/987654321/{name}")).refused(404, missing);
    }
    for path in ["/user/status", "/user/emails", "/user/keys"] {
        spec().ask_v4("GET", path).refused(401, unauthorized());
    }
}

fn pages(first: Answer) -> Vec<Value> {
    let (mut ids, mut answer) = (Vec::new(), first);
    loop {
        ids.extend(answer.each("id"));
        let Some(target) = answer.next() else { return ids };
        answer = spec().ask_v4("GET", target).by(&spec().root()).gives(200);
    }
}

#[test]
fn the_list_has_the_newest_first_and_is_filtered() {
    let root = &spec().root();
    let word = unique("tribe");
    let people: Vec<Person> = (0..5).map(|_| spec().person(&word)).collect();
    let list = |query: &str| {
        let target = format!("/users?search={word}&per_page=2&{query}");
        pages(spec().ask_v4("GET", target).by(root).gives(200))
    };
    let mut ids: Vec<Value> = people.iter().map(|person| json!(person.id)).collect();
    assert_eq!(list("sort=asc"), ids);
    assert_eq!(list("sort=asc&pagination=keyset"), ids);
    ids.reverse();
    for query in ["", "order_by=id", "order_by=created_at&sort=desc", "pagination=keyset"] {
        assert_eq!(list(query), ids, "{query}");
    }
    for (order, key) in [("name", "name"), ("username", "username")] {
        let mut named: Vec<(String, Value)> = people
            .iter()
            .map(|person| {
                let shown = spec().ask_v4("GET", format!("/users/{}", person.id)).by(root).gives(200).json;
                (shown[key].as_str().unwrap().to_lowercase(), json!(person.id))
            })
            .collect();
        named.sort_by(|(one, a), (other, b)| (one, a.as_i64()).cmp(&(other, b.as_i64())));
        let mut sorted: Vec<Value> = named.into_iter().map(|(_, id)| id).collect();
        assert_eq!(list(&format!("order_by={order}&sort=asc")), sorted, "{order}");
        sorted.reverse();
        assert_eq!(list(&format!("order_by={order}")), sorted, "{order}");
    }
    let path = format!("/users/{}/block", people[1].id);
    assert_eq!(spec().ask_v4("POST", path).by(root).gives(201).json, json!(true));
    assert_eq!(list("blocked=true"), [json!(people[1].id)]);
    assert_eq!(list("active=True").len(), 4);
    assert_eq!(list("admins=true"), [] as [Value; 0]);
    assert_eq!(list("external=1"), [] as [Value; 0]);
    assert_eq!(list("created_after=2000-01-01").len(), 5);
    assert_eq!(list("created_before=2000-01-01T00:00:00%2B01:00").len(), 0);
    assert_eq!(list("created_after=2099-01-01").len(), 0);
    assert_eq!(list("created_after=2099-01-01&created_before=2100-01-01").len(), 0);
    let invalid = |query: &str, error: &str| {
        spec().ask_v4("GET", format!("/users?{query}")).by(root).refused(400, json!({ "error": error }));
    };
    invalid("active=perhaps", "active is invalid");
    invalid("created_after=soon", "created_after is invalid");
    invalid("order_by=height", "order_by does not have a valid value");
    let keyset = spec().ask_v4("GET", "/users?pagination=keyset&per_page=1").by(root).gives(200);
    assert_eq!(keyset.header("X-Page"), None);
    assert!(keyset.header("Link").is_some_and(|link| link.ends_with("rel=\"next\"") && !link.contains("first")));
}

#[test]
fn administrators_make_change_block_and_shut_out_users() {
    let cast = spec().cast();
    let name = unique("nova");
    let email = format!("{name}@example.com");
    let new = json!({ "username": name, "name": "Nova", "email": email, "reset_password": true, "password": "x" });
    spec().ask_v4("POST", "/users").json(new.clone()).refused(401, unauthorized());
    let forbidden = json!({ "message": "403 Forbidden" });
    spec().ask_v4("POST", "/users").by(&cast.ann).json(new.clone()).refused(403, forbidden.clone());
    let missing = json!({ "error": "name is missing" });
    let part = json!({ "username": name, "email": email });
    spec().ask_v4("POST", "/users").by(&cast.root).json(part).refused(400, missing);
    let made = spec().ask_v4("POST", "/users").by(&cast.root).json(new.clone()).gives(201);
    has_keys(&made.json, &[BASIC, USER, OWN, ADMIN]);
    let taken = json!({ "message": "Email has already been taken" });
    spec().ask_v4("POST", "/users").by(&cast.root).json(new).refused(409, taken);

    let path = format!("/users/{}", made.id());
    let change = json!({ "bio": "new" });
    spec().ask_v4("PUT", &path).by(&cast.ann).json(change.clone()).refused(403, forbidden.clone());
    let changed = spec().ask_v4("PUT", &path).by(&cast.root).json(change).gives(200).json;
    assert_eq!(changed["bio"], "new");
    for (verb, state, again) in [("block", "blocked", "null"), ("unblock", "active", "false")] {
        let at = format!("{path}/{verb}");
        spec().ask_v4("POST", &at).by(&cast.ann).refused(403, forbidden.clone());
        spec().ask_v4("PUT", &at).by(&cast.root).gives(405);
        // clients believe it only if the answer is exactly this, and send an empty object
        assert_eq!(spec().ask_v4("POST", &at).by(&cast.root).json(json!({})).gives(201).text, "true");
        assert_eq!(spec().ask_v4("GET", &path).by(&cast.root).gives(200).json["state"], state);
        assert_eq!(spec().ask_v4("POST", &at).by(&cast.root).gives(201).text, again, "nothing changed");
    }
    spec().ask_v4("POST", "/users/1/block").by(&cast.root).refused(403, forbidden.clone());
    spec().ask_v4("DELETE", &path).by(&cast.ann).refused(403, forbidden);
    spec().ask_v4("DELETE", &path).by(&cast.root).json(json!({})).gives(204);
    spec().ask_v4("GET", &path).by(&cast.root).refused(404, json!({ "message": "404 User Not Found" }));
}

#[test]
fn a_deleted_user_is_a_ghost_whose_name_and_address_are_free() {
    let world = World::new(spec(), Visibility::Public);
    let root = &world.root;
    let gone = spec().person("Gone");
    let own = spec().project(&gone, gone.id, Visibility::Public);
    let issue = world.issue(&gone, json!({ "title": "kept" }));
    let note = json!({ "body": "kept" });
    let at = format!("/issues/{}/notes", issue["id"]);
    world.post(&at).by(&gone).json(note).gives(201);
    let path = format!("/users/{}", gone.id);
    let before = spec().ask_v4("GET", &path).by(root).gives(200).json;
    spec().ask_v4("DELETE", &path).by(root).gives(204);

    let missing = || json!({ "message": "404 User Not Found" });
    for (verb, at) in [
        ("GET", ""),
        ("PUT", ""),
        ("DELETE", ""),
        ("POST", "/block"),
        ("POST", "/unblock"),
        ("POST", "/personal_access_tokens"),
        ("GET", "/projects"),
    ] {
        let fields = json!({ "name": "x", "scopes": ["api"] });
        spec().ask_v4(verb, format!("{path}{at}")).by(root).json(fields).refused(404, missing());
    }
    spec().get(&path).by(root).gives(404);
    spec().delete(&path).by(root).gives(404);
    spec().ask_v4("GET", "/user").by(&gone).refused(401, unauthorized());
    let member = json!({ "user_id": gone.id, "access_level": 10 });
    spec().ask_v4("POST", world.at("/members")).by(root).json(member).refused(404, missing());
    let name = before["username"].as_str().unwrap();
    for query in [format!("username={name}"), format!("search={name}"), "search=ghost".to_owned()] {
        let found = spec().ask_v4("GET", format!("/users?{query}")).by(root).gives(200);
        assert!(!found.each("id").contains(&json!(gone.id)), "{query}");
    }
    // what they wrote stays, by a ghost
    let ghost = |author: &Value| {
        assert_eq!((&author["id"], &author["name"]), (&json!(gone.id), &json!("Ghost User")));
        assert_eq!((&author["username"], &author["state"]), (&json!(format!("ghost-{}.", gone.id)), &json!("blocked")));
    };
    ghost(&world.get(&format!("/issues/{}", issue["id"])).by(root).gives(200).json["author"]);
    ghost(&world.get(&at).by(root).gives(200).json[0]["author"]);
    let project = spec().ask_v4("GET", format!("/projects/{}", own.id)).by(root).gives(200).json;
    let place = project["path_with_namespace"].as_str().unwrap();
    assert!(place.starts_with(&format!("ghost-{}./", gone.id)), "{place}");

    let again = json!({ "username": name, "name": "Again", "email": before["email"] });
    let again = spec().ask_v4("POST", "/users").by(root).json(again).gives(201);
    assert_ne!(again.id(), gone.id);
    let path = own.path.split_once('/').unwrap().1;
    let named = json!({ "name": path, "path": path, "namespace_id": again.id() });
    spec().ask_v4("POST", "/projects").by(root).json(named).gives(201);
}

#[test]
fn a_filter_of_users_never_finds_more_than_it_says() {
    let root = &spec().root();
    let word = unique("horde");
    let [one, other] = [&word, &word].map(|name| spec().person(name));
    let list = |query: &str| {
        let target = format!("/users?search={word}&sort=asc&{query}");
        spec().ask_v4("GET", target).by(root).gives(200)
    };
    let [first, second] = [json!(one.id), json!(other.id)];
    for query in [
        "extern_uid=cn%3Dnobody&provider=ldapmain",
        "provider=ldapmain",
        "public_email=nobody@example.com",
        "saml_provider_id=1",
        "custom_attributes[team]=a",
        "two_factor=enabled",
        "auditors=true",
        "exclude_humans=true",
        "exclude_active=true",
    ] {
        let found = list(query);
        assert_eq!((found.json.clone(), found.header("X-Total")), (json!([]), Some("0")), "{query}");
        assert_eq!(found.header("X-Unread-Parameters"), None, "{query}");
    }
    for query in [
        "two_factor=disabled&auditors=false&exclude_humans=false&exclude_active=false",
        "humans=true&exclude_internal=true&without_project_bots=true&skip_ldap=true",
        "without_projects=true",
        "exclude_external=true",
    ] {
        let found = list(query);
        assert_eq!(found.each("id"), [first.clone(), second.clone()], "{query}");
        assert_eq!(found.header("X-Unread-Parameters"), None, "{query}");
    }
    spec().ask_v4("POST", format!("/users/{}/block", other.id)).by(root).gives(201);
    assert_eq!(list("exclude_active=true").each("id"), [second]);
    spec().project(&one, one.id, Visibility::Private);
    let external = json!({ "external": true });
    spec().ask_v4("PUT", format!("/users/{}", other.id)).by(root).json(external).gives(200);
    assert_eq!(list("without_projects=true").each("id"), [json!(other.id)]);
    assert_eq!(list("exclude_external=true").each("id"), [first]);
    let world = World::new(spec(), Visibility::Private);
    spec()
        .ask_v4("POST", world.at("/members"))
        .by(&world.ann)
        .json(json!({ "user_id": other.id, "access_level": 10 }))
        .gives(201);
    assert_eq!(list("without_projects=true").json, json!([]));
    spec()
        .ask_v4("GET", "/users?two_factor=perhaps")
        .by(root)
        .refused(400, json!({ "error": "two_factor does not have a valid value" }));
}
