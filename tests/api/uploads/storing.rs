use super::{FORM, address, form, uploaded, uploading};
use crate::support::v4::{archived, ask, names};
use crate::support::{Server, Visibility, World, apart, default_settings, now, spec};
use edgeforge::Retention;
use edgeforge::quota::Quotas;
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const DAY: i64 = 86_400_000;

#[test]
fn all_who_see_a_project_with_a_token_upload_to_it() {
    let world = World::new(spec(), Visibility::Private);
    uploaded(&world, &world.gus, "a.txt", b"x");
    for visibility in [Visibility::Internal, Visibility::Public] {
        let open = World::new(spec(), visibility);
        uploading(&open, "a.txt", b"x").gives(401);
        uploaded(&open, &open.eve, "a.txt", b"x");
    }
}

#[test]
fn an_upload_has_the_addresses_that_clients_read() {
    let world = World::new(spec(), Visibility::Private);
    let made = uploaded(&world, &world.gus, "dk.png", b"\x89PNG");
    assert_eq!(names(&made), "alt full_path id markdown url");
    let secret = made["url"].as_str().unwrap().split('/').nth(2).unwrap();
    assert!(secret.len() == 32 && secret.bytes().all(|digit| digit.is_ascii_hexdigit()), "{secret}");
    let url = format!("/uploads/{secret}/dk.png");
    assert_eq!((&made["url"], &made["alt"]), (&json!(url), &json!("dk")));
    assert_eq!(made["full_path"], format!("/-/project/{}{url}", world.project.id));
    assert_eq!(made["markdown"], format!("![dk]({url})"));
    let other = uploaded(&world, &world.gus, "dk.png", b"\x89PNG");
    assert_ne!(other["url"], made["url"]);
    let odd = uploaded(&world, &world.gus, "C:\\x\\a b]<i>.txt", b"x");
    assert_eq!(odd["alt"], "a_b__i_.txt");
}

#[test]
fn a_form_without_a_file_is_refused() {
    let world = World::new(spec(), Visibility::Private);
    let post = || ask(&world, "POST", "/uploads").by(&world.gus);
    let missing = json!({ "error": "file is missing" });
    let invalid = json!({ "error": "file is invalid" });
    post().refused(400, missing.clone());
    post().json(json!({ "a": "b" })).refused(400, missing.clone());
    post().multipart(&[("other", "x")]).refused(400, missing);
    post().multipart(&[("file", "x")]).refused(400, invalid.clone());
    post().body(FORM, form("", b"x")).refused(400, invalid.clone());
    post().body(FORM, form(&"x".repeat(256), b"x")).refused(400, invalid);
    post().body(FORM, "no form at all").gives(400);
    let whole = form("a.txt", b"text");
    post().body(FORM, whole[..whole.len() - 8].to_vec()).gives(400);
}

#[test]
fn an_archived_project_takes_no_upload_and_loses_none() {
    let world = World::new(spec(), Visibility::Private);
    let made = uploaded(&world, &world.gus, "a.txt", b"x");
    ask(&world, "POST", "/archive").by(&world.ann).gives(201);
    uploading(&world, "a.txt", b"x").by(&world.ann).refused(403, archived());
    ask(&world, "DELETE", &format!("/uploads/{}", made["id"])).by(&world.ann).refused(403, archived());
    ask(&world, "DELETE", &address(&made)).by(&world.ann).refused(403, archived());
    ask(&world, "GET", &address(&made)).by(&world.gus).gives(200);
}

#[test]
fn an_upload_is_not_longer_than_the_setting() {
    let apart = apart();
    let server = if spec().is_in_process() { Server::with_objects(|_| {}) } else { apart.server };
    let world = World::new(server, Visibility::Private);
    let mut settings = default_settings();
    settings["max_attachment_size"] = json!(1);
    server.put("/application/settings").by(&world.root).json(settings).gives(200);
    uploading(&world, "a.bin", &vec![b'x'; 1 << 20]).by(&world.gus).gives(201);
    let refused = json!({ "message": "413 Request Entity Too Large" });
    for more in [1, 200 << 10] {
        uploading(&world, "a.bin", &vec![b'x'; (1 << 20) + more]).by(&world.gus).refused(413, refused.clone());
    }
}

#[test]
fn an_upload_over_the_quota_is_403_and_stores_no_row() {
    if !spec().is_in_process() {
        return;
    }
    let quotas = Quotas { project_bytes: 50_000, ..Quotas::default() };
    let world = World::new(Server::with_objects(|config| config.quotas = quotas), Visibility::Private);
    let refused = json!({ "message": "403 Forbidden - upload quota exceeded" });
    uploading(&world, "a.bin", &vec![b'x'; 50_000]).by(&world.gus).refused(403, refused.clone());
    assert!(world.server.bucket().keys().is_empty());
    uploaded(&world, &world.gus, "a.bin", &[b'x'; 30_000]);
    uploading(&world, "a.bin", &[b'x'; 30_000]).by(&world.gus).refused(403, refused);
    assert_eq!(world.server.rows("select json_array(count(*)) as v from uploads"), [json!([1])]);
    assert_eq!(world.server.bucket().keys().len(), 1);
}

#[test]
fn bytes_of_uploads_count_in_the_project_and_its_statistics() {
    let world = World::new(spec(), Visibility::Private);
    let bytes = || world.get("/mirror").by(&world.ann).gives(200).json["bytes"].as_i64().unwrap();
    let sizes = || {
        let project = world.v4("GET", "?statistics=true").by(&world.rae).gives(200).json;
        let of = |name: &str| project["statistics"][name].as_i64().unwrap();
        (of("uploads_size"), of("packages_size"), of("storage_size"))
    };
    let before = bytes();
    let made = uploaded(&world, &world.gus, "a.txt", &[b'x'; 1000]);
    assert_eq!((bytes() - before, sizes()), (1000 + 400 + 5, (1000, 0, 1000)));
    ask(&world, "DELETE", &address(&made)).by(&world.ann).gives(204);
    assert_eq!((bytes(), sizes()), (before, (0, 0, 0)));
}

#[test]
fn an_object_without_a_row_goes_and_so_does_one_whose_row_was_deleted() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with_objects(|_| {}), Visibility::Private);
    let [kept, deleted] = ["a.txt", "b.txt"].map(|name| uploaded(&world, &world.gus, name, name.as_bytes()));
    let stray = world.server.bucket().keys()[0].rsplit_once('/').unwrap().0.to_owned() + "/" + &"0".repeat(32);
    world.server.bucket().plant(&stray, now());
    world.server.sweep(now() + DAY).unwrap();
    assert_eq!(world.server.bucket().keys().len(), 2);
    ask(&world, "DELETE", &format!("/uploads/{}", deleted["id"])).by(&world.ann).gives(204);
    ask(&world, "GET", &address(&deleted)).by(&world.ann).gives(404);
    world.server.sweep(now() + DAY).unwrap();
    assert_eq!(world.server.bucket().keys().len(), 1);
    assert_eq!(ask(&world, "GET", &address(&kept)).by(&world.gus).gives(200).text, "a.txt");
}

#[test]
fn uploads_of_a_deleted_project_go_with_it() {
    if !spec().is_in_process() {
        return;
    }
    let retention = Retention { deleted_projects: 30, ..Retention::default() };
    let world = World::new(Server::with_objects(|config| config.retention = retention), Visibility::Private);
    let made = uploaded(&world, &world.gus, "a.txt", b"x");
    world.delete("").by(&world.ann).gives(200);
    ask(&world, "GET", &address(&made)).by(&world.ann).gives(404);
    world.server.sweep(now() + DAY).unwrap();
    assert_eq!(world.server.bucket().keys().len(), 1);
    while world.server.sweep(now() + 31 * DAY).unwrap().unfinished {}
    assert!(world.server.bucket().keys().is_empty());
    assert!(world.server.rows("select json_quote(secret) as v from uploads").is_empty());
}

#[test]
fn a_copy_of_the_database_reads_the_uploads_of_its_original_and_removes_none() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with_objects(|_| {}), Visibility::Private);
    let old = uploaded(&world, &world.gus, "old.txt", b"old");
    world.server.tamper("update object_sweeps set own = '0123456789abcdef'");
    let new = uploaded(&world, &world.gus, "new.txt", b"new");
    world.server.sweep(now() + DAY).unwrap();
    for (upload, text) in [(&old, "old"), (&new, "new")] {
        assert_eq!(ask(&world, "GET", &address(upload)).by(&world.gus).gives(200).text, text);
        ask(&world, "DELETE", &address(upload)).by(&world.ann).gives(204);
    }
    world.server.sweep(now() + DAY).unwrap();
    assert_eq!(world.server.bucket().keys().len(), 1, "the original's object stays");
}

#[test]
fn without_an_object_store_uploads_are_off() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with(|_| {}), Visibility::Private);
    let text = json!({ "message": "501 Not Implemented - this server has no store for files" });
    uploading(&world, "a.txt", b"x").by(&world.gus).refused(501, text);
    assert_eq!(ask(&world, "GET", "/uploads").by(&world.ann).gives(200).json, json!([]));
}

#[test]
fn a_store_that_fails_leaves_no_row() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(Server::with_objects(|_| {}), Visibility::Private);
    world.server.bucket().break_after(Some(0));
    uploading(&world, "a.txt", b"x").by(&world.gus).gives(503);
    world.server.bucket().break_after(None);
    assert!(world.server.rows("select json_quote(secret) as v from uploads").is_empty());
    uploaded(&world, &world.gus, "a.txt", b"x");
}

/// Only a runtime has a clock that ends a body.
#[test]
fn a_body_that_stalls_ends_after_twenty_seconds() {
    if spec().is_in_process() {
        return;
    }
    let world = World::new(spec(), Visibility::Private);
    let host = spec().origin.trim_start_matches("http://");
    let begin = |path: &str, headers: &str, body: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let (id, token) = (world.project.id, &world.ann.token);
        write!(
            stream,
            "POST /api/v4/projects/{id}/{path} HTTP/1.1\r\nHost: {host}\r\nPRIVATE-TOKEN: {token}\r\n{headers}\r\n\r\n{body}"
        )
        .unwrap();
        stream
    };
    let form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nabc";
    let json = "Content-Type: application/json\r\nTransfer-Encoding: chunked";
    let begun = [
        begin("uploads", "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000", form),
        begin("issues", json, "5\r\n{\"tit\r\n"),
        begin("mirror/commits", json, "5\r\n{\"com\r\n"),
        begin("issues", "Content-Type: application/json\r\nContent-Length: 100", "{\"tit"),
        begin("mirror/commits", "Content-Type: application/json\r\nContent-Length: 3000000", "{\"com"),
        begin("mirror/objects", "Content-Length: 100000", "blob"),
    ];
    for mut stream in begun {
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(String::from_utf8_lossy(&answer), "HTTP/1.1 408");
    }
}

#[test]
fn an_upload_that_is_sent_again_is_another_one() {
    let world = World::new(spec(), Visibility::Private);
    let post = || uploading(&world, "a.txt", b"x").by(&world.bob).header("Idempotency-Key", "once").gives(201);
    assert_ne!(post().json["url"], post().json["url"]);
}
