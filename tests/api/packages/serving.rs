use super::{downloading, published};
use crate::support::v4::ask;
use crate::support::{Visibility, World, spec};
use serde_json::{Value, json};

fn not_found() -> Value {
    json!({ "message": "404 Not found" })
}

#[test]
fn packages_are_read_by_guests_and_a_private_project_is_401_without_a_token() {
    let world = World::new(spec(), Visibility::Private);
    let file = published(&world, &world.bob, "n/1/f", b"x");
    let package = format!("/packages/{}", file["package_id"]);
    let paths = [
        "/packages".to_owned(),
        package.clone(),
        format!("{package}/package_files"),
        "/packages/generic/n/1/f".to_owned(),
    ];
    for path in &paths {
        ask(&world, "GET", path).by(&world.gus).gives(200);
    }
    let internal = World::new(spec(), Visibility::Internal);
    ask(&internal, "GET", "/packages").gives(401);
    ask(&internal, "GET", "/packages").by(&internal.eve).gives(200);
    let open = World::new(spec(), Visibility::Public);
    published(&open, &open.bob, "n/1/f", b"open");
    assert_eq!(downloading(&open, "n/1/f").gives(200).text, "open");
    downloading(&open, "n/1/f").header("PRIVATE-TOKEN", "wrong").gives(401);
}

#[test]
fn a_file_is_sent_with_its_sum_and_never_shown() {
    let world = World::new(spec(), Visibility::Private);
    let file = published(&world, &world.bob, "n/1/dir/a.html", b"<script>x()</script>");
    let answer = downloading(&world, "n/1/dir/a.html").by(&world.gus).gives(200);
    assert_eq!(answer.text, "<script>x()</script>");
    assert_eq!(answer.header("Content-Type"), Some("application/octet-stream"));
    assert_eq!(answer.header("Content-Disposition"), Some("attachment; filename=\"a.html\"; filename*=UTF-8''a.html"));
    assert_eq!(answer.header("X-Checksum-SHA256"), file["file_sha256"].as_str());
    let head = ask(&world, "HEAD", "/packages/generic/n/1/dir%2Fa.html").by(&world.gus).gives(200);
    assert_eq!(
        (head.header("Content-Length"), head.header("X-Checksum-SHA256")),
        (Some("20"), file["file_sha256"].as_str())
    );
    let part = downloading(&world, "n/1/dir/a.html").by(&world.gus).header("Range", "bytes=1-6").gives(206);
    assert_eq!((part.text.as_str(), part.header("Content-Range")), ("script", Some("bytes 1-6/20")));
}

#[test]
fn a_name_that_ends_like_a_format_is_kept() {
    let world = World::new(spec(), Visibility::Private);
    published(&world, &world.bob, "n/1/manifest.json", b"[1]");
    assert_eq!(downloading(&world, "n/1/manifest.json").by(&world.gus).gives(200).text, "[1]");
    downloading(&world, "n/1/manifest").by(&world.gus).refused(404, not_found());
}

#[test]
fn a_file_of_another_project_is_absent() {
    let (world, other) = (World::new(spec(), Visibility::Private), World::new(spec(), Visibility::Private));
    let theirs = published(&other, &other.bob, "n/1/f", b"theirs");
    let own = published(&world, &world.bob, "m/1/f", b"own");
    downloading(&world, "n/1/f").by(&world.bob).refused(404, not_found());
    let (package, file) = (&theirs["package_id"], &theirs["id"]);
    for path in [
        format!("/packages/{package}"),
        format!("/packages/{package}/package_files"),
        "/packages/0".to_owned(),
        "/packages/x".to_owned(),
    ] {
        ask(&world, "GET", &path).by(&world.ann).refused(404, not_found());
    }
    for path in [
        format!("/packages/{package}"),
        format!("/packages/{package}/package_files/{file}"),
        format!("/packages/{}/package_files/{file}", own["package_id"]),
        format!("/packages/{package}/package_files/{}", own["id"]),
    ] {
        ask(&world, "DELETE", &path).by(&world.ann).refused(404, not_found());
    }
    downloading(&other, "n/1/f").by(&other.gus).gives(200);
    for path in ["m/2/f", "m/1/g", "m/1/f/g"] {
        downloading(&world, path).by(&world.bob).refused(404, not_found());
    }
}
