//! Groups and namespaces of v4.

use crate::support::v4::has_keys;
use crate::support::{Person, Visibility, World, spec, unique};
use serde_json::{Value, json};

const GROUP: &str = "id web_url name path description visibility share_with_group_lock require_two_factor_authentication \
  two_factor_grace_period project_creation_level auto_devops_enabled subgroup_creation_level emails_disabled emails_enabled \
  mentions_disabled lfs_enabled archived default_branch default_branch_protection avatar_url request_access_enabled full_name \
  full_path created_at parent_id shared_runners_setting";
const NAMESPACE: &str = "id name path kind full_path parent_id avatar_url web_url";

fn message(text: &str) -> Value {
    json!({ "message": text })
}

#[test]
fn a_group_is_made_changed_and_ended() {
    let pat = spec().person("Pat");
    let path = unique("club");
    let post = |body: Value| spec().ask_v4("POST", "/groups").by(&pat).json(body);
    post(json!({ "name": "x" })).refused(400, json!({ "error": "path is missing" }));
    let refused = json!({ "message": { "parent_id": ["is not supported"] } });
    post(json!({ "name": "x", "path": path, "parent_id": 5 })).refused(400, refused);
    let made = post(json!({ "name": "Club", "path": path, "visibility": "internal", "parent_id": null })).gives(201);
    has_keys(&made.json, &[GROUP]);
    assert_eq!((&made.json["visibility"], &made.json["full_path"]), (&json!("internal"), &json!(path)));
    post(json!({ "name": "Club", "path": path }))
        .refused(400, json!({ "message": { "path": ["has already been taken"] } }));

    let at = format!("/groups/{path}");
    let eve = &spec().cast().eve;
    spec().ask_v4("PUT", &at).by(eve).json(json!({ "name": "x" })).refused(403, message("403 Forbidden"));
    let changed =
        spec().ask_v4("PUT", &at).by(&pat).json(json!({ "name": "Circle", "visibility": "public" })).gives(200).json;
    has_keys(&changed, &[GROUP]);
    assert_eq!((&changed["full_name"], &changed["visibility"]), (&json!("Circle"), &json!("public")));
    let project = spec().project(&pat, made.id(), Visibility::Private);
    let seen = |person: Option<&Person>, query: &str| {
        let ask = spec().ask_v4("GET", format!("{at}{query}"));
        person.into_iter().fold(ask, |ask, person| ask.by(person)).gives(200).json
    };
    let whole = seen(Some(&pat), "");
    has_keys(&whole, &[GROUP, "shared_with_groups projects shared_projects"]);
    assert_eq!(whole["projects"][0]["id"], project.id);
    assert_eq!(seen(None, "")["projects"], json!([]));
    has_keys(&seen(None, "?with_projects=false"), &[GROUP, "shared_with_groups shared_projects"]);
    spec().ask_v4("DELETE", &at).by(eve).refused(403, message("403 Forbidden"));
    let token = json!({ "name": "ci", "scopes": ["api"] });
    let token = spec().post(format!("/projects/{}/access_tokens", project.id)).by(&pat).json(token).gives(201);
    let by_token = || {
        let ask = spec().get(format!("/projects/{}", project.id));
        ask.header("PRIVATE-TOKEN", token.json["token"].as_str().unwrap())
    };
    by_token().gives(200);
    assert_eq!(spec().ask_v4("DELETE", &at).by(&pat).gives(202).json, message("202 Accepted"));
    spec().ask_v4("GET", &at).by(&pat).refused(404, message("404 Group Not Found"));
    by_token().gives(401);
    let project = format!("/projects/{}", project.id);
    spec().ask_v4("GET", &project).by(&pat).refused(404, message("404 Project Not Found"));
    // without its group the project comes back to the administrator
    let root = &spec().root();
    let back = spec().ask_v4("POST", format!("{project}/restore")).by(root).gives(201).json;
    assert_eq!(back["namespace"]["id"], root.id);
    assert_eq!(
        spec().ask_v4("GET", &project).by(root).gives(200).json["path_with_namespace"],
        back["path_with_namespace"]
    );
    by_token().gives(401);
    spec().ask_v4("GET", &project).by(&pat).refused(404, message("404 Project Not Found"));
}

#[test]
fn the_list_has_the_groups_that_the_caller_sees_by_name() {
    let pat = spec().person("Pat");
    let word = unique("band");
    let make = |name: &str, visibility: &str| {
        let body = json!({ "name": format!("{name} {word}"), "path": unique(name), "visibility": visibility });
        spec().ask_v4("POST", "/groups").by(&pat).json(body).gives(201).id()
    };
    let (hidden, inside, open) = (make("Alpha", "private"), make("gamma", "internal"), make("Beta", "public"));
    let list = |person: Option<&Person>, query: &str| {
        let (mut ids, mut target) = (Vec::new(), format!("/groups?search={word}&per_page=1&{query}"));
        loop {
            let ask = spec().ask_v4("GET", &target);
            let answer = person.into_iter().fold(ask, |ask, person| ask.by(person)).gives(200);
            ids.extend(answer.each("id"));
            let Some(next) = answer.next() else { return ids };
            target = next;
        }
    };
    assert_eq!(list(Some(&pat), ""), [hidden, open, inside]);
    assert_eq!(list(Some(&pat), "sort=desc&pagination=keyset"), [inside, open, hidden]);
    assert_eq!(list(Some(&pat), "order_by=id"), [hidden, inside, open]);
    assert_eq!(list(Some(&pat), "order_by=similarity"), list(Some(&pat), "order_by=name"));
    assert_eq!(list(Some(&pat), "owned=true"), [hidden, open, inside]);
    assert_eq!(list(Some(&pat), "visibility=internal"), [inside]);
    assert_eq!(list(Some(&pat), &format!("skip_groups[]={hidden}&skip_groups[]={open}")), [inside]);
    for query in [
        "active=false",
        "archived=true",
        "marked_for_deletion_on=2020-01-01",
        "custom_attributes[team]=a",
        "repository_storage=nosuch",
    ] {
        assert_eq!(list(Some(&pat), query), [] as [i64; 0], "{query}");
    }
    assert_eq!(list(Some(&pat), "repository_storage=default"), list(Some(&pat), ""));
    assert_eq!(list(Some(&pat), "active=true&archived=false"), list(Some(&pat), ""));
    assert_eq!(list(None, ""), [open]);
    let eve = &spec().cast().eve;
    assert_eq!(list(Some(eve), ""), [] as [i64; 0]);
    assert_eq!(list(Some(eve), "all_available=true"), [open, inside]);
    assert_eq!(list(Some(&pat), "all_available=false"), [hidden, open, inside]);
    assert_eq!(list(None, "all_available=false"), [open]);
    assert_eq!(list(Some(&spec().root()), "all_available=false"), [] as [i64; 0]);
    assert_eq!(list(Some(eve), "min_access_level=10"), [] as [i64; 0]);
    assert_eq!(list(Some(&spec().root()), "top_level_only=true&statistics=true").len(), 3);
    spec()
        .ask_v4("GET", "/groups?order_by=size")
        .refused(400, json!({ "error": "order_by does not have a valid value" }));
    let listed = spec().ask_v4("GET", format!("/groups?search={word}&owned=true")).by(&pat).gives(200);
    has_keys(&listed.json[0], &[GROUP]);
    assert_eq!(listed.header("X-Total"), Some("3"));
}

#[test]
fn namespaces_are_the_callers_own_and_those_of_their_groups() {
    let pat = spec().person("Pat");
    let path = unique("clan");
    let body = json!({ "name": "Clan", "path": path });
    let group = spec().ask_v4("POST", "/groups").by(&pat).json(body).gives(201).id();
    for target in ["/namespaces".to_owned(), format!("/namespaces/{group}"), format!("/namespaces/{path}/exists")] {
        spec().ask_v4("GET", target).refused(401, message("401 Unauthorized"));
    }
    let list = |query: &str| spec().ask_v4("GET", format!("/namespaces?{query}")).by(&pat).gives(200);
    assert_eq!(list("").each("id"), [pat.id, group]);
    let counts = "members_count_with_descendants projects_count";
    let own = list("").json;
    has_keys(&own[0], &[NAMESPACE, "projects_count"]);
    has_keys(&own[1], &[NAMESPACE, counts]);
    let dev = spec().person("Dev");
    let level = |level: i64| json!({ "user_id": dev.id, "access_level": level });
    spec().ask_v4("POST", format!("/groups/{group}/members")).by(&pat).json(level(30)).gives(201);
    spec().project(&pat, group, Visibility::Private);
    let of_dev = || spec().ask_v4("GET", format!("/namespaces/{group}")).by(&dev).gives(200).json;
    has_keys(&of_dev(), &[NAMESPACE]);
    spec().ask_v4("PUT", format!("/groups/{group}/members/{}", dev.id)).by(&pat).json(level(50)).gives(200);
    for told in [of_dev(), list("").json[1].clone()] {
        has_keys(&told, &[NAMESPACE, counts]);
        assert_eq!((&told["members_count_with_descendants"], &told["projects_count"]), (&json!(2), &json!(1)));
    }
    let listed = spec().ask_v4("GET", "/namespaces").by(&dev).gives(200).json;
    assert_eq!(listed[0]["members_count_with_descendants"], 2);
    spec().ask_v4("DELETE", format!("/groups/{group}/members/{}", dev.id)).by(&pat).gives(204);
    assert_eq!(list("").json[1]["members_count_with_descendants"], 1);
    assert_eq!(list("per_page=1&page=2").each("id"), [group]);
    assert_eq!(list(&format!("search={path}")).each("id"), [group]);
    assert_eq!(list("owned_only=true&top_level_only=true").each("id"), [pat.id, group]);
    let by_root = spec().ask_v4("GET", format!("/namespaces?search={path}")).by(&spec().root()).gives(200);
    assert_eq!(by_root.header("X-Per-Page"), Some("20"));
    // an administrator sees those of everybody, but not of the users behind tokens
    let world = World::new(spec(), Visibility::Private);
    let token = json!({ "name": "bot", "scopes": ["api"], "access_level": 40 });
    let made = world.post("/access_tokens").by(&world.ann).json(token).gives(201).json;
    let bots = "/namespaces?search=_bot_&per_page=100";
    for found in [spec().ask("GET", bots), spec().ask_v4("GET", bots)] {
        assert_eq!(found.by(&spec().root()).gives(200).json, json!([]), "{made}");
    }

    let one = |person: &Person, name: &str| spec().ask_v4("GET", format!("/namespaces/{name}")).by(person);
    let shown = one(&pat, &path.to_uppercase()).gives(200).json;
    assert_eq!((&shown["name"], &shown["kind"], &shown["full_path"]), (&json!("Clan"), &json!("group"), &json!(path)));
    assert_eq!(one(&pat, &pat.id.to_string()).gives(200).json["name"], pat.name.as_str());
    let eve = &spec().cast().eve;
    one(eve, &path).refused(404, message("404 Namespace Not Found"));
    let exists = |name: &str| one(eve, &format!("{name}/exists")).gives(200).json;
    assert_eq!(exists(&path.to_uppercase()), json!({ "exists": true, "suggests": [] }));
    assert_eq!(exists(&unique("nothing"))["exists"], false);
}
