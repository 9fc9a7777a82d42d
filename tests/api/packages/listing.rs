use super::{downloading, published, publishing};
use crate::support::v4::{ask, names};
use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

fn world() -> World {
    let world = World::new(spec(), Visibility::Private);
    for path in ["b/2/f", "a/3/f", "Bc/1/f"] {
        published(&world, &world.bob, path, b"x");
    }
    publishing(&world, "secret/9/f?status=hidden", b"x").by(&world.bob).gives(201);
    world
}

fn listed(world: &World, query: &str) -> Vec<String> {
    let (mut found, mut next) = (Vec::new(), Some(format!("/projects/{}/packages{query}", world.project.id)));
    while let Some(path) = next {
        let page = world.server.ask_v4("GET", path).by(&world.gus).gives(200);
        found.extend(page.each("name").iter().map(|name| name.as_str().unwrap().to_owned()));
        next = page.next();
    }
    found
}

#[test]
fn a_package_has_its_fields_and_who_may_delete_it_their_address() {
    let world = world();
    let list = ask(&world, "GET", "/packages").by(&world.gus).gives(200);
    let first = &list.json[0];
    assert_eq!(names(first), "_links created_at id last_downloaded_at name package_type status tags version");
    assert_eq!(
        (&first["name"], &first["version"], &first["package_type"]),
        (&json!("b"), &json!("2"), &json!("generic"))
    );
    let path = format!("/packages/{}", first["id"]);
    assert_eq!(first["_links"], json!({ "web_path": format!("/{}/-{path}", world.project.path) }));
    let own = ask(&world, "GET", &path).by(&world.ann).gives(200).json;
    let api = format!("{}/api/v4/projects/{}{path}", spec().origin, world.project.id);
    assert_eq!(own["_links"]["delete_api_path"], api);
    assert_eq!(list.header("X-Total"), Some("3"));
}

#[test]
fn packages_are_listed_in_every_order() {
    let world = world();
    for (query, wanted) in [
        ("", ["b", "a", "Bc"]),
        ("?sort=desc", ["Bc", "a", "b"]),
        ("?order_by=type", ["b", "a", "Bc"]),
        ("?order_by=name", ["Bc", "a", "b"]),
        ("?order_by=name&sort=desc", ["b", "a", "Bc"]),
        ("?order_by=version", ["Bc", "b", "a"]),
        ("?order_by=version&sort=desc", ["a", "b", "Bc"]),
    ] {
        assert_eq!(listed(&world, query), wanted, "{query}");
        let paged = format!("{query}{}per_page=1", if query.is_empty() { "?" } else { "&" });
        assert_eq!(listed(&world, &paged), wanted, "{paged}");
    }
}

#[test]
fn packages_are_found_by_name_version_type_and_status() {
    let world = world();
    for (query, wanted) in [
        ("?package_name=b", &["b", "Bc"][..]),
        ("?package_name=C", &["Bc"]),
        ("?package_name=x", &[]),
        ("?package_name=%25", &[]),
        ("?package_version=3", &["a"]),
        ("?package_version=", &["b", "a", "Bc"]),
        ("?package_type=generic", &["b", "a", "Bc"]),
        ("?package_type=npm", &[]),
        ("?status=hidden", &["secret"]),
        ("?status=default", &["b", "a", "Bc"]),
        ("?status=error", &[]),
    ] {
        assert_eq!(listed(&world, query), wanted, "{query}");
    }
    for name in ["package_type", "order_by", "sort", "status"] {
        let text = format!("{name} does not have a valid value");
        let asked = ask(&world, "GET", &format!("/packages?{name}=x")).by(&world.gus);
        asked.refused(400, json!({ "error": text }));
    }
    downloading(&world, "secret/9/f").by(&world.gus).gives(200);
    publishing(&world, "secret/9/g?status=default", b"x").by(&world.bob).gives(201);
    assert_eq!(listed(&world, "?package_name=secret"), ["secret"]);
    publishing(&world, "secret/9/g", b"x").by(&world.bob).gives(201);
    assert_eq!(listed(&world, "?package_name=secret"), ["secret"]);
}

#[test]
fn files_of_a_package_are_listed_the_oldest_first() {
    let world = World::new(spec(), Visibility::Private);
    let first = published(&world, &world.bob, "n/1/a", b"x");
    for path in ["n/1/b", "n/1/dir/c", "n/2/d"] {
        published(&world, &world.bob, path, b"xy");
    }
    let files = format!("/packages/{}/package_files", first["package_id"]);
    let page = ask(&world, "GET", &format!("{files}?per_page=2")).by(&world.gus).gives(200);
    assert_eq!(page.each("file_name"), ["a", "b"]);
    assert_eq!(page.header("X-Total"), Some("3"));
    let next = world.server.ask_v4("GET", page.next().unwrap()).by(&world.gus).gives(200);
    assert_eq!(next.each("file_name"), ["dir/c"]);
    assert_eq!(names(&page.json[0]), "created_at file_md5 file_name file_sha1 file_sha256 id package_id size");
}

#[test]
fn a_group_lists_the_packages_of_the_projects_that_the_caller_sees() {
    let group = World::group_of_its_own(spec());
    let [world, open] = [Visibility::Private, Visibility::Public].map(|of| World::within(spec(), group, of));
    published(&world, &world.bob, "tool/1.0/a", b"a");
    published(&open, &open.ann, "kit/2.0/a", b"a");
    published(&world, &world.bob, "tool/3.0/a", b"a");
    publishing(&world, "dark/3.0/a?status=hidden", b"a").by(&world.bob).gives(201);
    let list = |query: &str| spec().ask_v4("GET", format!("/groups/{group}/packages?{query}"));
    let versions = |query: &str| list(query).by(&world.ann).gives(200).each("version");
    assert_eq!(versions(""), ["1.0", "2.0", "3.0"]);
    assert_eq!(versions("sort=desc"), ["3.0", "2.0", "1.0"]);
    assert_eq!(versions("order_by=name"), ["2.0", "1.0", "3.0"]);
    assert_eq!(versions("order_by=version&sort=desc&package_name=TOO"), ["3.0", "1.0"]);
    let by_path = if world.project.path < open.project.path { ["1.0", "3.0", "2.0"] } else { ["2.0", "1.0", "3.0"] };
    assert_eq!(versions("order_by=project_path"), by_path);
    let mut turned = by_path;
    turned.reverse();
    assert_eq!(versions("order_by=project_path&sort=desc"), turned);
    let first = list("order_by=project_path&per_page=1").by(&world.ann).gives(200);
    assert_eq!(world.next_of(&first).each("version"), [by_path[1]]);
    assert_eq!(versions("package_version=2.0"), ["2.0"]);
    assert_eq!(list("status=hidden").by(&world.ann).gives(200).each("name"), ["dark"]);
    assert_eq!(versions("package_type=npm"), Vec::<Value>::new());
    let first = list("order_by=name&per_page=1").by(&world.ann).gives(200);
    assert_eq!(world.next_of(&first).each("version"), ["1.0"]);
    let mut single = ask(&open, "GET", &format!("/packages/{}", first.json[0]["id"])).by(&open.ann).gives(200).json;
    single["project_id"] = json!(open.project.id);
    single["project_path"] = json!(open.project.path);
    assert_eq!(first.json[0], single);
    assert_eq!(list("").by(&world.eve).gives(200).each("version"), ["2.0"]);
    assert_eq!(list("").by(&world.gus).gives(200).each("version"), ["1.0", "2.0", "3.0"]);
}
