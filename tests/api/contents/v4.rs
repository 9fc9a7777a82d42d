use crate::support::contents::{Object, blob, tree};
use crate::support::git::{commit, sha};
use crate::support::{Answer, Visibility, World, spec};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The files of the repository, with their paths.
struct Files {
    world: World,
    commit: String,
    readme: Object,
    script: Object,
    picture: Object,
}

pub const SUBMODULE: &str = "1111111111111111111111111111111111111111";

fn files(visibility: Visibility) -> Files {
    let world = World::new(spec(), visibility);
    let readme = blob("# Read me\r\n\nünï\n");
    let script = blob("#!/bin/sh\n<script>alert(1)</script>\n");
    let picture = blob(b"\x89PNG\0\xff".to_vec());
    let link = blob("bin/run");
    let deep = tree(&[("100644", b"e.txt", readme.id())]);
    let bin = tree(&[("40000", b"deep", deep.id()), ("100755", b"run", script.id())]);
    let odd = [&b"a b"[..], b"a\nb", b"\xff\xfe", b"%41", b"q\"'", "ü".as_bytes()];
    let mut names: Vec<&[u8]> = odd.to_vec();
    names.sort();
    let odd = tree(&names.iter().map(|name| ("100644", *name, readme.id())).collect::<Vec<_>>());
    let root = tree(&[
        ("100644", b"README.md", readme.id()),
        ("40000", b"bin", bin.id()),
        ("120000", b"link", link.id()),
        ("160000", b"module", SUBMODULE),
        ("40000", b"odd", odd.id()),
        ("100644", b"package.json", readme.id()),
        ("100644", b"picture.png", picture.id()),
    ]);
    let objects = [&root, &bin, &deep, &odd, &readme, &script, &picture, &link].map(|object| object.clone());
    let commit = world.push_tree(&root, &objects);
    Files { world, commit, readme, script, picture }
}

impl Files {
    fn get(&self, path: &str, status: u16) -> Answer {
        self.world.v4("GET", &format!("/repository/{path}")).by(&self.world.rae).gives(status)
    }
}

fn paths(answer: &Answer) -> Vec<String> {
    answer.each("path").iter().map(|path| path.as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_guest_of_a_private_project_reads_no_code_and_an_outsider_sees_none() {
    let Files { world, readme, .. } = files(Visibility::Private);
    let blob = format!("/repository/blobs/{}", readme.id());
    let paths = [
        "/repository/tree",
        "/repository/files/README.md?ref=master",
        "/repository/files/README.md/raw",
        "/repository/files/README.md/blame?ref=master",
        &blob,
        &format!("{blob}/raw"),
    ];
    for path in paths {
        world.v4("HEAD", path).by(&world.gus).gives(403);
    }
    let Files { world, .. } = files(Visibility::Public);
    for path in &paths[..3] {
        world.v4("GET", path).gives(200);
    }
}

#[test]
fn nothing_of_another_project_is_read() {
    let (mine, other) = (files(Visibility::Private), World::new(spec(), Visibility::Private));
    other.push_line(1);
    for rest in ["", "/raw"] {
        let path = format!("/repository/blobs/{}{rest}", mine.picture.id());
        other.v4("GET", &path).by(&other.ann).refused(404, json!({ "message": "404 Blob Not Found" }));
        mine.world.v4("GET", &path).by(&other.ann).gives(200);
    }
}

#[test]
fn no_file_is_read_as_a_directory_and_no_directory_as_a_file() {
    let world = World::new(spec(), Visibility::Private);
    let file = blob("x");
    let below = tree(&[("100644", b"x", file.id())]);
    let posing = blob(below.bytes.clone());
    let (empty, nothing) = (tree(&[]), blob(""));
    let root = tree(&[
        ("40000", b"a", posing.id()),
        ("100644", b"b", below.id()),
        ("40000", b"c", empty.id()),
        ("100644", b"d", nothing.id()),
    ]);
    world.push_tree(&root, &[root.clone(), file, below.clone(), posing, empty, nothing]);
    let refused = |path: &str, name: &str| {
        let text = format!("{name} is of another kind than its directory says");
        let text = format!("422 Unprocessable entity - {text}");
        world.v4("GET", path).by(&world.rae).refused(422, json!({ "message": text }));
    };
    refused("/repository/tree?path=a", "a");
    refused("/repository/tree?recursive=true", "a");
    refused("/repository/files/a%2Fx?ref=master", "a");
    refused("/repository/files/b?ref=master", "b");
    refused("/repository/files/b/raw?ref=master", "b");
    world.v4("GET", &format!("/repository/blobs/{}/raw", below.id())).by(&world.rae).gives(404);
    world.v4("GET", "/repository/tree?path=c").by(&world.rae).gives(200);
    world.v4("GET", "/repository/files/d?ref=master").by(&world.rae).gives(200);
    // a commit whose root is a file
    let world = World::new(spec(), Visibility::Private);
    let posing = blob(root.bytes.clone());
    world.push_tree(&posing, std::slice::from_ref(&posing));
    world.v4("GET", "/repository/tree").by(&world.rae).gives(422);
}

#[test]
fn the_size_of_a_repository_is_what_the_object_store_has_of_it() {
    let world = World::new(spec(), Visibility::Private);
    let size = || {
        let project = world.v4("GET", "?statistics=true").by(&world.rae).gives(200).json;
        let statistics = &project["statistics"];
        assert_eq!(statistics["storage_size"], statistics["repository_size"]);
        statistics["repository_size"].as_i64().unwrap()
    };
    assert_eq!(size(), 0);
    let file = blob("text");
    let root = tree(&[("100644", b"a", file.id())]);
    world.push_tree(&root, &[root.clone(), file.clone()]);
    let packed =
        |object: &Object| object.record().split(|byte| *byte == b'\n').skip(1).collect::<Vec<_>>().join(&b'\n').len();
    assert_eq!(size(), i64::try_from(packed(&root) + packed(&file)).unwrap());
    if world.server.tamper(&format!(
        "delete from objects where sha = '{}' and project_id = {}",
        file.id(),
        world.project.id
    )) {
        assert_eq!(size(), i64::try_from(packed(&root)).unwrap());
    }
}

#[test]
fn writes_are_refused_with_the_reason() {
    let Files { world, .. } = files(Visibility::Private);
    let text = format!("403 Forbidden - {} is a mirror: push to its git host instead", world.project.path);
    for (verb, path) in [
        ("POST", "/repository/files/a%2Fb"),
        ("PUT", "/repository/files/README.md"),
        ("DELETE", "/repository/files/README.md"),
        ("POST", "/repository/commits"),
        ("POST", "/repository/commits/master/cherry_pick"),
        ("POST", "/repository/commits/master/revert"),
        ("POST", "/repository/branches"),
        ("DELETE", "/repository/branches/master"),
        ("DELETE", "/repository/merged_branches"),
        ("POST", "/repository/tags"),
        ("DELETE", "/repository/tags/v1"),
        ("POST", "/repository/changelog"),
        ("PUT", "/repository/submodules/module"),
        ("POST", "/fork"),
    ] {
        world.v4(verb, path).gives(401);
        world.v4(verb, path).by(&world.eve).gives(404);
        for person in [&world.gus, &world.ann] {
            world.v4(verb, path).by(person).refused(403, json!({ "message": text }));
        }
        if verb != "DELETE" {
            for body in ["{\"content\": ".to_owned(), "x".repeat(1_200_000)] {
                let asked = world.v4(verb, path).by(&world.ann).body("application/json", body.into_bytes());
                asked.refused(403, json!({ "message": text }));
            }
        }
    }
    // other writes at these addresses look at their bodies
    world
        .v4("POST", &format!("/statuses/{}", sha(1)))
        .by(&world.ann)
        .body("application/json", b"{".to_vec())
        .gives(400);
}

#[test]
fn a_directory_has_directories_then_files_then_submodules() {
    let files = files(Visibility::Private);
    let root = files.get("tree", 200);
    assert_eq!(paths(&root), ["bin", "odd", "README.md", "link", "package.json", "picture.png", "module"]);
    let modes = root.each("mode");
    assert_eq!(modes, ["040000", "040000", "100644", "120000", "100644", "100644", "160000"]);
    assert_eq!(root.each("type")[6], "commit");
    assert_eq!(
        root.json[2],
        json!({ "id": files.readme.id(), "name": "README.md", "type": "blob", "path": "README.md", "mode": "100644" })
    );
    assert_eq!((root.header("X-Total"), root.header("X-Next-Page")), (Some("7"), Some("")));
    for path in ["bin", "/bin", "bin/", "//bin//"] {
        let below = files.get(&format!("tree?path={}", path.replace('/', "%2F")), 200);
        assert_eq!(paths(&below), ["bin/deep", "bin/run"], "{path}");
        assert_eq!(below.each("name"), ["deep", "run"]);
    }
    let all = files.get("tree?recursive=true&per_page=100", 200);
    let trees = ["bin", "bin/deep", "odd"].map(str::to_owned);
    assert_eq!(paths(&all)[..3], trees);
    assert_eq!(all.json.as_array().unwrap().len(), 16);
    assert_eq!(paths(&files.get("tree?recursive=true&path=bin", 200)), ["bin/deep", "bin/deep/e.txt", "bin/run"]);
    let refs = ["master", "refs%2Fheads%2Fmaster", "HEAD", &files.commit, &files.commit[..8], ""];
    for name in refs {
        assert_eq!(files.get(&format!("tree?ref={name}"), 200).text, root.text, "{name}");
    }
}

#[test]
fn an_absent_directory_or_ref_is_404_with_its_own_text() {
    let files = files(Visibility::Private);
    for (query, text) in [
        ("ref=nowhere", "404 Tree Not Found"),
        ("path=nowhere", "404 invalid revision or path Not Found"),
        ("path=README.md", "404 invalid revision or path Not Found"),
        ("path=README.md%2Fx", "404 invalid revision or path Not Found"),
        ("path=module", "404 invalid revision or path Not Found"),
    ] {
        let refused = files.get(&format!("tree?{query}"), 404);
        assert_eq!(refused.json["message"], text, "{query}");
    }
    let empty = World::new(spec(), Visibility::Private);
    let refused = empty.v4("GET", "/repository/tree").by(&empty.ann).gives(404);
    assert_eq!(refused.json["message"], "404 Tree Not Found");
}

#[test]
fn a_tree_of_a_commit_without_files_is_an_empty_list() {
    let world = World::new(spec(), Visibility::Private);
    let root = tree(&[]);
    world.push_tree(&root, std::slice::from_ref(&root));
    assert_eq!(world.v4("GET", "/repository/tree").by(&world.rae).gives(200).json, json!([]));
}

#[test]
fn pages_of_a_tree_go_by_number_or_by_token() {
    let files = files(Visibility::Private);
    let whole = paths(&files.get("tree?recursive=true&per_page=100", 200));
    let mut by_number = Vec::new();
    for page in 1..=4 {
        let page = files.get(&format!("tree?recursive=true&per_page=4&page={page}"), 200);
        assert_eq!(page.header("X-Total-Pages"), Some("4"));
        by_number.extend(paths(&page));
    }
    assert_eq!(by_number, whole);
    let (mut by_token, mut next) =
        (Vec::new(), Some("/repository/tree?recursive=true&per_page=4&pagination=keyset".to_owned()));
    while let Some(path) = next {
        let page = files.world.v4("GET", &path).by(&files.world.rae).gives(200);
        assert_eq!(page.header("X-Page"), None);
        by_token.extend(paths(&page));
        next = page
            .next()
            .map(|path| path.split_once("/repository").map(|(_, rest)| format!("/repository{rest}")).unwrap());
        assert!(next.as_ref().is_none_or(|next| next.contains("page_token=") && next.contains("recursive=true")));
    }
    assert_eq!(by_token, whole);
    // the hash of the last entry
    let after = files.get(&format!("tree?pagination=keyset&page_token={SUBMODULE}"), 200);
    assert_eq!(after.json, json!([]));
    let after = files.get(&format!("tree?pagination=keyset&page_token={}", files.picture.id()), 200);
    assert_eq!(paths(&after), ["module"]);
    for token in ["x", &sha(1), "AAAA"] {
        let refused = files.get(&format!("tree?pagination=keyset&page_token={token}"), 400);
        assert_eq!(refused.json["message"], "400 Bad request - invalid page token");
    }
    let unpaged = files.get("tree?recursive=true&pagination=none", 200);
    assert_eq!((paths(&unpaged), unpaged.header("X-Page"), unpaged.header("Link")), (whole, None, None));
    let refused = files.get("tree?pagination=none", 400);
    assert_eq!(refused.json["error"], "pagination cannot be \"none\" unless \"recursive\" is true");
    assert_eq!(files.get("tree?pagination=x", 400).json["error"], "pagination does not have a valid value");
}

#[test]
fn a_file_has_its_content_and_the_same_in_headers() {
    let files = files(Visibility::Private);
    let shown = files.get("files/bin%2Frun?ref=master", 200);
    let json = &shown.json;
    assert_eq!(json["content"], BASE64_STANDARD.encode(&files.script.bytes));
    for (field, header, value) in [
        ("file_name", "X-Gitlab-File-Name", json!("run")),
        ("file_path", "X-Gitlab-File-Path", json!("bin/run")),
        ("size", "X-Gitlab-Size", json!(files.script.bytes.len())),
        ("encoding", "X-Gitlab-Encoding", json!("base64")),
        ("ref", "X-Gitlab-Ref", json!("master")),
        ("blob_id", "X-Gitlab-Blob-Id", json!(files.script.id())),
        ("commit_id", "X-Gitlab-Commit-Id", json!(files.commit)),
        ("execute_filemode", "X-Gitlab-Execute-Filemode", json!(true)),
        ("last_commit_id", "X-Gitlab-Last-Commit-Id", json!("")),
    ] {
        assert_eq!(json[field], value, "{field}");
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        assert_eq!(shown.header(header), Some(text.as_str()), "{header}");
    }
    let sha256 = edgeforge_wire::text::hex(&Sha256::digest(&files.script.bytes));
    assert_eq!(
        (shown.header("X-Gitlab-Content-Sha256"), &json["content_sha256"]),
        (Some(sha256.as_str()), &json!(sha256))
    );
    let head = files.world.v4("HEAD", "/repository/files/bin%2Frun?ref=master").by(&files.world.rae).gives(200);
    for name in ["X-Gitlab-Size", "X-Gitlab-Blob-Id", "X-Gitlab-Content-Sha256", "ETag"] {
        assert_eq!(head.header(name), shown.header(name));
    }
    for path in ["bin%2Frun%2F", "bin%2F%2Frun"] {
        assert_eq!(files.get(&format!("files/{path}?ref=master"), 404).json["message"], "404 File Not Found");
    }
    let plain = files.get("files/README.md?ref=HEAD", 200);
    assert_eq!((&plain.json["execute_filemode"], &plain.json["ref"]), (&json!(false), &json!("HEAD")));
    // a name that ends like a format
    assert_eq!(files.get("files/package.json?ref=master", 200).json["file_name"], "package.json");
    let link = files.get("files/link?ref=master", 200);
    assert_eq!(link.json["content"], BASE64_STANDARD.encode("bin/run"));
    let module = files.get("files/module?ref=master", 200);
    assert_eq!(
        (&module.json["size"], &module.json["content"], &module.json["blob_id"]),
        (&json!(0), &json!(""), &json!(SUBMODULE))
    );
}

#[test]
fn a_file_that_is_not_there_is_404_and_a_wrong_request_400() {
    let files = files(Visibility::Private);
    for (path, text) in [
        ("files/README.md?ref=nowhere", "404 Commit Not Found"),
        ("files/nowhere?ref=master", "404 File Not Found"),
        ("files/bin?ref=master", "404 File Not Found"),
        ("files/README.md%2Fx?ref=master", "404 File Not Found"),
        ("files/nowhere/raw", "404 File Not Found"),
        ("files/README.md/raw?ref=nowhere", "404 Commit Not Found"),
    ] {
        assert_eq!(files.get(path, 404).json["message"], text, "{path}");
    }
    for (path, text) in [
        ("files/README.md", "ref is missing, ref is empty"),
        ("files/README.md?ref=", "ref is empty"),
        ("files/README.md/raw?ref=", "ref is empty"),
        ("files/..%2Fx?ref=master", "file_path should be a valid file path"),
        ("files/%2Fx?ref=master", "file_path should be a valid file path"),
        ("files/a%2F..%2F..%2Fx/raw", "file_path should be a valid file path"),
    ] {
        assert_eq!(files.get(path, 400).json["error"], text, "{path}");
    }
    let unknown = files.get("files/bin/run?ref=master", 404);
    assert_eq!(unknown.json["error"], "404 Not Found");
    files.get("files/%2FREADME.md/raw", 200);
}

#[test]
fn odd_names_are_listed_and_found() {
    let files = files(Visibility::Private);
    let listed = files.get("tree?path=odd", 200);
    let names = listed.each("name");
    let expected = ["%41", "a\nb", "a b", "q\"'", "ü", "\u{fffd}\u{fffd}"];
    assert_eq!(names, expected);
    for name in expected {
        let path = crate::support::urlencoded(&[(&format!("odd/{name}"), "")]).replace('+', "%20");
        let path = path.trim_end_matches('=');
        let raw = files.get(&format!("files/{path}/raw"), 200);
        assert_eq!(raw.bytes, files.readme.bytes, "{name:?}");
        assert!(raw.header("X-Gitlab-File-Name").unwrap().is_ascii());
        let shown = files.get(&format!("files/{path}?ref=master"), 200);
        assert_eq!(shown.json["file_name"], *name);
    }
}

#[test]
fn bytes_are_sent_as_they_are_and_never_run() {
    let files = files(Visibility::Private);
    let readme = files.get("files/README.md/raw", 200);
    assert_eq!(readme.bytes, files.readme.bytes);
    assert_eq!(readme.header("Content-Type"), Some("text/plain; charset=utf-8"));
    assert_eq!(
        readme.header("Content-Disposition"),
        Some("inline; filename=\"README.md\"; filename*=UTF-8''README.md")
    );
    assert_eq!(readme.header("X-Gitlab-Ref"), Some(""));
    assert_eq!(readme.header("Content-Length"), Some(readme.bytes.len().to_string().as_str()));
    let picture = files.get("files/picture.png/raw?ref=master", 200);
    assert_eq!(picture.bytes, files.picture.bytes);
    assert_eq!(picture.header("Content-Type"), Some("application/octet-stream"));
    assert!(picture.header("Content-Disposition").unwrap().starts_with("attachment; filename=\"picture.png\""));
    assert_eq!(files.get("files/module/raw", 200).bytes, b"");
    let by_hash = files.get(&format!("blobs/{}/raw", files.picture.id()), 200);
    assert_eq!(
        (by_hash.bytes.clone(), by_hash.header("Content-Disposition")),
        (files.picture.bytes.clone(), Some("inline"))
    );
    assert_eq!(by_hash.header("X-Gitlab-Size"), None);
    let head = files.world.v4("HEAD", "/repository/files/README.md/raw").by(&files.world.rae).gives(200);
    assert_eq!(head.header("X-Gitlab-Size"), readme.header("X-Gitlab-Size"));
    let tag = readme.header("ETag").unwrap();
    let known =
        files.world.v4("GET", "/repository/files/README.md/raw").by(&files.world.rae).header("If-None-Match", tag);
    known.gives(304);
}

#[test]
fn a_part_of_a_file_is_206() {
    let files = files(Visibility::Private);
    let size = files.readme.bytes.len();
    let part = |range: &str, status| {
        let path = "/repository/files/README.md/raw";
        files.world.v4("GET", path).by(&files.world.rae).header("Range", range).gives(status)
    };
    for (range, from, to) in [("bytes=2-4", 2, 5), ("bytes=3-", 3, size), ("bytes=-2", size - 2, size)] {
        let answer = part(range, 206);
        assert_eq!(answer.bytes, files.readme.bytes[from..to]);
        let expected = format!("bytes {from}-{}/{size}", to - 1);
        assert_eq!(answer.header("Content-Range"), Some(expected.as_str()));
    }
    assert_eq!(part("bytes=999-", 416).header("Content-Range"), Some(format!("bytes */{size}").as_str()));
    assert_eq!(part("bytes=0-1,3-4", 200).bytes, files.readme.bytes);
    // the client has a part of another file
    let path = "/repository/files/README.md/raw";
    let resumed = files.world.v4("GET", path).by(&files.world.rae).header("Range", "bytes=2-");
    assert_eq!(resumed.header("If-Range", "\"another\"").gives(200).bytes, files.readme.bytes);
}

#[test]
fn a_blob_is_found_by_its_whole_hash_only() {
    let files = files(Visibility::Private);
    let shown = files.get(&format!("blobs/{}", files.script.id()), 200);
    let content = BASE64_STANDARD.encode(&files.script.bytes);
    assert_eq!(
        shown.json,
        json!({ "size": files.script.bytes.len(), "encoding": "base64", "content": content, "sha": files.script.id() })
    );
    let tree = files.get("tree", 200).json[0]["id"].as_str().unwrap().to_owned();
    for wrong in [&files.script.id()[..10], &tree, &files.commit, &sha(1), "nowhere"] {
        assert_eq!(files.get(&format!("blobs/{wrong}"), 404).json["message"], "404 Blob Not Found");
    }
}

#[test]
fn a_path_has_at_most_100_directories() {
    let world = World::new(spec(), Visibility::Private);
    let mut trees = vec![tree(&[("100644", b"f", blob("x").id())])];
    for _ in 0..110 {
        trees.push(tree(&[("40000", b"d", trees.last().unwrap().id())]));
    }
    world.push_tree(&trees[110], &trees);
    let path = |depth: usize| format!("/repository/tree?path={}", vec!["d"; depth].join("%2F"));
    assert_eq!(world.v4("GET", &path(100)).by(&world.rae).gives(200).each("name"), ["d"]);
    let refused = world.v4("GET", &path(101)).by(&world.rae).gives(422);
    assert!(refused.json["message"].as_str().unwrap().ends_with("more than 100 directories in one another"));
}

#[test]
fn an_object_of_another_kind_is_refused_and_nothing_is_forgotten() {
    let world = World::new(spec(), Visibility::Public);
    let file = blob("no tree\n");
    let directory = tree(&[("100644", b"f", file.id())]);
    let root = tree(&[("40000", b"a", file.id()), ("100644", b"b", directory.id())]);
    world.push_tree(&root, &[root.clone(), directory, file]);
    let objects = || world.v4("GET", "/mirror/objects").by(&world.ann).gives(200).json;
    let before = objects();
    for path in ["tree?path=a", "tree?recursive=true", "archive.tar", "files/a%2Fx?ref=master"] {
        let refused = world.v4("GET", &format!("/repository/{path}")).by(&world.eve).gives(422);
        assert!(refused.json["message"].as_str().unwrap().starts_with("422 Unprocessable entity - "), "{path}");
    }
    assert_eq!(objects(), before);
}

#[test]
fn short_objects_of_long_directories_are_read_within_bounds() {
    let world = World::new(spec(), Visibility::Private);
    let file = blob("x");
    let names: Vec<String> = (0..2000).map(|n| format!("{n:04096}")).collect();
    let long = tree(&names.iter().map(|name| ("100644", name.as_bytes(), file.id())).collect::<Vec<_>>());
    let root = tree(&[b"a", b"b", b"c"].map(|name| ("40000", name.as_slice(), long.id())));
    world.push_tree(&root, &[root.clone(), long, file]);
    let list = |query: &str| world.v4("GET", &format!("/repository/tree?{query}")).by(&world.rae);
    assert_eq!(list("path=a").gives(200).each("name").len(), 20);
    list("recursive=true").gives(422);
}

#[test]
fn blame_is_not_built() {
    let files = files(Visibility::Private);
    let refused = files.get("files/README.md/blame?ref=master", 501);
    assert!(refused.json["message"].as_str().unwrap().starts_with("501 Not Implemented - "));
}

#[test]
fn the_last_change_of_a_file_is_found_in_the_diffs_of_a_thousand_commits() {
    let world = World::new(spec(), Visibility::Private);
    let file = blob("x");
    let root = tree(&[("100644", b"a", file.id()), ("100644", b"b", file.id())]);
    let changes = |path: &str| {
        json!([{ "diff": "", "new_path": path, "old_path": path, "a_mode": "100644", "b_mode": "100644", "new_file": false, "renamed_file": false, "deleted_file": false }]).to_string()
    };
    let mut commits = Vec::new();
    for number in 1..=450_u32 {
        let parents: &[u32] = if number > 1 { &[number - 1] } else { &[] };
        commits.push(commit(number, parents).with(|commit| {
            commit.tree = root.id().to_owned();
            commit.diff = changes(match number {
                3 => "a",
                440 => "b",
                _ => "c",
            });
        }));
    }
    let tip = commits[449].sha.clone();
    for some in commits.chunks(150) {
        let wire: Vec<Value> = some.iter().map(|commit| commit.wire()).collect();
        world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": wire })).gives(201);
    }
    world.push(&[], &[("refs/heads/master", &tip)]);
    world.send_objects(&[root, file]);
    for (path, number) in [("a", 3), ("b", 440)] {
        let shown = world.v4("GET", &format!("/repository/files/{path}?ref=master")).by(&world.rae).gives(200);
        assert_eq!(shown.json["last_commit_id"], commits[number - 1].sha.as_str(), "{path}");
    }
}

#[test]
fn a_directory_of_fifty_thousand_entries_comes_in_pages() {
    let world = World::new(spec(), Visibility::Private);
    let file = blob("x");
    let names: Vec<String> = (0..50_000).map(|number| format!("file-{number:05}")).collect();
    let entries: Vec<(&str, &[u8], &str)> = names.iter().map(|name| ("100644", name.as_bytes(), file.id())).collect();
    let root = tree(&entries);
    world.push_tree(&root, &[root.clone(), file]);
    let last = world.v4("GET", "/repository/tree?per_page=100&page=500").by(&world.rae).gives(200);
    assert_eq!((last.header("X-Total"), last.json[99]["name"].as_str()), (Some("50000"), Some("file-49999")));
    let refused = world.v4("GET", "/repository/tree?recursive=true&pagination=none").by(&world.rae).gives(422);
    assert!(refused.json["message"].as_str().unwrap().contains("more than 10000 entries"));
}
