use super::{downloading, published, publishing};
use crate::support::v4::{archived, ask};
use crate::support::{Server, Visibility, World, now, spec};
use base64::prelude::{BASE64_STANDARD, Engine};
use edgeforge::Retention;
use edgeforge::quota::Quotas;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const DAY: i64 = 86_400_000;
const FIELDS: [&str; 22] = [
    "id",
    "package_id",
    "created_at",
    "updated_at",
    "size",
    "file_store",
    "file_md5",
    "file_sha1",
    "file_name",
    "file",
    "file_sha256",
    "verification_retry_at",
    "verified_at",
    "verification_failure",
    "verification_retry_count",
    "verification_checksum",
    "verification_state",
    "verification_started_at",
    "status",
    "file_final_path",
    "project_id",
    "new_file_path",
];

fn unauthorized() -> Value {
    json!({ "message": "401 Unauthorized" })
}

fn forbidden() -> Value {
    json!({ "message": "403 Forbidden" })
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn developers_publish_and_masters_delete() {
    for visibility in [Visibility::Private, Visibility::Public] {
        let world = World::new(spec(), visibility);
        publishing(&world, "n/1/f", b"x").refused(401, unauthorized());
        publishing(&world, "n/1/f", b"x").header("PRIVATE-TOKEN", "wrong").refused(401, unauthorized());
        let eve = publishing(&world, "n/1/f", b"x").by(&world.eve);
        eve.gives(if visibility == Visibility::Private { 404 } else { 403 });
        for person in [&world.gus, &world.rae] {
            publishing(&world, "n/1/f", b"x").by(person).refused(403, forbidden());
        }
        let file = published(&world, &world.bob, "n/1/f", b"x");
        let package = format!("/packages/{}", file["package_id"]);
        for path in [&package, &format!("{package}/package_files/{}", file["id"])] {
            ask(&world, "DELETE", path).refused(401, unauthorized());
            ask(&world, "DELETE", path).by(&world.bob).refused(403, forbidden());
        }
        ask(&world, "DELETE", &package).by(&world.ann).gives(204);
    }
}

#[test]
fn a_package_of_an_archived_project_is_only_read() {
    let world = World::new(spec(), Visibility::Private);
    let file = published(&world, &world.bob, "n/1/f", b"x");
    ask(&world, "POST", "/archive").by(&world.ann).gives(201);
    publishing(&world, "n/1/f", b"x").by(&world.ann).refused(403, archived());
    let package = format!("/packages/{}", file["package_id"]);
    for path in [&package, &format!("{package}/package_files/{}", file["id"])] {
        ask(&world, "DELETE", path).by(&world.ann).refused(403, archived());
    }
    downloading(&world, "n/1/f").by(&world.gus).gives(200);
}

#[test]
fn tokens_come_by_http_basic_on_these_routes_alone() {
    let world = World::new(spec(), Visibility::Private);
    let basic = |user: &str, token: &str| format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{token}")));
    let own = basic("anybody", &world.bob.token);
    publishing(&world, "n/1/f", b"x").header("Authorization", own.clone()).gives(201);
    for path in ["/packages", "/packages/generic/n/1/f"] {
        ask(&world, "GET", path).header("Authorization", own.clone()).gives(200);
        for wrong in [basic("bob", "wrong"), basic("bob", ""), "Basic !".to_owned(), "Basic ".to_owned()] {
            ask(&world, "GET", path).header("Authorization", wrong).refused(401, unauthorized());
        }
        for name in ["JOB-TOKEN", "DEPLOY-TOKEN"] {
            ask(&world, "GET", path).header(name, world.bob.token.clone()).refused(401, unauthorized());
        }
    }
    for path in ["", "/uploads", "/issues", "/releases"] {
        let status = ask(&world, "GET", path).header("Authorization", own.clone()).send().status;
        assert!([401, 404].contains(&status), "{path}: {status}");
    }
    let open = World::new(spec(), Visibility::Public);
    ask(&open, "GET", "/packages").gives(200);
    for wrong in [basic("bob", "wrong"), basic("bob", ""), "Basic !".to_owned()] {
        ask(&open, "GET", "/packages").header("Authorization", wrong).refused(401, unauthorized());
    }
    ask(&open, "GET", "/packages").header("DEPLOY-TOKEN", "x").refused(401, unauthorized());
}

#[test]
fn a_published_file_is_told_as_clients_read_it() {
    let world = World::new(spec(), Visibility::Private);
    publishing(&world, "n/1.0/f.txt", b"one").by(&world.bob).gives(201);
    let answer = publishing(&world, "n/1.0/f.txt", b"one").by(&world.bob).gives(201);
    assert_eq!(answer.json, json!({ "message": "201 Created" }));
    let file = published(&world, &world.bob, "my%2Bpkg/1.0/dir/f~1.txt", b"two");
    let names: Vec<&str> = file.as_object().unwrap().keys().map(String::as_str).collect();
    let mut wanted = FIELDS.to_vec();
    wanted.sort_unstable();
    assert_eq!(
        {
            let mut names = names;
            names.sort_unstable();
            names
        },
        wanted
    );
    let url =
        format!("{}/api/v4/projects/{}/packages/generic/my%2Bpkg/1.0/dir/f~1.txt", spec().origin, world.project.id);
    assert_eq!((&file["file"]["url"], &file["file_name"]), (&json!(url), &json!("dir/f~1.txt")));
    assert_eq!((&file["size"], &file["file_sha256"]), (&json!(3), &json!(hex(b"two"))));
    assert_eq!(
        (&file["project_id"], &file["file_store"], &file["verification_state"]),
        (&json!(world.project.id), &json!(1), &json!(0))
    );
}

#[test]
fn the_body_is_never_read_as_parameters() {
    let world = World::new(spec(), Visibility::Private);
    for kind in
        ["application/x-www-form-urlencoded", "application/json", "text/plain", "multipart/form-data; boundary=x", ""]
    {
        let body = "select=package_file&status=hidden&private_token=x&%zz{";
        let put = ask(&world, "PUT", "/packages/generic/n/1/f").by(&world.bob).body(kind, body);
        assert_eq!(put.gives(201).json, json!({ "message": "201 Created" }), "{kind}");
        assert_eq!(downloading(&world, "n/1/f").by(&world.gus).gives(200).text, body);
    }
    let listed = ask(&world, "GET", "/packages").by(&world.gus).gives(200);
    assert_eq!(listed.each("status"), ["default"]);
}

#[test]
fn wrong_names_and_parameters_are_refused() {
    let world = World::new(spec(), Visibility::Private);
    for (path, text) in [
        ("a%20b/1/f", "package_name is invalid"),
        ("n/1..2/f", "package_version is invalid"),
        ("n/1/a%20b", "file_name is invalid"),
        ("n/1/~f", "file_name is invalid"),
        ("n/1/%252e%252e/f", "file_name should be a valid file path"),
        ("n/1/x%2F..%2Ff", "file_name should be a valid file path"),
        ("n/1/f?status=x", "status does not have a valid value"),
        ("n/1/f?select=x", "select does not have a valid value"),
    ] {
        publishing(&world, path, b"x").by(&world.bob).refused(400, json!({ "error": text }));
    }
    let unknown = json!({ "error": "404 Not Found" });
    for path in ["n/1/f/authorize", "n/1/dir/f/authorize"] {
        publishing(&world, path, b"").by(&world.bob).refused(404, unknown.clone());
    }
    publishing(&world, "a%20b/1/f", b"x").by(&world.gus).refused(403, forbidden());
    publishing(&world, "n/1/authorize", b"x").by(&world.bob).gives(201);
}

#[test]
fn a_file_of_the_same_name_is_added_and_the_newest_is_served() {
    let world = World::new(spec(), Visibility::Private);
    let [one, two] = [b"one", b"two"].map(|bytes| published(&world, &world.bob, "n/1/f", bytes));
    assert_eq!(one["package_id"], two["package_id"]);
    assert_eq!(downloading(&world, "n/1/f").by(&world.gus).gives(200).text, "two");
    let other = published(&world, &world.bob, "n/2/f", b"other");
    assert_ne!(other["package_id"], one["package_id"]);
    let files = format!("/packages/{}/package_files", one["package_id"]);
    ask(&world, "DELETE", &format!("{files}/{}", two["id"])).by(&world.ann).gives(204);
    assert_eq!(downloading(&world, "n/1/f").by(&world.gus).gives(200).text, "one");
    let listed = ask(&world, "GET", &files).by(&world.gus).gives(200);
    assert_eq!(listed.each("id"), [one["id"].clone()]);
    ask(&world, "DELETE", &format!("{files}/{}", one["id"])).by(&world.ann).gives(204);
    assert_eq!(ask(&world, "GET", &files).by(&world.gus).gives(200).json, json!([]));
    downloading(&world, "n/1/f").by(&world.gus).gives(404);
    published(&world, &world.bob, "n/1/f", b"again");
}

#[test]
fn a_file_may_be_empty_and_not_too_long() {
    let world = World::new(spec(), Visibility::Private);
    let file = published(&world, &world.bob, "n/1/empty", b"");
    assert_eq!((&file["size"], &file["file_sha256"]), (&json!(0), &json!(hex(b""))));
    assert_eq!(downloading(&world, "n/1/empty").by(&world.gus).gives(200).text, "");
    if !spec().is_in_process() {
        return;
    }
    let quotas = Quotas { package_file_bytes: 10_000, ..Quotas::default() };
    let world = World::new(Server::with_objects(|config| config.quotas = quotas), Visibility::Private);
    publishing(&world, "n/1/f", &[b'x'; 10_000]).by(&world.bob).gives(201);
    let refused = json!({ "message": "400 Bad request - File is too large" });
    publishing(&world, "n/1/f", &[b'x'; 10_001]).by(&world.bob).refused(400, refused);
    assert_eq!(world.server.bucket().keys().len(), 1);
}

#[test]
fn a_project_without_room_takes_no_file() {
    if !spec().is_in_process() {
        return;
    }
    let quotas = Quotas { project_bytes: 50_000, ..Quotas::default() };
    let world = World::new(Server::with_objects(|config| config.quotas = quotas), Visibility::Private);
    let refused = json!({ "message": "507 Insufficient Storage: this project may have 50000 bytes" });
    publishing(&world, "n/1/f", &[b'x'; 50_000]).by(&world.bob).refused(507, refused);
    assert!(world.server.bucket().keys().is_empty());
    assert_eq!(ask(&world, "GET", "/packages").by(&world.gus).gives(200).json, json!([]));
}

#[test]
fn a_deleted_package_loses_its_files_and_their_objects() {
    let world = World::new(spec(), Visibility::Private);
    let file = published(&world, &world.bob, "n/1/f", b"x");
    published(&world, &world.bob, "n/1/g", b"y");
    let package = format!("/packages/{}", file["package_id"]);
    ask(&world, "DELETE", &package).by(&world.ann).gives(204);
    for path in [&package, &format!("{package}/package_files")] {
        ask(&world, "GET", path).by(&world.ann).refused(404, json!({ "message": "404 Not found" }));
    }
    ask(&world, "DELETE", &package).by(&world.ann).refused(404, json!({ "message": "404 Not found" }));
    downloading(&world, "n/1/f").by(&world.gus).gives(404);
    if !spec().is_in_process() {
        return;
    }
    let retention = Retention { deleted_projects: 30, ..Retention::default() };
    let world = World::new(Server::with_objects(|config| config.retention = retention), Visibility::Private);
    let file = published(&world, &world.bob, "n/1/f", b"x");
    published(&world, &world.bob, "n/2/f", b"y");
    ask(&world, "DELETE", &format!("/packages/{}", file["package_id"])).by(&world.ann).gives(204);
    world.server.sweep(now() + DAY).unwrap();
    assert_eq!(world.server.bucket().keys().len(), 1);
    world.delete("").by(&world.ann).gives(200);
    while world.server.sweep(now() + 31 * DAY).unwrap().unfinished {}
    assert!(world.server.bucket().keys().is_empty());
    assert!(world.server.rows("select json_quote(name) as v from packages").is_empty());
    assert!(world.server.rows("select json_quote(file_name) as v from package_files").is_empty());
}

#[test]
fn a_package_of_many_files_is_deleted_in_chunks() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with_objects(|_| {}), Visibility::Private);
    let file = published(&world, &world.bob, "n/1/f", b"x");
    let (package, project) = (&file["package_id"], world.project.id);
    world.server.tamper(&format!(
        "insert into package_files (package_id, project_id, file_name, object, size, sha256, created_at)
        select {package}, {project}, 'f', printf('%032x', value), 1, printf('%064x', value), 1
        from (with recursive n (value) as (select 1 union all select value + 1 from n where value < 1200) select value from n)"
    ));
    ask(&world, "DELETE", &format!("/packages/{package}")).by(&world.ann).gives(204);
    assert!(world.server.rows("select json_quote(id) as v from package_files").is_empty());
    ask(&world, "GET", &format!("/packages/{package}")).by(&world.ann).gives(404);
}

#[test]
fn bytes_of_packages_count_in_the_project_and_its_statistics() {
    let world = World::new(spec(), Visibility::Private);
    let bytes = || world.get("/mirror").by(&world.ann).gives(200).json["bytes"].as_i64().unwrap();
    let size = || {
        let project = world.v4("GET", "?statistics=true").by(&world.rae).gives(200).json;
        project["statistics"]["packages_size"].as_i64().unwrap()
    };
    let before = bytes();
    let file = published(&world, &world.bob, "n/1/f", &[b'x'; 1000]);
    assert_eq!((bytes() - before, size()), (1000 + 402 + 307, 1000));
    ask(&world, "DELETE", &format!("/packages/{}", file["package_id"])).by(&world.ann).gives(204);
    assert_eq!((bytes(), size()), (before, 0));
}
