//! Members of projects and groups in v4.

use crate::hooks::{body, delivered};
use crate::support::v4::has_keys;
use crate::support::{Person, Server, Visibility, World, now, spec};
use serde_json::{Value, json};

const MEMBER: &str = "id username public_email name state locked avatar_url web_url access_level created_at created_by expires_at \
  membership_state";

fn message(text: &str) -> Value {
    json!({ "message": text })
}

#[test]
fn members_are_told_to_those_who_see_the_place() {
    let world = World::new(spec(), Visibility::Public);
    for rest in ["/members", "/members/all", "/users"] {
        spec().ask_v4("GET", world.at(rest)).gives(200);
        spec().ask_v4("GET", world.at(rest)).by(&world.eve).gives(200);
    }
    let path = world.at(&format!("/members/{}", world.bob.id));
    has_keys(&spec().ask_v4("GET", path).by(&world.eve).gives(200).json, &[MEMBER]);
    let refused = |rest: &str, status: u16, body: Value| {
        spec().ask_v4("GET", world.at(rest)).by(&world.eve).refused(status, body);
    };
    refused("/members/987654321", 404, message("404 Not found"));
    refused("/members/all/987654321", 404, message("404 Not found"));
    refused("/members/bob", 400, json!({ "error": "user_id is invalid" }));
}

#[test]
fn a_list_is_of_direct_members_and_all_has_the_inherited_ones_with_their_highest_level() {
    let world = World::within(spec(), World::group_of_its_own(spec()), Visibility::Private);
    let levels = |person: &Person, rest: &str| {
        let answer = spec().ask_v4("GET", world.at(rest)).by(person).gives(200);
        answer
            .json
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["id"].as_i64().unwrap(), one["access_level"].as_i64().unwrap()))
            .collect::<Vec<_>>()
    };
    let direct = [(world.bob.id, 30), (world.rae.id, 20), (world.gus.id, 10)];
    let mut all = vec![(world.ann.id, 50), direct[0], direct[1], direct[2]];
    all.sort();
    let mut sorted = direct.to_vec();
    sorted.sort();
    assert_eq!(levels(&world.gus, "/members"), sorted);
    assert_eq!(levels(&world.gus, "/members/all"), all);
    let of = |person: &Person, rest: &str| {
        spec().ask_v4("GET", world.at(&format!("/members/{rest}{}", person.id))).by(&world.gus).send()
    };
    assert_eq!(of(&world.ann, "").status, 404);
    assert_eq!(of(&world.ann, "all/").json["access_level"], 50);
    assert_eq!(of(&world.bob, "all/").json["access_level"], 30);
    assert_eq!(of(&world.eve, "all/").status, 404);

    // pages of one
    let first = spec().ask_v4("GET", world.at("/members/all?per_page=1")).by(&world.gus).gives(200);
    assert_eq!((first.each("id"), first.header("X-Next-Page")), (vec![json!(all[0].0)], Some("2")));
    let second = spec().ask_v4("GET", world.at("/members/all?per_page=1&page=2")).by(&world.gus).gives(200);
    assert_eq!(second.each("id"), [json!(all[1].0)]);
    let (bob, rae) = (world.bob.id, world.rae.id);
    assert_eq!(levels(&world.gus, &format!("/members/all?user_ids={bob}&user_ids={rae}")).len(), 2);
    assert_eq!(levels(&world.gus, &format!("/members?skip_users={bob}")).len(), 2);
    assert_eq!(levels(&world.gus, &format!("/members?query={}", world.rae.username)), [(rae, 20)]);

    // the owner of a personal namespace
    let own = World::personal(spec(), Visibility::Private);
    let path = own.at(&format!("/members/all/{}", own.ann.id));
    assert_eq!(spec().ask_v4("GET", path).by(&own.gus).gives(200).json["access_level"], 50);
    let users = spec().ask_v4("GET", own.at("/users")).by(&own.gus).gives(200);
    assert_eq!(users.json.as_array().unwrap().len(), 4);
    has_keys(&users.json[0], &["id username public_email name state locked avatar_url web_url"]);
}

#[test]
fn a_member_is_added_by_id_or_name_changed_and_removed() {
    let world = World::new(spec(), Visibility::Private);
    let fresh = [spec().person("Nell"), spec().person("Ned")];
    let add = |person: &Person, body: Value| spec().ask_v4("POST", world.at("/members")).by(person).json(body);
    let (id, name) = (fresh[0].id, fresh[1].username.to_uppercase());
    let error = |body: Value, text: &str| add(&world.ann, body).refused(400, json!({ "error": text }));
    error(json!({ "user_id": id }), "access_level is missing");
    error(json!({ "user_id": id, "username": name, "access_level": 30 }), "user_id, username are mutually exclusive");
    error(json!({ "access_level": 30 }), "user_id, username are missing, at least one parameter must be provided");
    error(json!({ "user_id": "bob", "access_level": 30 }), "user_id is invalid");
    let field = |body: Value, field: &str, text: &str| {
        add(&world.ann, body).refused(400, json!({ "message": { field: [text] } }));
    };
    field(json!({ "user_id": id, "access_level": 33 }), "access_level", "is not included in the list");
    let ending = |day: &str| json!({ "user_id": id, "access_level": 30, "expires_at": day });
    field(ending("soon"), "expires_at", "is invalid");
    field(ending("2020-01-01"), "expires_at", "cannot be a date in the past");
    add(&world.ann, json!({ "user_id": 987654321, "access_level": 30 })).refused(404, message("404 User Not Found"));

    let made = add(&world.ann, json!({ "user_id": id, "access_level": "30", "expires_at": "" })).gives(201);
    has_keys(&made.json, &[MEMBER]);
    add(&world.ann, json!({ "user_id": id, "access_level": 30 })).refused(409, message("Member already exists"));
    let made = add(&world.ann, json!({ "username": name, "access_level": 10 })).gives(201);
    assert_eq!(made.json["id"], fresh[1].id);

    let path = world.at(&format!("/members/{id}"));
    let edit = json!({ "access_level": 20 });
    assert_eq!(spec().ask_v4("PUT", &path).by(&world.ann).json(edit).gives(200).json["access_level"], 20);
    spec().ask_v4("DELETE", &path).by(&world.bob).refused(403, message("403 Forbidden"));
    spec().ask_v4("DELETE", &path).by(&world.ann).json(json!({})).gives(204);
    spec().ask_v4("DELETE", &path).by(&world.ann).refused(404, message("404 Not found"));

    // and of a group
    let group = format!("/groups/{}/members", world.group);
    let body = json!({ "user_id": id, "access_level": 10 });
    has_keys(&spec().ask_v4("POST", &group).by(&world.ann).json(body).gives(201).json, &[MEMBER]);
    let all = format!("{group}/all/{id}");
    assert_eq!(spec().ask_v4("GET", all).by(&world.ann).gives(200).json["access_level"], 10);
    spec().ask_v4("DELETE", format!("{group}/{id}")).by(&world.ann).gives(204);
}

#[test]
fn a_membership_ends_on_its_day() {
    if !spec().is_in_process() {
        return;
    }
    let server = Server::with(|_| ());
    let world = World::new(server, Visibility::Private);
    let hook = json!({ "url": "https://system.example.org/", "repository_update_events": false });
    server.ask_v4("POST", "/hooks").by(&world.root).json(hook).gives(201);
    let [one, two] = ["One", "Two"].map(|name| server.person(name));
    let group = format!("/groups/{}/members", world.group);
    let add = |path: &str, person: &Person, day: &str| {
        let fields = json!({ "user_id": person.id, "access_level": 30, "expires_at": day });
        server.ask_v4("POST", path).by(&world.ann).json(fields).gives(201).json["expires_at"].clone()
    };
    let members = world.at("/members");
    assert_eq!(add(&members, &one, "2100-05-01"), "2100-05-01");
    assert_eq!(add(&members, &two, "2100-05-02T23:00:00Z"), "2100-05-02");
    assert_eq!(add(&group, &one, "2100-05-02"), "2100-05-02");
    let of = |path: &str, person: &Person| format!("{path}/{}", person.id);
    let put = |path: String, fields: Value| {
        server.ask_v4("PUT", path).by(&world.ann).json(fields).gives(200).json["expires_at"].clone()
    };
    // a change that does not name the day leaves it, null and blank take it away
    assert_eq!(put(of(&members, &one), json!({ "access_level": 20 })), "2100-05-01");
    assert_eq!(put(of(&members, &two), json!({ "access_level": 20, "expires_at": null })), json!(null));
    assert_eq!(put(of(&members, &two), json!({ "access_level": 20, "expires_at": "2100-05-01" })), "2100-05-01");
    assert_eq!(put(of(&members, &two), json!({ "access_level": 20, "expires_at": "" })), json!(null));
    // of two memberships that with the higher level counts
    for (list, day) in [(&members, "2100-05-01"), (&format!("{members}/all"), "2100-05-02")] {
        let listed = server.ask_v4("GET", list).by(&world.ann).gives(200).json;
        let shown = listed.as_array().unwrap().iter().find(|member| member["id"] == one.id).unwrap();
        assert_eq!(shown["expires_at"], day, "{list}");
    }
    let v3 = world.get(&format!("/members/{}", one.id)).by(&world.ann).gives(200).json;
    assert_eq!(v3["expires_at"], "2100-05-01");
    let is_in = |path: &str, person: &Person| {
        let status = server.ask_v4("GET", of(path, person)).by(&world.ann).send().status;
        status == 200
    };
    delivered(server, now());
    // the names of the events that the run sends
    let sweep = |day: &str| -> Vec<Value> {
        let day = chrono::DateTime::parse_from_rfc3339(&format!("{day}T00:17:00Z")).unwrap().timestamp_millis();
        server.sweep(day).unwrap();
        delivered(server, day).iter().map(|sent| body(sent)["event_name"].clone()).collect()
    };
    assert_eq!(sweep("2100-04-30"), Vec::<Value>::new());
    assert!(is_in(&members, &one) && is_in(&group, &one));
    assert_eq!(sweep("2100-05-01"), ["user_remove_from_team"]);
    assert!(!is_in(&members, &one) && is_in(&members, &two) && is_in(&group, &one));
    assert_eq!(sweep("2100-05-02"), ["user_remove_from_group"]);
    assert!(!is_in(&group, &one) && is_in(&members, &two));
    let events = world.v4("GET", "/events?action=left").by(&world.ann).gives(200);
    assert_eq!(events.json[0]["author"]["id"], one.id);
    // the last owner stays
    put(of(&group, &world.ann), json!({ "access_level": 50, "expires_at": "2100-06-01" }));
    assert_eq!(sweep("2100-06-01"), Vec::<Value>::new());
    assert!(is_in(&group, &world.ann));
}

#[test]
fn several_become_members_at_once_or_none_of_them() {
    let world = World::new(spec(), Visibility::Private);
    let add = |body: Value| spec().ask_v4("POST", world.at("/members")).by(&world.ann).json(body);
    let new = [spec().person("One"), spec().person("Two"), spec().person("Three")];
    let ids = new.each_ref().map(|person| person.id);
    let member = |person: &Person| {
        spec().ask_v4("GET", world.at(&format!("/members/{}", person.id))).by(&world.ann).send().status
    };
    let with_nobody = format!("{},{},987654321", ids[0], ids[1]);
    add(json!({ "user_id": with_nobody, "access_level": 10 })).refused(404, message("404 User Not Found"));
    let with_bob = json!([ids[0], world.bob.id]);
    add(json!({ "user_id": with_bob, "access_level": 10 })).refused(409, message("Member already exists"));
    let both = json!({ "user_id": ids[0], "username": new[1].username, "access_level": 10 });
    add(both).refused(400, json!({ "error": "user_id, username are mutually exclusive" }));
    let many: Vec<i64> = (1..=101).collect();
    let refused = json!({ "error": "user_id are too many (maximum is 100)" });
    add(json!({ "user_id": many, "access_level": 10 })).refused(400, refused);
    assert_eq!(new.each_ref().map(member), [404; 3]);
    let success = json!({ "status": "success" });
    let both = format!("{},{}", ids[0], ids[1]);
    assert_eq!(add(json!({ "user_id": both, "access_level": 10 })).gives(201).json, success);
    let names = format!("{}, {}", new[2].username.to_uppercase(), world.eve.username);
    assert_eq!(add(json!({ "username": names, "access_level": 20 })).gives(201).json, success);
    assert_eq!(new.each_ref().map(member), [200; 3]);
}

#[test]
fn the_token_of_a_project_finds_its_own_level_among_the_members() {
    let world = World::new(spec(), Visibility::Private);
    let other = World::new(spec(), Visibility::Public);
    let token = |world: &World, level: i64| {
        let fields = json!({ "name": "bot", "scopes": ["api"], "access_level": level, "expires_at": "2100-01-01" });
        spec().ask_v4("POST", world.at("/access_tokens")).by(&world.ann).json(fields).gives(201).json
    };
    let (bot, second) = (token(&world, 30), token(&world, 20));
    let ask = |world: &World, of: &Value, by: &Value| {
        let path = world.at(&format!("/members/all/{}", of["user_id"]));
        spec().ask_v4("GET", path).header("PRIVATE-TOKEN", by["token"].as_str().unwrap()).send()
    };
    let own = ask(&world, &bot, &bot);
    assert_eq!((own.status, &own.json["id"], &own.json["access_level"]), (200, &bot["user_id"], &json!(30)));
    assert_eq!(ask(&world, &second, &second).json["access_level"], 20);
    // not another one, and not elsewhere
    assert_eq!(ask(&world, &second, &bot).status, 404);
    assert_eq!(ask(&other, &bot, &bot).status, 403);
    let path = world.at(&format!("/members/all/{}", bot["user_id"]));
    spec().ask_v4("GET", path).by(&world.ann).refused(404, message("404 Not found"));
    // it is a member of nothing
    for path in [world.at("/members"), format!("/groups/{}/members", world.group)] {
        let path = format!("{path}/{}", bot["user_id"]);
        for (verb, fields) in [("GET", json!(null)), ("PUT", json!({ "access_level": 20 })), ("DELETE", json!(null))] {
            let ask = spec().ask_v4(verb, path.clone()).by(&world.root);
            let ask = if fields.is_null() { ask } else { ask.json(fields) };
            ask.refused(404, message("404 Not found"));
        }
    }
    let absent = json!({ "error": "user_id is invalid" });
    spec().ask_v4("GET", world.at("/members/-x")).by(&world.ann).refused(400, absent.clone());
    spec().ask_v4("GET", world.at("/members/all/-x")).by(&world.ann).refused(400, absent);
}

#[test]
fn the_owner_of_a_personal_project_is_a_member() {
    let own = World::personal(spec(), Visibility::Private);
    let ann = own.ann.id;
    for list in ["/members", "/members/all"] {
        let listed = own.v4("GET", list).by(&own.gus).gives(200);
        let found = listed.json.as_array().unwrap().iter().find(|one| one["id"] == ann).cloned().unwrap();
        assert_eq!((&found["access_level"], listed.header("X-Total")), (&json!(50), Some("4")), "{list}");
        has_keys(&found, &[MEMBER]);
        assert_eq!(own.v4("GET", &format!("{list}/{ann}")).by(&own.gus).gives(200).json, found);
    }
    let again = json!({ "user_id": ann, "access_level": 30 });
    own.v4("POST", "/members").by(&own.ann).json(again).refused(409, message("Member already exists"));
    let path = format!("/members/{ann}");
    let stays = message("403 Forbidden - the owner of a personal project stays its owner");
    own.v4("PUT", &path).by(&own.ann).json(json!({ "access_level": 30 })).refused(403, stays.clone());
    own.v4("DELETE", &path).by(&own.ann).refused(403, stays);
    // v3 has only those who were made members
    let listed = own.get("/members").by(&own.gus).gives(200).each("id");
    assert!(!listed.contains(&json!(ann)) && listed.len() == 3);
}
