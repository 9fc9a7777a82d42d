//! Projects of v4: one, and the lists.

use crate::support::contents::{blob, tree};
use crate::support::git::commit;
use crate::support::v4::has_keys;
use crate::support::{Person, Visibility, World, alone, spec, unique};
use serde_json::{Value, json};

const SIMPLE: &str = "id description name name_with_namespace path path_with_namespace created_at default_branch tag_list topics \
  ssh_url_to_repo http_url_to_repo web_url readme_url forks_count avatar_url star_count last_activity_at visibility archived \
  namespace";
const FULL: &str = "_links empty_repo creator_id updated_at issues_enabled jobs_enabled merge_requests_enabled wiki_enabled \
  snippets_enabled container_registry_enabled packages_enabled lfs_enabled shared_runners_enabled group_runners_enabled \
  service_desk_enabled request_access_enabled can_create_merge_request_in mirror emails_disabled \
  only_allow_merge_if_pipeline_succeeds only_allow_merge_if_all_discussions_are_resolved auto_devops_enabled \
  resolve_outdated_diff_discussions printing_merge_request_link_enabled remove_source_branch_after_merge \
  ci_job_token_scope_enabled emails_enabled public_jobs autoclose_referenced_issues issues_access_level builds_access_level \
  repository_access_level environments_access_level merge_requests_access_level wiki_access_level snippets_access_level \
  forking_access_level pages_access_level releases_access_level container_registry_access_level package_registry_access_level \
  security_and_compliance_access_level feature_flags_access_level infrastructure_access_level monitor_access_level \
  model_experiments_access_level model_registry_access_level analytics_access_level import_status merge_method squash_option \
  ci_config_path build_timeout repository_object_format open_issues_count shared_with_groups description_html";

fn missing() -> Value {
    json!({ "message": "404 Project Not Found" })
}

#[test]
fn a_project_is_there_for_those_who_see_it() {
    let hidden = World::new(spec(), Visibility::Private);
    let public = World::personal(spec(), Visibility::Public);
    spec().ask_v4("GET", hidden.at("")).refused(404, missing());
    spec().ask_v4("GET", hidden.at("")).by(&hidden.eve).refused(404, missing());
    let path = hidden.project.path.replace('/', "%2F").to_uppercase().replace("%2f", "%2F");
    assert_eq!(spec().ask_v4("GET", format!("/projects/{path}")).by(&hidden.gus).gives(200).id(), hidden.project.id);
    // no path without a namespace
    let bare = hidden.project.path.split('/').next_back().unwrap();
    spec().ask_v4("GET", format!("/projects/{bare}")).by(&hidden.ann).refused(404, missing());

    let seen = spec().ask_v4("GET", hidden.at("")).by(&hidden.bob).gives(200).json;
    has_keys(&seen, &[SIMPLE, FULL, "permissions"]);
    assert_eq!(seen["permissions"]["project_access"], json!({ "access_level": 30, "notification_level": 3 }));
    assert_eq!(seen["permissions"]["group_access"], Value::Null);
    let level = |answer: &Value| answer["permissions"]["project_access"]["access_level"].clone();
    let own = spec().ask_v4("POST", "/projects").by(&hidden.eve).json(json!({ "name": unique("own") })).gives(201).json;
    let again = spec().ask_v4("GET", format!("/projects/{}", own["id"])).by(&hidden.eve).gives(200).json;
    assert_eq!([level(&own), level(&again)], [50, 50]);
    let token = json!({ "name": "release", "scopes": ["api"], "access_level": 30, "expires_at": "2999-12-31" });
    let token = spec().ask_v4("POST", hidden.at("/access_tokens")).by(&hidden.ann).json(token).gives(201).json;
    let by_token = spec().ask_v4("GET", hidden.at("")).header("PRIVATE-TOKEN", token["token"].as_str().unwrap());
    assert_eq!(level(&by_token.gives(200).json), 30);
    assert_eq!((&seen["visibility"], &seen["empty_repo"]), (&json!("private"), &json!(true)));
    // a branch that is named is not there yet
    let named = json!({ "name": unique("named"), "default_branch": "main" });
    let named = spec().ask_v4("POST", "/projects").by(&hidden.ann).json(named).gives(201).json;
    assert_eq!((&named["default_branch"], &named["empty_repo"]), (&json!("main"), &json!(true)));
    public.push_line(1);
    assert_eq!(spec().ask_v4("GET", public.at("")).gives(200).json["empty_repo"], false);
    let namespace = &seen["namespace"];
    has_keys(namespace, &["id name path kind full_path parent_id avatar_url web_url"]);
    let path = namespace["path"].as_str().unwrap();
    assert!(namespace["web_url"].as_str().unwrap().ends_with(&format!("/groups/{path}")));
    let own = seen["_links"]["self"].as_str().unwrap();
    assert!(own.ends_with(&format!("/api/v4/projects/{}", hidden.project.id)), "{own}");

    let seen = spec().ask_v4("GET", public.at("")).gives(200).json;
    has_keys(&seen, &[SIMPLE, FULL, "owner"]);
    assert_eq!(seen["namespace"]["name"], public.ann.name.as_str());
    has_keys(&seen["owner"], &["id username public_email name state locked avatar_url web_url"]);
}

#[test]
fn statistics_and_license_are_told_on_request() {
    let world = World::new(spec(), Visibility::Public);
    let with = |person: Option<&Person>, query: &str| {
        let ask = spec().ask_v4("GET", world.at(query));
        person.into_iter().fold(ask, |ask, person| ask.by(person)).gives(200).json
    };
    assert_eq!(with(Some(&world.rae), "?statistics=true")["statistics"]["commit_count"], 0);
    for (person, query) in [(Some(&world.gus), "?statistics=true"), (None, "?statistics=true"), (Some(&world.rae), "")]
    {
        assert!(with(person, query).get("statistics").is_none(), "{query}");
    }
    has_keys(&with(None, "?license=true"), &[SIMPLE, FULL, "license license_url"]);
}

#[test]
fn a_description_is_told_as_html_that_shows_it() {
    let world = World::new(spec(), Visibility::Private);
    world.put("").by(&world.ann).json(json!({ "description": "<b>'a' & \"b\"</b>" })).gives(200);
    let seen = spec().ask_v4("GET", world.at("")).by(&world.ann).gives(200).json;
    assert_eq!(seen["description_html"], "&lt;b&gt;&#39;a&#39; &amp; &quot;b&quot;&lt;/b&gt;");
}

/// Ids of all pages of a list.
fn listed(person: Option<&Person>, target: &str) -> Vec<Value> {
    let (mut ids, mut target) = (Vec::new(), target.to_owned());
    loop {
        let ask = spec().ask_v4("GET", &target);
        let answer = person.into_iter().fold(ask, |ask, person| ask.by(person)).gives(200);
        ids.extend(answer.each("id"));
        let Some(next) = answer.next() else { return ids };
        target = next;
    }
}

/// Three projects of one new person in an own namespace and a group, and one of somebody else.
struct Shelf {
    pat: Person,
    group: i64,
    /// Private and public of the own namespace, private of the group, public of ann's group.
    ids: [i64; 4],
}

fn shelf() -> Shelf {
    let pat = spec().person("Pat");
    let path = unique("tower");
    let group = json!({ "name": path, "path": path, "visibility_level": 20 });
    let group = spec().post("/groups").by(&pat).json(group).gives(201).id();
    let cast = spec().cast();
    let ids = [
        spec().project(&pat, pat.id, Visibility::Private),
        spec().project(&pat, pat.id, Visibility::Public),
        spec().project(&pat, group, Visibility::Private),
        spec().project(&cast.ann, cast.group, Visibility::Public),
    ];
    let member = json!({ "user_id": pat.id, "access_level": 20 });
    spec().post(format!("/projects/{}/members", ids[3].id)).by(&cast.ann).json(member).gives(201);
    Shelf { pat, group, ids: ids.map(|project| project.id) }
}

#[test]
fn the_list_has_what_the_caller_sees_or_is_a_member_of() {
    let Shelf { pat, group, ids: [hidden, open, team, other] } = shelf();
    let cast = spec().cast();
    let mine = |query: &str| listed(Some(&pat), &format!("/projects?per_page=1&{query}"));
    assert_eq!(mine("membership=True"), [other, team, open, hidden]);
    assert_eq!(mine("membership=true&sort=asc&pagination=keyset&order_by=id"), [hidden, open, team, other]);
    assert_eq!(mine("owned=true"), [team, open, hidden]);
    assert_eq!(mine("min_access_level=20"), [other, team, open, hidden]);
    assert_eq!(mine("min_access_level=30"), [team, open, hidden]);
    assert_eq!(mine("membership=true&visibility=private"), [team, hidden]);
    assert_eq!(mine(&format!("membership=true&id_after={open}")), [other, team]);
    assert_eq!(mine(&format!("membership=true&id_before={team}&sort=asc")), [hidden, open]);
    for order in ["name", "path", "updated_at", "last_activity_at", "star_count"] {
        let mut found = mine(&format!("membership=true&order_by={order}&sort=asc"));
        found.sort_by_key(Value::as_i64);
        assert_eq!(found, [hidden, open, team, other], "{order}");
    }
    for nothing in [
        "starred=true",
        "topic=x",
        "topic_id=1",
        "imported=true",
        "marked_for_deletion_on=2020-01-01",
        "repository_checksum_failed=true",
        "wiki_checksum_failed=true",
        "custom_attributes[team]=a",
        "repository_storage=other",
        "active=true&archived=true",
        "with_programming_language=Rust",
        "membership=true&updated_before=2001-01-01",
    ] {
        assert_eq!(mine(nothing), [] as [i64; 0], "{nothing}");
    }
    let none = spec().ask_v4("GET", "/projects?custom_attributes[team]=a&custom_attributes[b]=c").by(&pat).gives(200);
    let link = none.header("Link").unwrap();
    let sent = "custom_attributes%5Bteam%5D=a&custom_attributes%5Bb%5D=c&";
    assert_eq!((none.header("X-Total"), link.matches(sent).count()), (Some("0"), 2), "{link}");
    assert_eq!(mine("membership=true&repository_storage=default").len(), 4);
    // an unknown ability filters nothing
    assert_eq!(mine("membership=true&with_merge_requests_enabled=true").len(), 4);

    // everything that is visible, and no more
    let near =
        |person| listed(person, &format!("/projects?id_after={}&id_before={}&order_by=id", hidden - 1, other + 1));
    let has = |found: &[Value], id: i64| found.contains(&json!(id));
    let everybody = near(None);
    assert!(has(&everybody, open) && has(&everybody, other) && !has(&everybody, hidden) && !has(&everybody, team));
    let eve = near(Some(&cast.eve));
    assert!(has(&eve, open) && !has(&eve, hidden) && !has(&eve, team));
    let root = near(Some(&cast.root));
    assert!([hidden, open, team, other].iter().all(|id| has(&root, *id)));
    assert_eq!(listed(None, "/projects?membership=true"), [] as [i64; 0]);

    let of_group = format!("/groups/{group}/projects");
    assert_eq!(listed(Some(&pat), &of_group), [team]);
    assert_eq!(listed(Some(&cast.eve), &of_group), [] as [i64; 0]);
    assert_eq!(listed(None, &of_group), [] as [i64; 0]);
    for name in [pat.id.to_string(), pat.username.to_uppercase()] {
        let of_user = format!("/users/{name}/projects?order_by=name");
        assert_eq!(listed(None, &of_user), [open]);
        assert_eq!(listed(Some(&cast.eve), &of_user), [open]);
        assert_eq!(listed(Some(&pat), &of_user).len(), 2);
    }
    assert_eq!(listed(None, &format!("/users/{}/projects", cast.eve.id)), [] as [i64; 0]);
    let missing = json!({ "message": "404 User Not Found" });
    spec().ask_v4("GET", format!("/users/{}/projects", unique("nobody"))).refused(404, missing);
    let missing = json!({ "message": "404 Group Not Found" });
    spec().ask_v4("GET", "/groups/987654321/projects").refused(404, missing);
}

#[test]
fn the_list_is_searched_and_shows_three_forms() {
    let Shelf { pat, ids: [hidden, open, ..], .. } = shelf();
    let path = spec().ask_v4("GET", format!("/projects/{open}")).by(&pat).gives(200).json["path"].clone();
    let path = path.as_str().unwrap();
    assert_eq!(listed(None, &format!("/projects?search={}", path.to_uppercase())), [open]);
    assert_eq!(listed(None, &format!("/projects?search={}", pat.username)), [] as [i64; 0]);
    assert_eq!(listed(None, &format!("/projects?search={}&search_namespaces=true", pat.username)), [open]);
    let mine = |query: &str| listed(Some(&pat), &format!("/projects?owned=true&{query}"));
    let whole = spec().get(format!("/projects/{open}")).by(&pat).gives(200).json;
    let whole = whole["path_with_namespace"].as_str().unwrap().replace('/', "%2F").to_uppercase();
    assert_eq!(mine(&format!("search_namespaces=true&search={whole}")), [open]);
    assert_eq!(mine(&format!("search={whole}")), [] as [i64; 0]);
    let word = unique("sought");
    let described = json!({ "description": format!("What was {word} for") });
    spec().ask_v4("PUT", format!("/projects/{open}")).by(&pat).json(described).gives(200);
    assert_eq!(mine(&format!("search={}", word.to_uppercase())), [open]);
    assert_eq!(mine(&format!("search={word}&search_namespaces=true")), [open]);
    spec().put(format!("/projects/{hidden}")).by(&pat).json(json!({ "issues_enabled": false })).gives(200);
    spec().post(format!("/projects/{hidden}/archive")).by(&pat).gives(201);
    for query in ["archived=true", "active=false"] {
        assert_eq!(listed(Some(&pat), &format!("/projects?owned=true&{query}")), [hidden], "{query}");
    }
    assert!(!listed(Some(&pat), "/projects?owned=true&active=true").contains(&json!(hidden)));
    assert!(!listed(Some(&pat), "/projects?owned=true&with_issues_enabled=true").contains(&json!(hidden)));

    let one = |person: Option<&Person>, query: &str| {
        // what others make meanwhile fills the pages of a search
        let ask = spec().ask_v4("GET", format!("/projects?search={path}&id_before={}&{query}", open + 1));
        person.into_iter().fold(ask, |ask, person| ask.by(person)).gives(200)
    };
    has_keys(&one(None, "").json[0], &[SIMPLE]);
    has_keys(&one(Some(&pat), "simple=true").json[0], &[SIMPLE]);
    has_keys(&one(Some(&pat), "").json[0], &[SIMPLE, FULL, "owner permissions"]);
    let told = one(Some(&pat), "owned=true&statistics=true");
    has_keys(&told.json[0], &[SIMPLE, FULL, "owner permissions statistics"]);
    assert_eq!(told.header("X-Total"), Some("1"));
    let refused = |query: &str, error: &str| {
        spec().ask_v4("GET", format!("/projects?{query}")).refused(400, json!({ "error": error }));
    };
    refused("visibility=secret", "visibility does not have a valid value");
    refused("order_by=size", "order_by does not have a valid value");
    refused("min_access_level=31", "min_access_level does not have a valid value");
    refused("archived=perhaps", "archived is invalid");
    refused("updated_after=soon", "updated_after is invalid");
}

#[test]
fn a_page_of_projects_costs_the_same_however_many_there_are() {
    let server = alone();
    let pat = server.person("Pat");
    let make = |count: usize| (0..count).for_each(|_| drop(server.project(&pat, pat.id, Visibility::Private)));
    let rows =
        |query: &str| server.ask_v4("GET", format!("/projects?membership=true&per_page=3&{query}")).by(&pat).cost().1;
    make(8);
    let queries = ["", "order_by=name", "order_by=last_activity_at&sort=asc", "pagination=keyset&order_by=id"];
    let before = queries.map(rows);
    make(20);
    let after = queries.map(rows);
    assert_eq!(after[3], before[3], "a page without a total");
    // a total counts each of a thousand at most: D1's rows, or SQLite's instructions
    let most = 20 * if server.is_in_process() { 303 } else { 16 };
    assert!(before.iter().zip(after).all(|(before, after)| after <= before + most), "{before:?} {after:?}");
}

#[test]
fn a_project_names_its_readme_and_license_to_those_who_read_its_files() {
    let world = World::new(spec(), Visibility::Private);
    let get = |person: &Person| spec().ask_v4("GET", world.at("?license=true")).by(person).gives(200).json;
    let told = |person: &Person| {
        let json = get(person);
        (json["readme_url"].clone(), json["license_url"].clone(), json["license"].clone())
    };
    let nothing = (Value::Null, Value::Null, Value::Null);
    assert_eq!(told(&world.ann), nothing);
    let text = blob("text");
    let names = ["COPYING.LIB", "LICENSE-MIT", "Readme.md", "license", "readme", "readme.html"];
    let entries: Vec<(&str, &[u8], &str)> = names.iter().map(|name| ("100644", name.as_bytes(), text.id())).collect();
    let folder = tree(&entries);
    let root = tree(&[&entries[..], &[("40000", b"readme.txt", folder.id())]].concat());
    world.push_tree(&root, &[root.clone(), folder, text.clone()]);
    let at = |name: &str| json!(format!("{}/{}/-/blob/master/{name}", spec().origin, world.project.path));
    let other = json!({ "key": "other", "name": "Other", "nickname": null, "html_url": null, "source_url": null });
    assert_eq!(told(&world.ann), (at("Readme.md"), at("COPYING.LIB"), other));
    assert_eq!(told(&world.rae).0, at("Readme.md"));
    // a guest of a private project may not read its files
    assert_eq!(told(&world.gus), nothing);
    let listed = |query: &str| {
        let path = format!("/projects?membership=true&per_page=100&{query}");
        let projects = spec().ask_v4("GET", path).by(&world.ann).gives(200).json;
        let own = projects.as_array().unwrap().iter().find(|project| project["id"] == world.project.id).cloned();
        own.unwrap()["readme_url"].clone()
    };
    assert_eq!([listed("simple=true"), listed("simple=false")], [at("Readme.md"), at("Readme.md")]);
    // the names follow the default branch
    let bare = tree(&[("100644", b"a", text.id())]);
    let next = commit(2, &[1]).with(|commit| commit.tree = bare.id().to_owned());
    world.push(std::slice::from_ref(&next), &[]);
    let moved = json!({ "name": "refs/heads/master", "old": world.v4("GET", "/repository/commits/master").by(&world.ann).gives(200).json["id"], "new": next.sha });
    let swap = json!({ "default_branch": "master", "changes": [moved] });
    world.put("/mirror/refs").by(&world.ann).json(swap).gives(200);
    assert_eq!(told(&world.ann), nothing);
    world.send_objects(&[bare]);
    assert_eq!(told(&world.ann), nothing);
}

#[test]
fn an_external_guest_is_not_told_the_readme_or_license_of_an_internal_project() {
    let world = World::new(spec(), Visibility::Internal);
    let (text, guest) = (blob("text"), spec().person("Guest"));
    let root = tree(&["LICENSE", "README.md"].map(|name| ("100644", name.as_bytes(), text.id())));
    world.push_tree(&root, &[root.clone(), text]);
    let external = json!({ "external": true });
    spec().put(format!("/users/{}", guest.id)).by(&spec().root()).json(external).gives(200);
    let member = json!({ "user_id": guest.id, "access_level": 10 });
    spec().ask_v4("POST", world.at("/members")).by(&world.ann).json(member).gives(201);
    let told = |person: &Person| {
        let name = world.project.path.rsplit('/').next().unwrap();
        let get = |path: String| spec().ask_v4("GET", path).by(person).gives(200).json;
        let one = get(world.at("?license=true"));
        let [full, simple] =
            ["false", "true"].map(|simple| get(format!("/projects?search={name}&simple={simple}"))[0].clone());
        assert_eq!((&full["id"], &simple["id"]), (&one["id"], &one["id"]));
        [&one["readme_url"], &one["license_url"], &full["readme_url"], &simple["readme_url"]]
            .map(|address| !address.is_null())
    };
    assert_eq!(told(&spec().cast().eve), [true; 4], "a user who reads internal projects");
    assert_eq!(told(&guest), [false; 4]);
}

#[test]
fn projects_by_stars_or_similarity_are_by_id() {
    let pat = spec().person("Pat");
    let mut ids: Vec<i64> = (0..3).map(|_| spec().project(&pat, pat.id, Visibility::Private).id).collect();
    for sort in ["asc", "desc"] {
        for order in ["star_count", "similarity", "id"] {
            let found = listed(Some(&pat), &format!("/projects?owned=true&order_by={order}&sort={sort}"));
            assert_eq!(found, ids, "{order} {sort}");
        }
        ids.reverse();
    }
}

#[test]
fn an_external_guest_is_not_told_whether_an_internal_project_has_branches() {
    let (ann, guest) = (&spec().cast().ann, spec().person("Guest"));
    let external = json!({ "external": true });
    spec().put(format!("/users/{}", guest.id)).by(&spec().root()).json(external).gives(200);
    let named = json!({ "name": unique("named"), "visibility": "internal", "default_branch": "main" });
    let project = spec().ask_v4("POST", "/projects").by(ann).json(named).gives(201).json;
    let path = format!("/projects/{}", project["id"]);
    let member = json!({ "user_id": guest.id, "access_level": 10 });
    spec().ask_v4("POST", format!("{path}/members")).by(ann).json(member).gives(201);
    let is_empty = |person: &Person| {
        let list = format!("/projects?search={}", project["path"].as_str().unwrap());
        let listed = spec().ask_v4("GET", list).by(person).gives(200).json[0]["empty_repo"].clone();
        assert_eq!(spec().ask_v4("GET", &path).by(person).gives(200).json["empty_repo"], listed);
        listed
    };
    assert_eq!((is_empty(ann), is_empty(&spec().cast().eve)), (json!(true), json!(true)));
    assert_eq!(is_empty(&guest), json!(false), "as if there were some, because the guest may not read them");
}

/// A token of a project acts as a user of its own, who is a member of that project alone.
#[test]
fn the_project_of_a_token_is_the_one_that_its_user_is_a_member_of() {
    let world = World::new(spec(), Visibility::Private);
    for level in [20, 30] {
        let new = json!({ "name": "t", "scopes": ["api"], "access_level": level });
        let made = world.v4("POST", "/access_tokens").by(&world.ann).json(new).gives(201).json;
        let bot = Person { token: made["token"].as_str().unwrap().to_owned(), ..world.ann.clone() };
        let mine = |query: &str| listed(Some(&bot), &format!("/projects?{query}"));
        let own = [json!(world.project.id)];
        assert_eq!(mine("membership=true"), own);
        assert_eq!(mine("membership=true&order_by=name&simple=true&pagination=keyset"), own);
        assert_eq!(mine("membership=true&visibility=private"), own);
        assert_eq!(mine("membership=true&visibility=public"), [] as [Value; 0]);
        assert_eq!(mine("owned=true"), [] as [Value; 0]);
        assert_eq!(mine("min_access_level=30").len(), usize::from(level == 30));
        assert_eq!(mine(""), own);
        let listed = spec().ask_v4("GET", "/projects?membership=true").by(&bot).gives(200);
        assert_eq!(listed.header("X-Total"), Some("1"));
        let shown = world.v4("GET", "").by(&bot).gives(200).json;
        assert_eq!(listed.json[0]["permissions"], shown["permissions"]);
        assert_eq!(shown["permissions"]["project_access"]["access_level"], level);
        let found = mine(&format!("search_namespaces=true&search={}", world.project.path));
        assert_eq!((found.as_slice(), mine("search=nothing").len()), (own.as_slice(), 0));
        assert_eq!(mine("page=2").len(), 0);
        let next = mine(&format!("pagination=keyset&order_by=id&sort=asc&id_after={}", world.project.id));
        assert_eq!(next.len(), 0);
    }
    // none, once who made the token has left
    let max = spec().person("Max");
    world.admit(&max, 40);
    let new = json!({ "name": "t", "scopes": ["read_api"], "access_level": 30 });
    let made = world.v4("POST", "/access_tokens").by(&max).json(new).gives(201).json;
    let bot = Person { token: made["token"].as_str().unwrap().to_owned(), ..max.clone() };
    assert_eq!(listed(Some(&bot), "/projects").len(), 1);
    world.delete(&format!("/members/{}", max.id)).by(&world.ann).gives(200);
    assert_eq!(listed(Some(&bot), "/projects"), [] as [Value; 0]);
    assert_eq!(listed(Some(&bot), "/projects?membership=true"), [] as [Value; 0]);
}
