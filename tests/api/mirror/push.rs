//! What the mirror hook asks and sends.

use crate::support::git::{commit, line, sha};
use crate::support::{Answer, Person, Visibility, World, spec};
use serde_json::{Value, json};

fn world() -> World {
    World::new(spec(), Visibility::Private)
}

fn push(world: &World, commits: Value) -> Answer {
    world.post("/mirror/commits").by(&world.ann).json(json!({ "commits": commits })).send()
}

fn swap(world: &World, default: Option<&str>, changes: Value) -> Answer {
    let body = json!({ "default_branch": default, "changes": changes });
    world.put("/mirror/refs").by(&world.ann).json(body).send()
}

fn change(name: &str, old: Option<u32>, new: Option<u32>) -> Value {
    json!({ "name": name, "old": old.map(sha), "new": new.map(sha) })
}

/// Goes on until every commit knows its branch.
fn settle(world: &World, default: Option<&str>) {
    while swap(world, default, json!([])).json["pending"] == true {}
}

/// The branch that a status without a ref is given.
fn branch_of(world: &World, number: u32) -> Value {
    let post = world.post(&format!("/statuses/{}", sha(number))).by(&world.ann);
    post.json(json!({ "state": "success" })).gives(201).json["ref"].clone()
}

#[test]
fn only_masters_and_hook_tokens_of_the_project_keep_its_mirror() {
    let world = world();
    for (person, status) in [(&world.eve, 404), (&world.gus, 403), (&world.bob, 403), (&world.ann, 200)] {
        world.get("/mirror").by(person).send().has_status(status);
    }
    let made = world.post("/hook_tokens").by(&world.ann).json(json!({ "name": "hook" })).gives(201);
    let token = made.json["token"].as_str().unwrap().to_owned();
    let hook = Person { token, ..world.ann.clone() };
    world.get("/mirror").by(&hook).gives(200);
    world.get("/issues").by(&hook).send().has_status(403);
    world.get("").by(&hook).send().has_status(403);
    spec().get("/user").by(&hook).send().has_status(403);
    World::new(spec(), Visibility::Public).get("/mirror").by(&hook).send().has_status(403);
    let id = made.json["id"].as_i64().unwrap();
    world.delete(&format!("/hook_tokens/{id}")).by(&world.ann).send();
    world.get("/mirror").by(&hook).send().has_status(401);
}

#[test]
fn a_batch_with_an_unknown_parent_is_refused_whole_with_reason_and_index() {
    let world = world();
    let refused = push(&world, json!([commit(1, &[]).wire(), commit(3, &[2]).wire()]));
    refused.has_status(400);
    let text = refused.json["message"].as_str().unwrap();
    assert_eq!(text, format!("commit 1 ({}): parent {} is not known", sha(3), sha(2)));
    push(&world, json!([commit(2, &[1]).wire()])).has_status(400);
}

#[test]
fn a_commit_that_is_none_is_refused() {
    let world = world();
    let with = |field: &str, value: Value| {
        let mut wire = commit(1, &[]).wire();
        wire[field] = value;
        push(&world, json!([wire])).has_status(400);
    };
    with("id", json!("abc"));
    with("id", json!("A".repeat(40)));
    for object in [json!(null), json!("author A <a@x> 1 +0000"), json!(commit(2, &[]).object())] {
        with("object", object);
    }
    with("object_base64", json!("dHJlZQ=="));
    with("diff", json!("no json"));
    with("diff", json!("{}"));
    with("diff", json!("[1]"));
    let flags = r#""new_file": false, "renamed_file": false, "deleted_file": false"#;
    with("diff", json!(format!(r#"[{{"diff": "", "new_path": "a", "old_path": "a", {flags}}}]"#)));
    with("additions", json!(-1));
    world.post("/mirror/commits").by(&world.ann).json(json!([])).send().has_status(400);
    world.post("/mirror/commits").by(&world.ann).body("application/json", "{").send().has_status(400);
}

#[test]
fn a_commit_is_what_its_hash_says_and_the_one_that_is_not_is_named() {
    let world = world();
    let mut forged = commit(2, &[1]).wire();
    forged["object"] = json!(forged["object"].as_str().unwrap().replace("The reason", "Another"));
    let refused = push(&world, json!([commit(1, &[]).wire(), forged]));
    refused.has_status(400);
    assert_eq!(refused.json["message"], format!("commit 1 ({}): the object has another hash", sha(2)));
    // base64 does as well, and texts of old encodings are the hook's word
    let latin = commit(3, &[]).with(|commit| commit.zone = "+0200\nencoding ISO-8859-1");
    let mut wire = latin.wire();
    assert!(wire["object"].as_str().unwrap().contains("encoding"));
    let texts = json!({ "author_name": "José", "author_email": "", "committer_name": "", "committer_email": "", "message": "café" });
    wire["texts"] = texts.clone();
    let mut plain = commit(1, &[]).wire();
    plain["texts"] = texts;
    plain["object_base64"] = json!(base64(plain["object"].as_str().unwrap()));
    plain["object"] = json!(null);
    push(&world, json!([wire, plain])).has_status(201);
    let show = |number| world.get(&format!("/repository/commits/{}", sha(number))).by(&world.rae).gives(200).json;
    assert_eq!((&show(3)["author_name"], &show(3)["title"]), (&json!("José"), &json!("café")));
    assert_eq!((&show(1)["author_name"], &show(1)["title"]), (&json!("Ann"), &json!("Change 1")));
}

#[test]
fn a_repository_of_sha_256_is_indexed_as_any_other() {
    let world = world();
    // git init --object-format=sha256
    let id = "8a5b129e0d536aa3a6637c232d6d43cfbdfc32458e402444a92ff3a8de39173b";
    let object = "tree 6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nx\n";
    let wire = json!({ "id": id, "object": object, "additions": 0, "deletions": 0, "diff": "[]" });
    push(&world, json!([wire])).has_status(201);
    let change = json!([{ "name": "refs/heads/main", "old": null, "new": id }]);
    swap(&world, Some("main"), change).has_status(200);
    for name in ["main", id, &id[..50], &id[..8]] {
        let shown = world.get(&format!("/repository/commits/{name}")).by(&world.rae).gives(200).json;
        assert_eq!(shown["id"], id);
    }
    assert_eq!(world.get("/repository/commits").by(&world.rae).gives(200).json[0]["id"], id);
}

fn base64(text: &str) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(text)
}

#[test]
fn edges_and_diffs_are_taken_with_a_commit_and_never_later() {
    let world = world();
    world.push_line(2);
    let mut again = commit(2, &[1]).wire();
    let entry = |name: &str| {
        format!(
            r#"[{{"old_path":"{name}","new_path":"{name}","a_mode":"0","b_mode":"100644","diff":"","new_file":true,"renamed_file":false,"deleted_file":false}}]"#
        )
    };
    again["diff"] = json!(entry("injected"));
    push(&world, json!([again])).has_status(201);
    let diff = || world.get(&format!("/repository/commits/{}/diff", sha(2))).by(&world.rae).send();
    assert_eq!(diff().json, json!([]));
    // a long one has other parts than a short one
    again["diff"] = json!(entry(&"x".repeat(700_000)));
    push(&world, json!([again.clone(), commit(3, &[2]).wire()])).has_status(201);
    assert_eq!(diff().json, json!([]));
    // an owner takes it away, and the next sync brings it anew
    let at = format!("/mirror/commits/{}", sha(2));
    world.delete(&at).by(&world.rae).refused(403, json!({ "message": "403 Forbidden" }));
    world.delete(&format!("/mirror/commits/{}", sha(9))).by(&world.ann).send().has_status(404);
    assert_eq!(world.delete(&at).by(&world.ann).gives(200).json, json!({ "id": sha(2) }));
    diff().has_status(404);
    assert_eq!(world.get("/mirror").by(&world.ann).gives(200).json["forgotten"], json!([sha(2)]));
    again["diff"] = json!(entry("right"));
    again["additions"] = json!(7);
    push(&world, json!([again])).has_status(201);
    assert_eq!(diff().json[0]["new_path"], "right");
    let shown = world.get(&format!("/repository/commits/{}", sha(2))).by(&world.rae).gives(200).json;
    assert_eq!(shown["stats"]["additions"], 7);
    assert_eq!(shown["parent_ids"], json!([sha(1)]));
    assert_eq!(world.get("/mirror").by(&world.ann).gives(200).json["forgotten"], json!([]));
}

#[test]
fn a_message_of_control_characters_is_cut_to_what_the_database_takes() {
    let world = world();
    let text = |text: &str, times: usize| text.repeat(times);
    let commits = [text("\u{1}", 350_000), text("\"", 1 << 20), text("a\n", 1 << 19), text("é", 600_000)];
    for (message, number) in commits.into_iter().zip(1..) {
        let commit = commit(number, &[]).with(|commit| commit.message = message);
        push(&world, json!([commit.wire()])).has_status(201);
        let shown = world.get(&format!("/repository/commits/{}", sha(number))).by(&world.rae).gives(200);
        assert!(shown.json["message"].as_str().unwrap().len() > 100_000);
        assert!(shown.text.len() < 2_000_000);
    }
}

#[test]
fn a_merge_may_name_a_parent_twice() {
    let world = world();
    let commits = [commit(1, &[]), commit(2, &[1, 1])];
    world.push(&commits, &[("refs/heads/main", &sha(2))]);
    let shown = world.get("/repository/commits/main").by(&world.ann).gives(200).json;
    assert_eq!(shown["parent_ids"], json!([sha(1), sha(1)]));
    let listed = world.get("/repository/commits").by(&world.ann).gives(200).json;
    assert_eq!(listed.as_array().unwrap().len(), 2);
}

/// What the index holds, but for its bytes, of which the quotas' own tests tell.
fn shown(world: &World) -> Value {
    let mut mirror = world.get("/mirror").by(&world.ann).gives(200).json;
    for name in ["bytes", "most_bytes", "most_file_bytes"] {
        mirror.as_object_mut().unwrap().remove(name);
    }
    mirror
}

#[test]
fn a_name_that_git_refuses_is_refused_for_a_ref() {
    let world = World::new(spec(), Visibility::Private);
    push(&world, json!([commit(1, &[]).wire()])).has_status(201);
    let names = [
        "javascript:x",
        "a b",
        "a\tb",
        "a..b",
        "a//b",
        "/a",
        "a/",
        "a.",
        ".a",
        "b/.a",
        "a.lock",
        "a@{0}",
        "a*",
        "a^",
        "a\\b",
        "a[b",
        "-a",
        "--upload-pack=touch",
    ];
    for name in names.iter().flat_map(|name| [format!("refs/heads/{name}"), format!("refs/tags/{name}")]) {
        let refused = swap(&world, None, json!([change(&name, None, Some(1))]));
        refused.has_status(400);
        assert_eq!(refused.json["message"], "change 0: not the name of a branch or tag", "{name}");
    }
    for name in ["a-b", "@", "ä/ö", "a.b.c", "locked", "{a}", "b/-c"] {
        swap(&world, None, json!([change(&format!("refs/heads/{name}"), None, Some(1))])).has_status(200);
    }
    let refused = swap(&world, Some("--upload-pack=touch"), json!([]));
    refused.has_status(400);
    assert_eq!(refused.json["message"], "default_branch: not the name of a branch");
    if !spec().is_in_process() {
        return;
    }
    // one that was stored before this rule can be removed
    world.server.tamper("update refs set name = 'refs/heads/a b' where name = 'refs/heads/a-b'");
    swap(&world, None, json!([change("refs/heads/a b", Some(1), None)])).has_status(200);
}

#[test]
fn pushing_twice_is_harmless_and_refs_are_swapped_only_from_where_they_were_seen() {
    let world = world();
    let wire: Vec<Value> = line(3).iter().map(|commit| commit.wire()).collect();
    for _ in 0..2 {
        push(&world, json!(wire)).has_status(201);
    }
    swap(&world, Some("main"), json!([change("refs/heads/main", None, Some(2))])).has_status(200);
    swap(&world, Some("main"), json!([change("refs/heads/main", None, Some(3))])).has_status(409);
    swap(&world, Some("main"), json!([change("refs/heads/main", Some(1), Some(3))])).has_status(409);
    swap(&world, Some("main"), json!([change("refs/heads/main", Some(2), Some(9))])).has_status(400);
    let mirror = shown(&world);
    let refs = json!([{ "name": "refs/heads/main", "sha": sha(2), "tag_sha": null }]);
    assert_eq!(
        mirror,
        json!({ "default_branch": "main", "pending": false, "refs": refs, "forgotten": [], "next": null })
    );
    swap(&world, Some("main"), json!([change("refs/heads/main", Some(2), Some(3))])).has_status(200);
    swap(&world, None, json!([change("refs/heads/main", Some(3), None)])).has_status(200);
    let mirror = shown(&world);
    assert_eq!(mirror, json!({ "default_branch": null, "pending": false, "refs": [], "forgotten": [], "next": null }));
}

#[test]
fn a_commit_is_there_before_a_ref_reaches_it() {
    let world = world();
    push(&world, json!([commit(1, &[]).wire()])).has_status(201);
    let at = |number| format!("/mirror/commits/{}", sha(number));
    assert_eq!(world.get(&at(1)).by(&world.ann).gives(200).json, json!({ "id": sha(1) }));
    for missing in [at(2), at(1)[..24].to_owned()] {
        let refused = world.get(&missing).by(&world.ann).send();
        refused.has_status(404);
        assert_eq!(refused.json["message"], "404 Commit Not Found");
    }
}

#[test]
fn an_annotated_tag_is_told_from_another_one_on_the_same_commit() {
    let world = world();
    world.push_line(1);
    let tag = |old: Option<u32>, tag_sha: Option<u32>, message: Option<&str>| {
        let mut change = change("refs/tags/v1", old, Some(1));
        change["tag_sha"] = json!(tag_sha.map(sha));
        change["message"] = json!(message);
        swap(&world, Some("master"), json!([change])).has_status(200);
        let mirror = world.get("/mirror").by(&world.ann).gives(200).json;
        assert_eq!(mirror["refs"][1]["tag_sha"], json!(tag_sha.map(sha)));
        let shown = world.get("/repository/tags/v1").by(&world.rae).gives(200).json;
        assert_eq!(shown["message"], json!(message));
    };
    tag(None, Some(7), Some("first"));
    tag(Some(1), Some(8), Some("second"));
    tag(Some(1), None, None);
}

#[test]
fn a_ref_that_is_neither_branch_nor_tag_is_refused() {
    let world = world();
    world.push_line(1);
    for name in ["refs/notes/x", "main", "refs/heads/", ""] {
        swap(&world, Some("master"), json!([change(name, None, Some(1))])).has_status(400);
    }
    let twice = json!([change("refs/heads/a", None, Some(1)), change("refs/heads/a", None, Some(1))]);
    swap(&world, Some("master"), twice).has_status(400);
}

#[test]
fn a_status_without_a_ref_belongs_to_the_default_branch_else_to_the_first_that_has_the_commit() {
    let world = world();
    // 1 - 2 - 3 main; 2 - 4 beta; 2 - 5 - 6 alpha
    let commits = [commit(1, &[]), commit(2, &[1]), commit(3, &[2]), commit(4, &[2]), commit(5, &[2]), commit(6, &[5])];
    let [main, beta, alpha] = [sha(3), sha(4), sha(6)];
    world.push(&commits, &[("refs/heads/main", &main), ("refs/heads/beta", &beta), ("refs/heads/alpha", &alpha)]);
    for (number, branch) in [(1, "main"), (2, "main"), (3, "main"), (4, "beta"), (5, "alpha"), (6, "alpha")] {
        assert_eq!(branch_of(&world, number), branch, "commit {number}");
    }
    // main takes alpha's commits in
    let merge = commit(7, &[3, 6]);
    push(&world, json!([merge.wire()])).has_status(201);
    swap(&world, Some("main"), json!([change("refs/heads/main", Some(3), Some(7))])).has_status(200);
    assert_eq!(branch_of(&world, 5), "main");
    // and loses them again
    let back = json!([{ "name": "refs/heads/main", "old": sha(7), "new": sha(3), "forced": true }]);
    swap(&world, Some("main"), back).has_status(200);
    assert_eq!(branch_of(&world, 5), "alpha");
    assert_eq!(branch_of(&world, 7), Value::Null);
    // another default branch
    swap(&world, Some("beta"), json!([])).has_status(200);
    assert_eq!(branch_of(&world, 1), "beta");
    assert_eq!(branch_of(&world, 3), "main");
    // a deleted branch
    swap(&world, Some("beta"), json!([change("refs/heads/alpha", Some(6), None)])).has_status(200);
    assert_eq!(branch_of(&world, 6), Value::Null);
}

#[test]
fn what_a_lost_branch_had_belongs_to_the_branch_above_it() {
    let world = world();
    // 1 main; 2 a; 3 b, upon a
    let commits = line(3);
    let [main, a, b] = [1, 2, 3].map(sha);
    world.push(&commits, &[("refs/heads/main", &main), ("refs/heads/a", &a), ("refs/heads/b", &b)]);
    assert_eq!(branch_of(&world, 2), "a");
    swap(&world, Some("main"), json!([change("refs/heads/a", Some(2), None)])).has_status(200);
    assert_eq!(branch_of(&world, 2), "b");
    assert_eq!(branch_of(&world, 3), "b");
}

#[test]
fn every_one_of_a_thousand_branches_keeps_its_commits() {
    let world = world();
    let tips: Vec<(String, u32)> = (2..=1003).map(|number| (format!("refs/heads/b{number:04}"), number)).collect();
    for numbers in [1..=1000, 1001..=1003] {
        let commits: Vec<Value> =
            numbers.map(|number| commit(number, if number > 1 { &[1] } else { &[] }).wire()).collect();
        push(&world, json!(commits)).has_status(201);
    }
    let changes = |tips: &[(String, u32)]| -> Value {
        tips.iter().map(|(name, number)| change(name, None, Some(*number))).collect()
    };
    swap(&world, Some("b0002"), changes(&tips[..1000])).has_status(200);
    swap(&world, Some("b0002"), changes(&tips[1000..])).has_status(200);
    swap(&world, Some("b0500"), json!([change("refs/heads/b0003", Some(3), None)])).has_status(200);
    settle(&world, Some("b0500"));
    for (number, branch) in [(1, "b0500"), (2, "b0002"), (1003, "b1003"), (950, "b0950")] {
        assert_eq!(branch_of(&world, number), branch);
    }
    assert_eq!(branch_of(&world, 3), Value::Null);
}

#[test]
fn branches_of_more_commits_than_one_request_judges_are_learned_over_several() {
    let world = world();
    if !spec().is_in_process() {
        // the same statements with the same bounds, minutes of pushing
        return;
    }
    const MANY: u32 = 32_000;
    for start in (1..MANY).step_by(1000) {
        let wire: Vec<Value> = (start..start + 1000)
            .map(|number| commit(number, if number > 1 { vec![number - 1] } else { vec![] }.as_slice()).wire())
            .collect();
        push(&world, json!(wire)).has_status(201);
    }
    let swapped = swap(&world, Some("main"), json!([change("refs/heads/main", None, Some(MANY))]));
    assert_eq!(swapped.json, json!({ "refs": 1, "pending": true }));
    assert!(swapped.figure("rows_written") < 100_000);
    // readers see the refs at once, and branches as they are known so far
    assert_eq!(world.get("/mirror").by(&world.ann).gives(200).json["pending"], true);
    assert_eq!(branch_of(&world, MANY), "main");
    assert_eq!(branch_of(&world, 1), Value::Null);
    // refs move on in between
    let renamed = json!([change("refs/heads/main", Some(MANY), None), change("refs/heads/trunk", None, Some(MANY))]);
    let moved = swap(&world, Some("trunk"), renamed);
    assert_eq!(moved.json["pending"], true);
    settle(&world, Some("trunk"));
    assert_eq!(world.get("/mirror").by(&world.ann).gives(200).json["pending"], false);
    for number in [1, 2, 777, MANY / 2, MANY] {
        assert_eq!(branch_of(&world, number), "trunk");
    }
}

#[test]
fn changes_in_portions_are_made_together_or_not_at_all() {
    let world = world();
    let wire: Vec<Value> = line(3).iter().map(|commit| commit.wire()).collect();
    push(&world, json!(wire)).has_status(201);
    let portion = |portion: u32, more: bool, sync: &str, changes: Value| {
        let body = json!({ "default_branch": "a", "changes": changes, "sync": sync, "portion": portion, "more": more });
        world.put("/mirror/refs").by(&world.ann).json(body).send()
    };
    let refs = || world.get("/mirror").by(&world.ann).gives(200).json["refs"].as_array().unwrap().len();
    portion(0, true, "x", json!([change("refs/heads/a", None, Some(1))])).has_status(200);
    portion(1, true, "x", json!([change("refs/heads/b", None, Some(2))])).has_status(200);
    assert_eq!(refs(), 0);
    // another sync replaced a chunk; a chunk is missing; a ref is at another commit
    portion(2, false, "y", json!([change("refs/heads/c", None, Some(3))])).has_status(409);
    portion(3, false, "x", json!([change("refs/heads/c", None, Some(3))])).has_status(409);
    portion(2, false, "x", json!([change("refs/heads/c", Some(1), Some(3))])).has_status(409);
    assert_eq!(refs(), 0);
    portion(2, false, "x", json!([change("refs/heads/c", None, Some(3))])).has_status(200);
    assert_eq!(refs(), 3);
    portion(2, false, "x", json!([])).has_status(409);
    assert_eq!(branch_of(&world, 2), "b");
}

#[test]
fn refs_have_limits_in_bytes() {
    let world = world();
    world.push_line(1);
    let name = |length: usize| format!("refs/heads/{}", "b".repeat(length - 11));
    swap(&world, Some("master"), json!([change(&name(1024), None, Some(1))])).has_status(200);
    swap(&world, Some("master"), json!([change(&name(1025), None, Some(1))])).has_status(400);
    swap(&world, Some(&"b".repeat(1025)), json!([])).has_status(400);
    let tag = |length: usize| {
        let mut change = change("refs/tags/v", None, Some(1));
        change["message"] = json!("\u{1}".repeat(length));
        change["tag_sha"] = json!(sha(1));
        swap(&world, Some("master"), json!([change]))
    };
    tag(65_537).has_status(400);
    tag(65_536).has_status(200);
}

#[test]
fn short_pushes_at_once_are_all_read() {
    let world = world();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let one = |number| push(&world, json!([commit(number, &[]).wire()])).status;
        let sent: Vec<_> = (1..=12).map(|number| scope.spawn(move || one(number))).collect();
        sent.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(statuses, [201; 12]);
}

#[test]
fn refs_and_commits_are_told_in_pages() {
    let world = world();
    world.push_line(3);
    let mut tag = change("refs/tags/v1", None, Some(2));
    (tag["tag_sha"], tag["message"]) = (json!(sha(9)), json!("one\n"));
    swap(&world, Some("master"), json!([tag])).has_status(200);
    let told = world.get("/mirror?after=refs%2Fheads%2Fmaster&messages=true").by(&world.ann).gives(200).json;
    assert_eq!(told["refs"], json!([{ "name": "refs/tags/v1", "sha": sha(2), "tag_sha": sha(9), "message": "one\n" }]));
    let mut shas = [1, 2, 3].map(sha);
    shas.sort();
    let told = world.get(&format!("/mirror/commits?after={}", shas[0])).by(&world.ann).gives(200).json;
    let one = |sha: &String| json!({ "id": sha, "branch": "master" });
    assert_eq!(told, json!({ "commits": [one(&shas[1]), one(&shas[2])], "next": null }));
}

#[test]
fn a_history_lists_as_git_does() {
    let world = world();
    // an older branch merged late: dates decide, not the order of arrival
    let commits = [commit(1, &[]), commit(2, &[1]), commit(4, &[2]), commit(3, &[1]), commit(5, &[4, 3])];
    let tip = sha(5);
    world.push(&commits, &[("refs/heads/main", &tip)]);
    let listed = world.get("/repository/commits").by(&world.rae).gives(200).json;
    let ids: Vec<&str> = listed.as_array().unwrap().iter().map(|commit| commit["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [5, 4, 3, 2, 1].map(sha));
}

#[test]
fn to_git_a_commit_before_1970_is_newer_than_all_others() {
    let world = world();
    let at = |number, parents: &[u32], committed_at: i64| {
        commit(number, parents).with(|commit| commit.committed_at = committed_at)
    };
    let commits = [
        at(1, &[], -500),
        at(2, &[1], -400),
        at(3, &[1], -300),
        at(4, &[2], -100),
        at(5, &[3], -200),
        at(6, &[1], 100),
        at(7, &[4, 5, 6], 1000),
    ];
    let tip = sha(7);
    world.push(&commits, &[("refs/heads/main", &tip)]);
    let listed = |query: &str| {
        let list = world.get(&format!("/repository/commits{query}")).by(&world.rae).gives(200).json;
        list.as_array().unwrap().iter().map(|commit| commit["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(listed(""), [7, 4, 5, 3, 2, 1, 6].map(sha));
    assert_eq!(listed("?since=1970-01-01T00:00:00Z"), [7, 6].map(sha));
    assert_eq!(listed("?until=1969-12-31T23:55:00Z"), [3, 2, 1].map(sha));
}

#[test]
fn a_default_branch_that_is_not_there_is_another_one_that_is() {
    let world = world();
    push(&world, json!(line(2).iter().map(|commit| commit.wire()).collect::<Vec<_>>())).has_status(201);
    let default = || world.get("/mirror").by(&world.ann).gives(200).json["default_branch"].clone();
    swap(&world, Some("gone"), json!([change("refs/heads/b", None, Some(1)), change("refs/tags/a", None, Some(1))]))
        .has_status(200);
    assert_eq!(default(), "b");
    swap(&world, Some("gone"), json!([change("refs/heads/master", None, Some(2))])).has_status(200);
    assert_eq!(default(), "master");
    swap(&world, Some("gone"), json!([change("refs/heads/main", None, Some(2))])).has_status(200);
    assert_eq!(default(), "main");
    swap(&world, Some("b"), json!([])).has_status(200);
    assert_eq!(default(), "b");
}
