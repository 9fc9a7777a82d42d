//! Tokens of a project: how they are made, and what each scope lets them do.

use crate::support::git::sha;
use crate::support::{Person, Visibility, World, spec};
use serde_json::{Value, json};

pub fn scopes_refuse() -> Value {
    json!({ "message": "403 Forbidden  - The scopes of the token do not allow this" })
}

/// The answer for a new token of the project, and the person who uses it.
pub fn made(world: &World, maker: &Person, fields: Value) -> (Value, Person) {
    let made = world.post("/access_tokens").by(maker).json(fields).gives(201).json;
    let person = Person { token: made["token"].as_str().unwrap().to_owned(), ..maker.clone() };
    (made, person)
}

fn scoped(world: &World, scopes: &[&str]) -> Person {
    made(world, &world.ann, json!({ "name": "ci", "scopes": scopes })).1
}

#[test]
fn masters_make_a_projects_tokens_which_are_shown_once() {
    let world = World::new(spec(), Visibility::Public);
    let new =
        json!({ "name": "ci", "scopes": ["statuses", "deployments"], "access_level": 30, "expires_at": "2999-12-31" });
    let wrong = |fields: Value, told: Value| {
        world.post("/access_tokens").by(&world.ann).json(fields).refused(400, json!({ "message": told }));
    };
    wrong(json!({ "scopes": ["api"] }), json!("400 (Bad request) \"name\" not given"));
    wrong(json!({ "name": "ci" }), json!("400 (Bad request) \"scopes\" not given"));
    let unknown = json!({ "scopes": ["can only contain available scopes"] });
    wrong(json!({ "name": "ci", "scopes": ["api", "mirror"] }), unknown.clone());
    wrong(json!({ "name": "ci", "scopes": "sudo" }), unknown);
    let level = json!({ "access_level": ["is not included in the list"] });
    for number in [0, 5, 50, 60] {
        wrong(json!({ "name": "ci", "scopes": ["api"], "access_level": number }), level.clone());
    }
    wrong(
        json!({ "name": "ci", "scopes": ["api"], "expires_at": "1999-12-31" }),
        json!({ "expires_at": ["is in the past"] }),
    );

    let (told, ci) = made(&world, &world.ann, new);
    let mut shown = told.clone();
    shown.as_object_mut().unwrap().remove("token");
    let expected = json!({
        "id": told["id"], "name": "ci", "revoked": false, "active": true, "user_id": told["user_id"], "project_id": world.project.id,
        "scopes": ["statuses", "deployments"], "access_level": 30, "created_at": told["created_at"],
        "expires_at": "2999-12-31T00:00:00.000Z",
    });
    assert_eq!(shown, expected);
    assert_eq!(world.get("/access_tokens").by(&world.ann).gives(200).json, json!([expected]));
    made(&world, &world.ann, json!({ "name": "other", "scopes": "read_api" }));
    let second = world.get("/access_tokens?per_page=1&page=2").by(&world.ann).gives(200);
    assert_eq!(second.each("name"), ["other"]);
    // beside those of hooks and of people
    assert_eq!(world.get("/hook_tokens").by(&world.ann).gives(200).json, json!([]));
    let one = format!("/access_tokens/{}", told["id"]);
    world.delete(&format!("/hook_tokens/{}", told["id"])).by(&world.ann).gives(404);
    World::new(spec(), Visibility::Public).delete(&one).by(&world.ann).gives(404);
    let own = format!("/users/{}/personal_access_tokens", world.ann.id);
    spec().delete(format!("{own}/{}", told["id"])).by(&world.ann).gives(404);
    let listed = spec().get(format!("{own}?per_page=100")).by(&world.ann).gives(200);
    assert!(listed.json.as_array().unwrap().iter().all(|token| token["id"] != told["id"]));
    spec().get("/user").by(&ci).gives(200);
    world.delete(&one).by(&world.bob).gives(403);
    for _ in 0..2 {
        world.delete(&one).by(&world.ann).gives(204);
    }
    spec().get("/user").by(&ci).gives(401);
    let listed = world.get("/access_tokens").by(&world.ann).gives(200).json;
    assert_eq!((&listed[0]["revoked"], &listed[0]["active"]), (&json!(true), &json!(false)));
}

#[test]
fn a_token_lives_no_longer_than_the_one_that_made_it() {
    let world = World::new(spec(), Visibility::Private);
    let at = format!("/users/{}/personal_access_tokens", world.ann.id);
    let short = json!({ "name": "short", "expires_at": "2998-01-01" });
    let token = spec().post(at).by(&world.ann).json(short).gives(201).json["token"].clone();
    let ann = Person { token: token.as_str().unwrap().to_owned(), ..world.ann.clone() };
    let late = json!({ "name": "ci", "scopes": ["api"], "expires_at": "2999-01-01" });
    let told = json!({ "message": { "expires_at": ["cannot be later than that of the token that makes it"] } });
    world.post("/access_tokens").by(&ann).json(late).refused(400, told.clone());
    let (made_one, _) = made(&world, &ann, json!({ "name": "ci", "scopes": ["api"] }));
    assert_eq!(made_one["expires_at"], "2998-01-01T00:00:00.000Z");
    // nor does it by rotation
    let (endless, _) = made(&world, &world.ann, json!({ "name": "ci", "scopes": ["api"] }));
    assert_eq!(endless["expires_at"], Value::Null);
    let rotate = |fields: Value| world.post(&format!("/access_tokens/{}/rotate", endless["id"])).by(&ann).json(fields);
    rotate(json!({ "expires_at": "2999-01-01" })).refused(400, told);
    assert_eq!(rotate(json!({})).gives(201).json["expires_at"], "2998-01-01T00:00:00.000Z");
}

#[test]
fn a_leaked_token_for_statuses_posts_those_of_one_project_and_nothing_else() {
    for visibility in [Visibility::Private, Visibility::Public] {
        let world = World::new(spec(), visibility);
        world.push_line(2);
        let ci = scoped(&world, &["statuses"]);
        world.post("/statuses/master").by(&ci).form(&[("state", "success")]).gives(201);
        world.get("/repository/commits/master/statuses").by(&ci).gives(200);
        world.get("").by(&ci).gives(200);
        spec().get(format!("/projects/{}", world.project.path.replace('/', "%2F"))).by(&ci).gives(200);
        world.get("/badges/master/build.svg").by(&ci).gives(200);
        for (verb, path) in [
            ("PUT", ""),
            ("DELETE", ""),
            ("GET", "/issues"),
            ("POST", "/issues"),
            ("GET", "/labels"),
            ("GET", "/members"),
            ("GET", "/repository/commits"),
            ("GET", "/repository/commits/master"),
            ("GET", "/repository/branches"),
            ("POST", "/repository/commits/master/comments"),
            ("GET", "/deployments"),
            ("POST", "/deployments"),
            ("GET", "/environments"),
            ("GET", "/hook_tokens"),
            ("GET", "/access_tokens"),
            ("POST", "/access_tokens"),
            ("GET", "/mirror"),
            ("POST", "/mirror/commits"),
            ("PUT", "/mirror/refs"),
        ] {
            spec().ask(verb, world.at(path)).by(&ci).refused(403, scopes_refuse());
        }
        for path in ["/events", "/feeds/issues.atom", "/search?scope=issues&search=x", "/releases"] {
            world.v4("GET", path).by(&ci).gives(403);
        }
        for path in [
            "/jobs",
            "/jobs/1",
            "/jobs/1/trace",
            "/pipelines",
            "/pipelines/latest",
            "/pipelines/1",
            "/pipelines/1/jobs",
            "/search?scope=commits&search=x",
        ] {
            world.v4("GET", path).by(&ci).gives(403);
        }
        for path in ["/projects", "/projects/visible", "/issues", "/todos", "/groups", "/users", "/users/1"] {
            spec().get(path).by(&ci).refused(403, scopes_refuse());
        }
        let sudo = json!({ "message": "403 Forbidden  - Must be admin to use sudo" });
        spec().get("/user").by(&ci).header("SUDO", "root").refused(403, sudo);
    }
}

#[test]
fn a_token_for_statuses_reads_no_commit_in_the_badges_of_the_project() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(2);
    let badge =
        json!({ "link_url": "https://x/%{commit_sha}/%{latest_tag}/%{project_name}", "image_url": "https://x" });
    world.v4("POST", "/badges").by(&world.ann).json(badge).gives(201);
    let link = |person: &Person| {
        world.v4("GET", "/badges").by(person).gives(200).json[0]["rendered_link_url"].as_str().unwrap().to_owned()
    };
    assert!(link(&scoped(&world, &["read_api"])).contains(&sha(2)));
    for scope in ["statuses", "deployments"] {
        assert!(link(&scoped(&world, &[scope])).starts_with("https://x///project"), "{scope}");
    }
}

#[test]
fn a_token_for_deployments_records_and_reads_them() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(1);
    let ci = scoped(&world, &["deployments"]);
    let new = [("environment", "production"), ("sha", "master"), ("status", "running")];
    let made = world.post("/deployments").by(&ci).form(&new).gives(201).json;
    assert_eq!(made["user"]["name"], "ci (token)");
    let one = format!("/deployments/{}", made["id"]);
    world.put(&one).by(&ci).form(&[("status", "success")]).gives(200);
    for path in ["", "/environments", "/deployments", &one] {
        world.get(path).by(&ci).gives(200);
    }
    world.post("/statuses/master").by(&ci).form(&[("state", "success")]).refused(403, scopes_refuse());
    world.get("/deployments/x").by(&ci).refused(400, json!({ "error": "deployment_id is invalid" }));
}

#[test]
fn a_projects_token_that_may_all_does_there_what_its_level_does() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(1);
    let ci = scoped(&world, &["api"]);
    let issue = world.issue(&ci, json!({ "title": "from CI", "confidential": true }));
    assert_eq!(issue["author"]["name"], "ci (token)");
    let at = format!("/issues/{}", issue["id"]);
    let note = world.post(&format!("{at}/notes")).by(&ci).form(&[("body", "x")]).gives(201).json;
    assert_eq!(note["author"], issue["author"]);
    let comment = world.post("/repository/commits/master/comments").by(&ci).form(&[("note", "x")]);
    assert_eq!(comment.gives(201).json["author"]["name"], "ci (token)");
    let status = world.post("/statuses/master").by(&ci).form(&[("state", "success")]).gives(201).json;
    assert_eq!(status["author"], issue["author"]);
    world.put(&at).by(&ci).form(&[("labels", "bug")]).gives(200);
    world.put("").by(&ci).form(&[("description", "x")]).refused(403, json!({ "message": "403 Forbidden" }));
    // what a token gives rise to would outlive it
    let (_, master) = made(&world, &world.ann, json!({ "name": "m", "scopes": ["api"], "access_level": 40 }));
    world.put("").by(&master).form(&[("description", "x")]).gives(200);
    world.get("/mirror").by(&master).gives(200);
    for path in ["/hook_tokens", "/access_tokens"] {
        world.get(path).by(&master).refused(403, scopes_refuse());
        let new = json!({ "name": "more", "scopes": ["api"] });
        world.post(path).by(&master).json(new).refused(403, scopes_refuse());
    }
    let reader = scoped(&world, &["read_api"]);
    for path in ["", "/issues", &at, "/labels", "/repository/commits", "/deployments"] {
        world.get(path).by(&reader).gives(200);
    }
    world.get("/mirror").by(&reader).refused(403, json!({ "message": "403 Forbidden" }));
    world.post("/issues").by(&reader).form(&[("title", "x")]).refused(403, scopes_refuse());
    world.post(&format!("{at}/todo")).by(&reader).refused(403, scopes_refuse());
    assert_eq!(world.get(&at).by(&world.ann).gives(200).json["author"]["name"], "ci (token)");
}

#[test]
fn a_projects_token_opens_no_other_place() {
    let world = World::new(spec(), Visibility::Private);
    let ci = scoped(&world, &["api"]);
    let missing = json!({ "message": "404 Project Not Found" });
    for (visibility, status) in [(Visibility::Private, 404), (Visibility::Internal, 404), (Visibility::Public, 403)] {
        let other = World::new(spec(), visibility);
        let told = if status == 404 { missing.clone() } else { json!({ "message": "403 Forbidden" }) };
        other.get("").by(&ci).refused(status, told.clone());
        other.post("/issues").by(&ci).form(&[("title", "x")]).refused(status, told);
        // nor does it bring anything there
        let issue = world.issue(&ci, json!({ "title": "x" }));
        let to = [("to_project_id", other.project.id.to_string())];
        let to = to.each_ref().map(|(name, id)| (*name, id.as_str()));
        let moved = world.post(&format!("/issues/{}/move", issue["id"])).by(&ci).form(&to).send();
        assert_eq!(moved.status, if status == 404 { 404 } else { 400 }, "{:?}", moved.json);
        let theirs = other.issue(&other.ann, json!({ "title": "x" }));
        let link = json!({ "target_project_id": other.project.id, "target_issue_iid": theirs["iid"] });
        world.v4("POST", &format!("/issues/{}/links", issue["iid"])).by(&ci).json(link).gives(404);
    }
    spec().get(format!("/groups/{}", world.group)).by(&ci).refused(403, json!({ "message": "403 Forbidden" }));
}

#[test]
fn who_a_projects_token_is_nobody_finds() {
    let world = World::new(spec(), Visibility::Public);
    let (told, ci) = made(&world, &world.ann, json!({ "name": "ci", "scopes": ["statuses"] }));
    let own = spec().get("/user").by(&ci).gives(200).json;
    assert_eq!((&own["id"], &own["name"]), (&told["user_id"], &json!("ci (token)")));
    assert_eq!((&own["is_admin"], &own["external"]), (&json!(false), &json!(true)));
    assert!(own["id"].as_i64().unwrap() < -100);
    let name = own["username"].as_str().unwrap();
    assert!(name.starts_with(&format!("project_{}_bot_", world.project.id)), "{name}");
    spec().get("/version").by(&ci).gives(200);
    for query in [format!("username={name}"), format!("search={name}")] {
        let found = spec().get(format!("/users?{query}")).by(&world.root).gives(200);
        assert_eq!(found.json, json!([]));
    }
    spec().get(format!("/users/{}", own["id"])).by(&world.root).gives(404);
    spec()
        .post(format!("/users/{}/personal_access_tokens", own["id"]))
        .by(&world.root)
        .json(json!({ "name": "x" }))
        .gives(404);
    for who in [name.to_owned(), own["id"].to_string()] {
        spec().get("/user").by(&world.root).header("SUDO", who).gives(404);
    }
    let member = json!({ "user_id": own["id"], "access_level": 30 });
    World::new(spec(), Visibility::Public).post("/members").by(&world.ann).json(member).gives(404);
    assert!(!world.get("/members").by(&world.ann).gives(200).each("id").contains(&own["id"]));
    let assigned = world.post("/issues").by(&world.ann).json(json!({ "title": "x", "assignee_id": own["id"] }));
    assigned.refused(400, json!({ "message": { "assignee_id": ["is invalid"] } }));
    let within = json!({ "name": "x", "namespace_id": own["id"] });
    spec().post("/projects").by(&world.root).json(within).gives(400);
}

#[test]
fn the_tokens_of_a_deleted_project_end_with_it() {
    let world = World::new(spec(), Visibility::Private);
    let ci = scoped(&world, &["api"]);
    let hook = world.post("/hook_tokens").by(&world.ann).json(json!({ "name": "h" })).gives(201).json;
    let hook = Person { token: hook["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
    let other = World::new(spec(), Visibility::Private);
    let others = scoped(&other, &["api"]);
    spec().get("/user").by(&ci).gives(200);
    world.get("/mirror").by(&hook).gives(200);
    world.delete("").by(&world.ann).gives(200);
    let unauthorized = json!({ "message": "401 Unauthorized" });
    for person in [&ci, &hook] {
        for path in ["/user", "/version", &world.at("/mirror")] {
            spec().get(path).by(person).refused(401, unauthorized.clone());
        }
    }
    spec().get("/user").by(&others).gives(200);
    spec().get("/user").by(&world.ann).gives(200);
}

#[test]
fn the_author_of_a_token_is_shut_out_with_whoever_made_it_unless_another_holds_it_now() {
    let world = World::new(spec(), Visibility::Private);
    let max = spec().person("Max");
    world.admit(&max, 40);
    let new = || json!({ "name": "ci", "scopes": ["api"] });
    let (_, left) = made(&world, &max, new());
    let (old, taken) = made(&world, &max, new());
    let written = [&left, &taken].map(|ci| world.issue(ci, json!({ "title": "x" }))["id"].clone());
    let rotate = world.post(&format!("/access_tokens/{}/rotate", old["id"])).by(&world.ann).json(json!({}));
    let token = rotate.gives(201).json["token"].as_str().unwrap().to_owned();
    let taken = Person { token, ..max.clone() };
    let state =
        |id: &Value| world.get(&format!("/issues/{id}")).by(&world.ann).gives(200).json["author"]["state"].clone();
    assert_eq!(written.each_ref().map(state), [json!("active"), json!("active")]);
    spec().delete(format!("/users/{}", max.id)).by(&world.root).gives(200);
    spec().get("/user").by(&left).gives(401);
    spec().get("/user").by(&taken).gives(200);
    assert_eq!(written.each_ref().map(state), [json!("blocked"), json!("active")]);
}

#[test]
fn revoking_a_token_that_was_rotated_leaves_its_successor() {
    let world = World::new(spec(), Visibility::Private);
    let (old, _) = made(&world, &world.ann, json!({ "name": "ci", "scopes": ["api"] }));
    let at = format!("/access_tokens/{}", old["id"]);
    let new = world.post(&format!("{at}/rotate")).by(&world.ann).json(json!({})).gives(201).json;
    world.delete(&at).by(&world.ann).gives(204);
    let ci = Person { token: new["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
    spec().get("/user").by(&ci).gives(200);
    world.delete(&format!("/access_tokens/{}", new["id"])).by(&world.ann).gives(204);
    spec().get("/user").by(&ci).gives(401);
}

#[test]
fn an_expired_token_of_a_project_is_not_rotated() {
    let world = World::new(spec(), Visibility::Private);
    let (old, ci) = made(&world, &world.ann, json!({ "name": "ci", "scopes": ["api"], "expires_at": "2099-01-01" }));
    if !spec().is_in_process() {
        return;
    }
    world.server.tamper(&format!("update tokens set expires_at = 1 where id = {}", old["id"]));
    let rotate = world.post(&format!("/access_tokens/{}/rotate", old["id"])).by(&world.ann);
    let text = "400 Bad request - Token already expired";
    rotate.json(json!({ "expires_at": "2099-01-01" })).refused(400, json!({ "message": text }));
    spec().get("/user").by(&ci).gives(401);
}

#[test]
fn a_repeated_request_for_a_token_is_answered_with_the_same_one() {
    let world = World::new(spec(), Visibility::Private);
    let ask = |path: &str| {
        let ask = world.post(path).by(&world.ann).header("Idempotency-Key", format!("key {path}"));
        ask.json(json!({ "name": "ci", "scopes": ["api"] })).gives(201).json
    };
    let first = ask("/access_tokens");
    assert_eq!(ask("/access_tokens"), first);
    let rotate = format!("/access_tokens/{}/rotate", first["id"]);
    let second = ask(&rotate);
    assert_ne!(second["token"], first["token"]);
    assert_eq!(ask(&rotate), second);
    assert_eq!(world.get("/access_tokens").by(&world.ann).gives(200).json.as_array().unwrap().len(), 2);
}

#[test]
fn of_two_rotations_at_once_one_is_made() {
    let world = World::new(spec(), Visibility::Private);
    let (told, _) = made(&world, &world.ann, json!({ "name": "ci", "scopes": ["api"] }));
    let path = format!("/access_tokens/{}/rotate", told["id"]);
    let mut statuses = std::thread::scope(|scope| {
        let asked = [(); 4].map(|()| scope.spawn(|| world.post(&path).by(&world.ann).send().status));
        asked.map(|asked| asked.join().unwrap())
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 404, 404, 404]);
}

/// On workerd these are the rows that D1 bills.
#[test]
fn a_projects_token_costs_few_rows_more_than_a_members() {
    let world = World::new(spec(), Visibility::Private);
    world.push_line(1);
    let ci = scoped(&world, &["statuses"]);
    for path in ["", "/repository/commits/master/statuses"] {
        let rows = |person: &Person| world.get(path).by(person).gives(200).figure("rows_read");
        let (token, member) = (rows(&ci), rows(&world.bob));
        // two, and in each of at most four statements the user that the token acts as
        assert!(token <= member + 6, "{path}: {token} rows, for a member {member}");
    }
}
