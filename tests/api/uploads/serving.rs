use super::{address, is_sealed, uploaded};
use crate::support::v4::ask;
use crate::support::{Dice, Visibility, World, spec};
use serde_json::{Value, json};

fn not_found() -> Value {
    json!({ "message": "404 Not found" })
}

#[test]
fn an_upload_is_read_by_all_who_see_the_project_and_managed_by_masters() {
    let world = World::new(spec(), Visibility::Private);
    let made = uploaded(&world, &world.gus, "a.txt", b"text");
    let (by_id, by_address) = (format!("/uploads/{}", made["id"]), address(&made));
    for (person, path) in [(&world.gus, &by_address), (&world.ann, &by_address), (&world.ann, &by_id)] {
        assert_eq!(ask(&world, "GET", path).by(person).gives(200).text, "text");
    }
    let open = World::new(spec(), Visibility::Public);
    let made = uploaded(&open, &open.eve, "a.txt", b"open");
    assert_eq!(ask(&open, "GET", &address(&made)).gives(200).text, "open");
    ask(&open, "GET", &address(&made)).header("PRIVATE-TOKEN", "wrong").gives(401);
}

#[test]
fn a_wrong_id_secret_or_name_is_404_alike() {
    let (world, other) = (World::new(spec(), Visibility::Private), World::new(spec(), Visibility::Private));
    let made = uploaded(&world, &world.gus, "a.txt", b"text");
    let theirs = uploaded(&other, &other.gus, "a.txt", b"theirs");
    let own = address(&made);
    let secret = own.split('/').nth(2).unwrap();
    let wrong = [
        format!("/uploads/{}/a.txt", "0".repeat(32)),
        format!("/uploads/{}/a.txt", secret.to_uppercase() + "0"),
        format!("/uploads/{secret}/b.txt"),
        format!("/uploads/{secret}/a.tx"),
        "/uploads/x/a.txt".to_owned(),
        address(&theirs),
    ];
    for path in &wrong {
        for verb in ["GET", "DELETE"] {
            ask(&world, verb, path).by(&world.ann).refused(404, not_found());
        }
    }
    for id in [theirs["id"].to_string(), "0".to_owned(), "x".to_owned(), "99999999".to_owned()] {
        for verb in ["GET", "DELETE"] {
            ask(&world, verb, &format!("/uploads/{id}")).by(&world.ann).refused(404, not_found());
        }
    }
    ask(&world, "GET", &own).by(&world.gus).gives(200);
    ask(&other, "GET", &address(&theirs)).by(&other.gus).gives(200);
}

#[test]
fn uploads_are_listed_the_newest_first() {
    let world = World::new(spec(), Visibility::Private);
    for name in ["a.txt", "b.txt", "c.txt"] {
        uploaded(&world, &world.gus, name, name.as_bytes());
    }
    let list = ask(&world, "GET", "/uploads?per_page=2").by(&world.ann).gives(200);
    assert_eq!(list.each("filename"), ["c.txt", "b.txt"]);
    assert_eq!((list.header("X-Total"), list.header("X-Next-Page")), (Some("3"), Some("2")));
    let first = &list.json[0];
    let gus = json!({ "id": world.gus.id, "name": world.gus.name, "username": world.gus.username });
    assert_eq!((&first["size"], &first["uploaded_by"]), (&json!(5), &gus));
    assert!(first.get("secret").is_none() && first.get("url").is_none());
    let next = world.server.ask_v4("GET", list.next().unwrap()).by(&world.ann).gives(200);
    assert_eq!((next.each("filename"), next.next()), (vec![json!("a.txt")], None));
}

#[test]
fn no_upload_runs_in_a_browser() {
    let world = World::new(spec(), Visibility::Public);
    for (name, bytes, kind, disposition) in [
        (
            "a.svg",
            &b"<svg onload='x()'/>"[..],
            "application/octet-stream",
            "attachment; filename=\"a.svg\"; filename*=UTF-8''a.svg",
        ),
        ("a.html", b"<script>", "application/octet-stream", "attachment; filename=\"a.html\"; filename*=UTF-8''a.html"),
        ("a.png", b"<script>", "image/png", "inline"),
        ("a.mp4", b"x", "video/mp4", "inline"),
        ("ü.txt", b"\xff", "text/plain; charset=utf-8", "attachment; filename=\"_.txt\"; filename*=UTF-8''%C3%BC.txt"),
        ("a.pdf", b"%PDF", "application/pdf", "attachment; filename=\"a.pdf\"; filename*=UTF-8''a.pdf"),
        ("noend", b"x", "application/octet-stream", "attachment; filename=\"noend\"; filename*=UTF-8''noend"),
    ] {
        let made = uploaded(&world, &world.eve, name, bytes);
        let path = address(&made).replace('ü', "%C3%BC");
        let answer = ask(&world, "GET", &path).gives(200);
        is_sealed(&answer);
        assert_eq!(answer.header("Content-Type"), Some(kind), "{name}");
        assert_eq!(answer.header("Content-Disposition"), Some(disposition), "{name}");
        assert_eq!(answer.header("Cache-Control"), Some("private, no-store"), "{name}");
        assert_eq!(answer.header("Content-Encoding"), None, "{name}");
        assert!(answer.bytes == bytes, "{name}");
    }
}

#[test]
fn parts_of_an_upload_are_sent_and_head_has_no_body() {
    let world = World::new(spec(), Visibility::Private);
    let made = uploaded(&world, &world.gus, "a.bin", b"0123456789");
    let get = |range: &str| ask(&world, "GET", &address(&made)).by(&world.gus).header("Range", range);
    for (range, text, told) in [
        ("bytes=0-3", "0123", "bytes 0-3/10"),
        ("bytes=7-", "789", "bytes 7-9/10"),
        ("bytes=-2", "89", "bytes 8-9/10"),
        ("bytes=9-99", "9", "bytes 9-9/10"),
    ] {
        let part = get(range).gives(206);
        assert_eq!((part.text.as_str(), part.header("Content-Range")), (text, Some(told)), "{range}");
        assert_eq!(part.header("Content-Length"), Some(text.len().to_string().as_str()));
    }
    assert_eq!(get("bytes=10-").gives(416).header("Content-Range"), Some("bytes */10"));
    for range in ["bytes=0-1,3-4", "lines=1-2", "bytes=x-", "bytes=3-1"] {
        assert_eq!(get(range).gives(200).text, "0123456789", "{range}");
    }
    let whole = get("").gives(200);
    let tag = whole.header("ETag").unwrap();
    assert_eq!(get("bytes=0-3").header("If-Range", tag).gives(206).text, "0123");
    assert_eq!(get("bytes=0-3").header("If-Range", "\"other\"").gives(200).text, "0123456789");
    let head = ask(&world, "HEAD", &address(&made)).by(&world.gus).gives(200);
    assert_eq!((head.header("Content-Length"), head.header("Accept-Ranges")), (Some("10"), Some("bytes")));
    ask(&world, "GET", &address(&made)).by(&world.gus).header("If-None-Match", tag).gives(304);
    let empty = uploaded(&world, &world.gus, "empty.txt", b"");
    assert_eq!(ask(&world, "GET", &address(&empty)).by(&world.gus).gives(200).text, "");
}

#[test]
fn addresses_outside_of_the_api_lead_to_uploads() {
    let world = World::new(spec(), Visibility::Private);
    let made = uploaded(&world, &world.gus, "a.json", b"{}");
    let (path, full) = (&world.project.path, made["full_path"].as_str().unwrap());
    let addresses = [
        full.to_owned(),
        format!("/{full}"),
        format!("/{path}{}", address(&made)),
        format!("/{path}/-{}", address(&made)),
    ];
    for at in &addresses {
        assert_eq!(spec().ask_at("GET", at).by(&world.gus).gives(200).text, "{}", "{at}");
        let bearer = format!("Bearer {}", world.gus.token);
        is_sealed(&spec().ask_at("HEAD", at).header("Authorization", bearer).gives(200));
        assert_eq!(spec().ask_at("GET", format!("{at}?private_token={}", world.gus.token)).gives(200).text, "{}");
        spec().ask_at("GET", at).refused(404, json!({ "message": "404 Project Not Found" }));
        spec().ask_at("GET", at).by(&world.eve).refused(404, json!({ "message": "404 Project Not Found" }));
        spec().ask_at("DELETE", at).by(&world.ann).gives(404);
        assert_eq!(spec().ask_at("GET", at).by(&world.gus).gives(200).header("Set-Cookie"), None);
    }
    let wrong = addresses[0].replace("a.json", "b.json");
    spec().ask_at("GET", &wrong).by(&world.gus).refused(404, not_found());
}

#[test]
fn a_long_upload_comes_and_goes_in_parts() {
    let world = World::new(spec(), Visibility::Private);
    let mut dice = Dice(3);
    // with every beginning of the boundary
    let mut bytes: Vec<u8> = (0..(11 << 18)).flat_map(|_| dice.number().to_le_bytes()[..3].to_vec()).collect();
    bytes.extend_from_slice(b"\r\n--xX\r\n--x");
    let made = uploaded(&world, &world.gus, "long.bin", &bytes);
    let whole = ask(&world, "GET", &address(&made)).by(&world.gus).gives(200);
    assert!(whole.bytes == bytes);
    let at = 5 << 20;
    let part = ask(&world, "GET", &address(&made)).by(&world.gus);
    let part = part.header("Range", format!("bytes={}-{}", at - 3, at + 3)).gives(206);
    assert!(part.bytes == bytes[at - 3..=at + 3]);
}

#[test]
fn a_lost_object_is_404() {
    if !spec().is_in_process() {
        return;
    }
    let world = World::new(crate::support::Server::with_objects(|_| {}), Visibility::Private);
    let made = uploaded(&world, &world.gus, "a.txt", b"x");
    let keys = world.server.bucket().keys();
    assert!(world.server.bucket().lose(&keys[0]));
    let answer = ask(&world, "GET", &address(&made)).by(&world.gus).gives(404);
    assert_eq!(answer.json, not_found());
    assert!(answer.cause().unwrap().contains("is lost"));
}
