//! What somebody may try who wants more than their part: names that pass for others, tokens that outlive their maker,
//! projects that open their group, costs that tell what nobody may know.

use crate::support::{Person, Visibility, World, apart, spec, unique};
use serde_json::{Value, json};

fn hook_of(world: &World, maker: &Person) -> Person {
    let made = world.post("/hook_tokens").by(maker).json(json!({ "name": "hook" })).gives(201).json;
    Person { token: made["token"].as_str().unwrap().to_owned(), ..maker.clone() }
}

#[test]
fn what_a_request_cost_is_told_to_administrators_with_their_own_token_alone() {
    let apart = apart();
    let server = apart.server;
    let (root, ann) = (server.root(), server.person("Ann"));
    let told = |answer: crate::support::Answer| answer.header("Server-Timing").is_some();
    let made = server.post("/users/1/personal_access_tokens").by(&root).json(json!({ "name": "own" }));
    let own = Person { token: made.gives(201).json["token"].as_str().unwrap().to_owned(), ..root.clone() };
    for person in [&root, &own] {
        assert!(told(server.get("/user").by(person).gives(200)));
        assert!(told(server.get("/projects/987654321").by(person).gives(404)));
    }
    let project = server.project(&root, 1, Visibility::Public);
    let made = server.post(format!("/projects/{}/hook_tokens", project.id)).by(&root);
    let made = made.json(json!({ "name": "hook" })).gives(201).json;
    let hook = Person { token: made["token"].as_str().unwrap().to_owned(), ..root.clone() };
    assert!(!told(server.get(format!("/projects/{}/mirror", project.id)).by(&hook).gives(200)));
    assert!(!told(server.get("/user").by(&ann).gives(200)));
    assert!(!told(server.get("/user").by(&root).header("SUDO", &ann.username).gives(200)));
    assert!(!told(server.get("/user").by(&root).header("SUDO", "root").gives(200)));
    assert!(!told(server.get("/user").by(&ann).header("SUDO", "root").gives(403)));
    assert!(!told(server.get("/user").by(&own).header("SUDO", "root").gives(403)));
    assert!(!told(server.get("/user").gives(401)));
    assert!(!told(server.get("/user").header("PRIVATE-TOKEN", "wrong").gives(401)));
    assert!(!told(server.get("/version").gives(401)));
}

#[test]
fn the_log_says_whose_token_acted_as_somebody_else() {
    let cast = spec().cast();
    let logged = |answer: crate::support::Answer| answer.record.map(|log| (log.caller_id, log.actor_id));
    let is = |answer, caller, actor| assert_eq!(logged(answer).unwrap_or((caller, actor)), (caller, actor));
    let get = || spec().get("/user");
    is(get().by(&cast.ann).gives(200), Some(cast.ann.id), None);
    is(get().by(&cast.root).header("SUDO", &cast.ann.username).gives(200), Some(cast.ann.id), Some(1));
    is(get().by(&cast.ann).header("SUDO", "root").gives(403), None, Some(cast.ann.id));
    is(get().by(&cast.root).header("SUDO", "no-such").gives(404), None, Some(1));
}

#[test]
fn a_number_is_no_name_of_a_namespace_and_a_name_with_a_dot_is_no_number() {
    let cast = spec().cast();
    let refused = "cannot be a number";
    for path in ["46", "0", "00046"] {
        let group = json!({ "name": "x", "path": path });
        let answer = spec().post("/groups").by(&cast.ann).json(group).gives(400);
        assert_eq!(answer.json["message"]["path"], json!([refused]));
        let user = json!({ "name": "x", "username": path, "email": format!("{path}@example.com") });
        let answer = spec().post("/users").by(&cast.root).json(user).gives(400);
        assert_eq!(answer.json["message"]["username"], json!([refused]));
    }
    let id = cast.ann.id;
    let username = format!("{id}.0");
    let email = format!("{}@example.com", unique("dot"));
    let user = json!({ "name": "x", "username": username, "email": email });
    let dotted = spec().post("/users").by(&cast.root).json(user).send();
    assert!([201, 409].contains(&dotted.status), "{}", dotted.text);
    let acts = spec().get("/user").by(&cast.root).header("SUDO", &username).gives(200);
    assert_eq!(acts.json["username"], json!(username));
    assert_ne!(acts.id(), id);
}

#[test]
fn names_hold_no_character_that_turns_text_around() {
    let world = World::new(spec(), Visibility::Private);
    for letter in ['\u{202e}', '\u{2066}', '\u{200f}', '\u{61c}', '\u{7f}'] {
        let name = format!("ab{letter}cd");
        let refused = |answer: crate::support::Answer| {
            assert!(answer.json["message"]["name"].is_array(), "{}", answer.text);
        };
        let group = json!({ "name": name, "path": unique("g") });
        refused(spec().post("/groups").by(&world.ann).json(group).gives(400));
        refused(world.put("").by(&world.ann).json(json!({ "name": name })).gives(400));
        let user = json!({ "name": name, "username": unique("u"), "email": format!("{}@example.com", unique("u")) });
        refused(spec().post("/users").by(&world.root).json(user).gives(400));
        let user = format!("/users/{}", world.eve.id);
        refused(spec().put(&user).by(&world.root).json(json!({ "name": name })).gives(400));
        refused(spec().post(user + "/personal_access_tokens").by(&world.eve).json(json!({ "name": name })).gives(400));
    }
}

#[test]
fn a_token_that_expires_makes_none_that_lasts_longer() {
    let person = spec().person("Tess");
    let at = format!("/users/{}/personal_access_tokens", person.id);
    let make = |maker: &Person, fields: Value| spec().post(&at).by(maker).json(fields);
    let first = make(&person, json!({ "name": "first", "expires_at": "2999-06-01" })).gives(201).json;
    let short = Person { token: first["token"].as_str().unwrap().to_owned(), ..person.clone() };
    let text = "cannot be later than that of the token that makes it";
    let later = json!({ "name": "later", "expires_at": "2999-06-02" });
    make(&short, later).refused(400, json!({ "message": { "expires_at": [text] } }));
    let same = make(&short, json!({ "name": "as long" })).gives(201).json;
    assert_eq!(same["expires_at"], first["expires_at"]);
    let less = make(&short, json!({ "name": "less", "expires_at": "2999-05-01" })).gives(201).json;
    assert_eq!(less["expires_at"], "2999-05-01T00:00:00.000Z");
    assert_eq!(make(&person, json!({ "name": "lasting" })).gives(201).json["expires_at"], Value::Null);
    let project = spec().project(&person, person.id, Visibility::Private);
    let hook = spec().post(format!("/projects/{}/hook_tokens", project.id)).by(&short);
    assert_eq!(hook.json(json!({ "name": "hook" })).gives(201).json["expires_at"], first["expires_at"]);
}

#[test]
fn a_hook_token_does_no_more_than_its_maker_may_now() {
    let world = World::new(spec(), Visibility::Internal);
    let max = spec().person("Max");
    world.admit(&max, 40);
    let hook = hook_of(&world, &max);
    let commits = || world.post("/mirror/commits").by(&hook).json(json!({ "commits": [] }));
    let swap = || {
        let nothing = json!({ "default_branch": null, "changes": [] });
        world.put("/mirror/refs").by(&hook).json(nothing)
    };
    world.get("/mirror").by(&hook).gives(200);
    commits().gives(201);
    swap().gives(200);
    let member = format!("/members/{}", max.id);
    world.put(&member).by(&world.ann).json(json!({ "access_level": 30 })).gives(200);
    let forbidden = json!({ "message": "403 Forbidden" });
    world.get("/mirror").by(&hook).refused(403, forbidden.clone());
    commits().refused(403, forbidden.clone());
    swap().refused(403, forbidden.clone());
    world.delete(&member).by(&world.ann).gives(200);
    world.get("/mirror").by(&hook).refused(403, forbidden);
    world.put("").by(&world.ann).json(json!({ "visibility_level": 0 })).gives(200);
    world.get("/mirror").by(&hook).refused(404, json!({ "message": "404 Project Not Found" }));
    world.admit(&max, 40);
    world.get("/mirror").by(&hook).gives(200);
}

#[test]
fn a_hook_token_learns_of_no_other_project_than_its_own() {
    let world = World::new(spec(), Visibility::Private);
    let other = World::new(spec(), Visibility::Private);
    let hook = hook_of(&world, &world.ann);
    let missing = json!({ "message": "404 Project Not Found" });
    other.get("/mirror").by(&hook).refused(404, missing.clone());
    spec().get("/projects/987654321/mirror").by(&hook).refused(404, missing);
}

#[test]
fn a_deployment_is_in_the_name_of_who_moved_it_on() {
    let world = World::new(spec(), Visibility::Private);
    let tip = world.push_line(1);
    let deploy = json!({ "environment": "production", "sha": tip, "status": "running" });
    let made = world.post("/deployments").by(&world.bob).json(deploy).gives(201);
    assert_eq!(made.json["deployable"]["user"]["id"], world.bob.id);
    let path = format!("/deployments/{}", made.id());
    let back = world.put(&path).by(&world.ann).json(json!({ "status": "pending" })).gives(400);
    assert!(back.text.contains("Cannot transition"), "{}", back.text);
    assert_eq!(world.get(&path).by(&world.ann).gives(200).json["deployable"]["user"]["id"], world.bob.id);
    let moved = world.put(&path).by(&world.ann).json(json!({ "status": "failed" })).gives(200).json;
    assert_eq!(moved["deployable"]["user"]["id"], world.ann.id);
}

#[test]
fn a_project_is_at_most_as_visible_as_its_group() {
    let cast = spec().cast();
    let (path, max) = (unique("private"), spec().person("Max"));
    let group = json!({ "name": path, "path": path, "visibility_level": 0 });
    let group = spec().post("/groups").by(&cast.ann).json(group).gives(201).id();
    let at = format!("/groups/{group}");
    for (person, level) in [(&cast.bob, 30), (&max, 40)] {
        let member = json!({ "user_id": person.id, "access_level": level });
        spec().post(format!("{at}/members")).by(&cast.ann).json(member).gives(201);
    }
    let make = |person: &Person, fields: Value| {
        let mut new = json!({ "name": unique("p"), "namespace_id": group });
        new.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        spec().post("/projects").by(person).json(new)
    };
    let not_valid = json!({ "message": { "namespace": ["is not valid"] } });
    make(&cast.bob, json!({})).refused(400, not_valid);
    let text = "cannot be higher than that of its group";
    let too_high = json!({ "message": { "visibility_level": [text] } });
    for level in [10, 20] {
        for person in [&max, &cast.ann, &cast.root] {
            make(person, json!({ "visibility_level": level })).refused(400, too_high.clone());
        }
    }
    let project = make(&max, json!({})).gives(201).id();
    let project = format!("/projects/{project}");
    spec().put(&project).by(&cast.ann).json(json!({ "public": true })).refused(400, too_high);
    spec().put(&at).by(&cast.ann).json(json!({ "visibility_level": 20 })).gives(200);
    spec().put(&project).by(&cast.ann).json(json!({ "visibility_level": 10 })).gives(200);
    let text = "cannot be lower than that of a project in it";
    let too_low = json!({ "message": { "visibility_level": [text] } });
    spec().put(&at).by(&cast.ann).json(json!({ "visibility_level": 0 })).refused(400, too_low);
    spec().put(&at).by(&cast.ann).json(json!({ "visibility_level": 10 })).gives(200);
    spec().delete(&project).by(&cast.ann).gives(200);
    spec().put(&at).by(&cast.ann).json(json!({ "visibility_level": 0 })).gives(200);
}

#[test]
fn a_query_has_a_length() {
    let ann = &spec().cast().ann;
    let get = |length: usize| spec().get(format!("/projects?nobody={}", "x".repeat(length - 7))).by(ann);
    get(8192).gives(200);
    get(8193).refused(400, json!({ "error": "query is too long (maximum is 8192 characters)" }));
}

#[test]
fn a_badge_can_neither_load_nor_run_anything() {
    let world = World::new(spec(), Visibility::Public);
    let badge = world.get("/badges/master/build.svg").gives(200);
    assert_eq!(badge.header("Content-Security-Policy"), Some("default-src 'none'; sandbox"));
}

/// A user who sees public projects and those they are members of.
fn external() -> Person {
    let person = spec().person("Exa");
    let made = spec().put(format!("/users/{}", person.id)).by(&spec().root()).json(json!({ "external": true }));
    assert_eq!(made.gives(200).json["external"], true);
    person
}

#[test]
fn whether_a_user_is_external_is_said_by_administrators_and_shown() {
    let cast = spec().cast();
    let username = unique("ext");
    let new =
        json!({ "name": "x", "username": username, "email": format!("{username}@example.com"), "external": true });
    let made = spec().post("/users").by(&cast.root).json(new).gives(201);
    assert_eq!(made.json["external"], true);
    let at = format!("/users/{}", made.id());
    spec().put(&at).by(&cast.ann).json(json!({ "external": false })).gives(403);
    assert_eq!(spec().get(&at).by(&cast.root).gives(200).json["external"], true);
    assert_eq!(spec().put(&at).by(&cast.root).json(json!({ "bio": "b" })).gives(200).json["external"], true);
    let changed = spec().put(&at).by(&cast.root).json(json!({ "external": false })).gives(200);
    assert_eq!(changed.json["external"], false);
    assert_eq!(spec().get("/user").by(&cast.ann).gives(200).json["external"], false);
}

#[test]
fn an_external_user_sees_public_projects_and_those_they_are_members_of() {
    let exa = external();
    let missing = json!({ "message": "404 Project Not Found" });
    let mut seen = Vec::new();
    for (visibility, member) in [
        (Visibility::Private, false),
        (Visibility::Internal, false),
        (Visibility::Public, false),
        (Visibility::Private, true),
        (Visibility::Internal, true),
    ] {
        let world = World::new(spec(), visibility);
        if member {
            world.admit(&exa, 10);
        }
        let mentions = json!({ "title": "t", "description": format!("@{}", exa.username) });
        let issue = world.issue(&world.ann, mentions);
        let sees = member || visibility == Visibility::Public;
        let assigned = spec().put(world.issue_path(&issue)).by(&world.ann);
        let assigned = assigned.json(json!({ "assignee_id": exa.id }));
        if sees {
            seen.push(json!(world.project.id));
            assigned.gives(200);
            for path in ["", "/issues", "/members", "/labels", "/milestones"] {
                world.get(path).by(&exa).gives(200);
            }
            assert_eq!(world.status(&exa, &issue), 200);
            continue;
        }
        assigned.refused(400, json!({ "message": { "assignee_id": ["is invalid"] } }));
        for path in ["", "/issues", "/members", "/repository/commits", "/environments"] {
            world.get(path).by(&exa).refused(404, missing.clone());
        }
        let write = json!({ "title": "x" });
        world.post("/issues").by(&exa).json(write).refused(404, missing.clone());
        let public = World::new(spec(), Visibility::Public);
        public.admit(&exa, 20);
        let mine = public.issue(&exa, json!({ "title": "mine" }));
        let to = json!({ "to_project_id": world.project.id });
        let moving = spec().post(format!("{}/move", public.issue_path(&mine))).by(&exa).json(to);
        moving.refused(404, missing.clone());
        seen.push(json!(public.project.id));
    }
    let todos = spec().get("/todos").by(&exa).gives(200);
    assert!(todos.json.as_array().unwrap().iter().all(|todo| seen.contains(&todo["project"]["id"])));
    assert_eq!(todos.header("X-Total"), Some("6"), "mentioned and assigned in each that they see");
    let visible = spec().get("/projects/visible?per_page=100").by(&exa).gives(200);
    let member = |project: &Value| seen.contains(&project["id"]);
    assert!(visible.json.as_array().unwrap().iter().all(|p| p["visibility_level"] == 20 || member(p)));
    assert_eq!(spec().get("/projects/visible?visibility=internal").by(&exa).gives(200).each("id").len(), 1);
}

#[test]
fn an_external_user_sees_an_internal_group_through_a_project_of_theirs_alone() {
    let cast = spec().cast();
    let exa = external();
    let path = unique("inner");
    let group = json!({ "name": path, "path": path, "visibility_level": 10 });
    let group = spec().post("/groups").by(&cast.ann).json(group).gives(201).id();
    let [first, second] = [(); 2].map(|()| spec().project(&cast.ann, group, Visibility::Internal));
    let get = |rest: &str| spec().get(format!("/groups/{group}{rest}")).by(&exa);
    let listed = || spec().get(format!("/groups?search={path}")).by(&exa).gives(200).each("id").len();
    let missing = json!({ "message": "404 Group Not Found" });
    get("").refused(404, missing.clone());
    get("/issues").refused(404, missing);
    assert_eq!(listed(), 0);
    let add = json!({ "user_id": exa.id, "access_level": 10 });
    spec().post(format!("/projects/{}/members", second.id)).by(&cast.ann).json(add).gives(201);
    for project in [&first, &second] {
        spec().post(format!("/projects/{}/issues", project.id)).by(&cast.ann).json(json!({ "title": "t" })).gives(200);
    }
    let shown = get("").gives(200).json;
    assert_eq!(shown["projects"].as_array().unwrap().len(), 1);
    assert_eq!(shown["projects"][0]["id"], second.id);
    assert_eq!(get("/issues").gives(200).header("X-Total"), Some("1"));
    assert_eq!(listed(), 1);
}

#[test]
fn where_an_issue_moved_to_is_told_to_those_who_see_it() {
    let world = World::new(spec(), Visibility::Public);
    let hidden = spec().project(&world.ann, world.ann.id, Visibility::Private);
    let issue = world.issue(&world.ann, json!({ "title": "t" }));
    let arrived = world.moved(&world.ann, &issue, &hidden);
    let bodies = |issue: &Value, person: &Person| {
        spec().get(format!("{}/notes", world.issue_path(issue))).by(person).gives(200).each("body")
    };
    let told = json!(format!("Moved to {}#{}", hidden.path, arrived["iid"]));
    assert_eq!(bodies(&issue, &world.ann)[0], told);
    assert_eq!(bodies(&issue, &world.root)[0], told);
    for person in [&world.bob, &world.eve] {
        assert_eq!(bodies(&issue, person), [json!("Moved to another project")]);
    }
    let notes = format!("{}/notes", world.issue_path(&issue));
    let id = spec().get(&notes).by(&world.ann).gives(200).json[0]["id"].clone();
    let one = |person: &Person| spec().get(format!("{notes}/{id}")).by(person).gives(200).json["body"].clone();
    assert_eq!((one(&world.ann), one(&world.eve)), (told, json!("Moved to another project")));
    let from = json!(format!("Moved from {}#{}", world.project.path, issue["iid"]));
    assert_eq!(bodies(&arrived, &world.ann)[0], from);
    // and back, with its notes
    let back = world.moved(&world.ann, &arrived, &World::new(spec(), Visibility::Public).project);
    let another = json!("Moved from another project");
    assert_eq!(bodies(&back, &world.eve), [from, another]);
}

#[test]
fn no_log_line_has_a_token() {
    if !spec().is_in_process() {
        return;
    }
    let cast = spec().cast();
    let token = cast.ann.token.as_str();
    let asks = [
        spec().get("/user").by(&cast.ann),
        spec().get("/user").header("Authorization", format!("Bearer {token}")),
        spec().get("/user").query("private_token", token),
        spec().get("/nothing").query("access_token", token),
        spec().get(format!("/issues?{token}=")).by(&cast.ann),
        spec().post("/groups").json(json!({ "private_token": token })),
    ];
    for ask in asks {
        let record = ask.send().record.unwrap();
        let line = serde_json::to_string(&record).unwrap();
        assert!(line.contains("request_id") && !line.contains(token), "{line}");
    }
}
