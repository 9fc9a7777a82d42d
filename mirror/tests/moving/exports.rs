use serde_json::json;

use crate::gitlab::{GitLab, Version, World, at, basic, issue, large, small};
use crate::http::{Fault, Faults};
use crate::programs::{Folder, ends_with, exported, said};

fn numbers(folder: &Folder) -> Vec<i64> {
    folder.lines("tree/project/issues.ndjson").iter().map(|of| of["iid"].as_i64().unwrap()).collect()
}

#[test]
fn all_versions_of_a_gitlab_give_the_same_archive() {
    let content = [Version::Thirteen, Version::Sixteen, Version::Eighteen].map(|version| {
        let (gitlab, folder) = (GitLab::new(large(230, 3), version, Faults::default()), Folder::new());
        ends_with(&folder.export(&gitlab, &[]), 0);
        folder.content()
    });
    assert_eq!(content[0], content[1]);
    assert_eq!(content[0], content[2]);
}

#[test]
fn an_issue_that_is_deleted_between_two_pages_hides_no_other() {
    let world = World { deleted_between: Some(3), ..large(250, 0) };
    let (gitlab, folder) = (GitLab::new(world, Version::Sixteen, Faults::default()), Folder::new());
    ends_with(&folder.export(&gitlab, &[]), 0);
    assert!((1..=250).filter(|iid| *iid != 3).all(|iid| numbers(&folder).contains(&iid)));
}

#[test]
fn two_exports_of_one_state_have_the_same_bytes() {
    let (gitlab, one) = exported(small());
    let two = Folder::new();
    ends_with(&two.export(&gitlab, &[]), 0);
    assert_eq!(one.content(), two.content());
    for folder in [&one, &two] {
        let manifest = folder.0.join("out/edgeforge/manifest.json");
        let text = std::fs::read_to_string(&manifest).unwrap();
        let mut of: serde_json::Value = serde_json::from_str(&text).unwrap();
        of["at"] = json!("then");
        std::fs::write(&manifest, of.to_string()).unwrap();
    }
    assert_eq!(one.lines("edgeforge/manifest.json"), two.lines("edgeforge/manifest.json"));
}

#[test]
fn a_later_run_reads_only_what_changed() {
    let mut world = large(120, 2);
    world.project["permissions"]["project_access"]["access_level"] = json!(10);
    let (gitlab, folder) = exported(world);
    let requests = gitlab.http.requests();
    let before = folder.content();
    ends_with(&folder.export(&gitlab, &[]), 0);
    let again = gitlab.http.requests() - requests;
    assert!(again <= 30, "{again} requests");
    assert_eq!(folder.content(), before);
    {
        let mut world = gitlab.world();
        let of = &mut world.list("issues")[4];
        (of["title"], of["updated_at"]) = (json!("New title"), json!("2099-01-01T00:00:00.000Z"));
        let mut new = issue(500, "Later");
        new["updated_at"] = json!("2099-01-01T00:00:00.000Z");
        world.list("issues").push(new);
    }
    ends_with(&folder.export(&gitlab, &[]), 0);
    let lines = folder.lines("tree/project/issues.ndjson");
    assert_eq!(
        (lines.len(), lines[4]["title"].as_str(), lines[120]["iid"].as_i64()),
        (121, Some("New title"), Some(500))
    );
}

#[test]
fn links_follow_in_a_later_run() {
    let (gitlab, folder) = exported(small());
    assert_eq!(folder.lines("edgeforge/links.ndjson").len(), 1);
    ends_with(&folder.export(&gitlab, &[]), 0);
    assert_eq!(folder.lines("edgeforge/links.ndjson").len(), 1);
    {
        let mut world = gitlab.world();
        world.list("issues/1/links").clear();
        world.list("issues/2/links").clear();
        world.list("issues")[0]["updated_at"] = json!("2099-01-01T00:00:00.000Z");
    }
    ends_with(&folder.export(&gitlab, &[]), 0);
    assert_eq!(folder.lines("edgeforge/links.ndjson").len(), 0);
}

#[test]
fn parts_can_be_left_out() {
    let mut world = small();
    let mut secret = issue(9, "Hush");
    secret["confidential"] = json!(true);
    world.list("issues").push(secret);
    let gitlab = GitLab::new(world, Version::Eighteen, Faults::default());
    let folder = Folder::new();
    ends_with(
        &folder
            .export(&gitlab, &["--without", "confidential,events,emoji,links,uploads,releases,deployments,statuses"]),
        0,
    );
    assert_eq!(numbers(&folder), [1, 2, 4]);
    let all: Vec<u8> = folder.content().into_values().flatten().collect();
    let text = String::from_utf8_lossy(&all);
    for word in ["Hush", "resource_", "thumbsup", "PNG"] {
        assert!(!text.contains(word), "{word}");
    }
    // notes, and lists of the project
    assert!(gitlab.http.requests() < 25, "{}", gitlab.http.requests());
}

#[test]
fn a_missing_file_keeps_its_link_and_comes_later() {
    let mut world = small();
    let files = std::mem::take(&mut world.files);
    let gitlab = GitLab::new(world, Version::Eighteen, Faults::default());
    let folder = Folder::new();
    let output = folder.export(&gitlab, &[]);
    ends_with(&output, 0);
    assert!(said(&output).contains("1 x files that texts name and the source does not have"), "{}", said(&output));
    gitlab.world().files = files;
    ends_with(&folder.export(&gitlab, &[]), 0);
    assert!(folder.0.join("out/uploads/0123456789abcdef0123456789abcdef/a.png").exists());
}

#[test]
fn emoji_that_come_with_the_comments_take_no_requests() {
    let requests = |comes: bool| {
        let mut world = small();
        for note in world.list("issues/2/notes").iter_mut().filter(|_| comes) {
            note["award_emoji"] = json!([{"name": "tada", "user": basic(2, "anna"), "created_at": at(24)}]);
        }
        let (gitlab, folder) = (GitLab::new(world, Version::Eighteen, Faults::default()), Folder::new());
        ends_with(&folder.export(&gitlab, &["--with", "note-emoji"]), 0);
        let line = folder.lines("tree/project/issues.ndjson").remove(1);
        (gitlab.http.requests(), line["notes"][0]["award_emoji"].as_array().unwrap().len())
    };
    let ((with, given), (without, none)) = (requests(true), requests(false));
    // a request for each of the two comments
    assert_eq!((with + 2, given, none), (without, 1, 0));
}

#[test]
fn a_folder_of_another_project_is_refused() {
    let (gitlab, folder) = exported(small());
    gitlab.world().project["id"] = json!(13);
    let output = folder.export(&gitlab, &[]);
    ends_with(&output, 2);
    assert!(said(&output).contains("has another project"));
}

#[test]
fn what_cannot_be_read_is_told_and_the_run_goes_on() {
    let mut world = small();
    world.statuses.insert("issues/2/links".to_owned(), 403);
    world.statuses.insert("releases".to_owned(), 500);
    world.html.insert("issues/1/award_emoji".to_owned());
    let gitlab = GitLab::new(world, Version::Eighteen, Faults::default());
    let folder = Folder::new();
    let output = folder.export(&gitlab, &["--retries", "0"]);
    ends_with(&output, 3);
    for line in [
        "left out: 1 x links: the source answers 403",
        "refused: 1 x releases cannot be read",
        "refused: 1 x emoji cannot be read",
    ] {
        assert!(said(&output).contains(line), "{line}\n{}", said(&output));
    }
    assert_eq!(numbers(&folder), [1, 2, 4]);
    assert_eq!(folder.lines("edgeforge/manifest.json")[0]["at"], json!(null));
    let _ = at(0);
}

#[test]
fn comments_on_commits_are_in_the_estimate() {
    let mut world = small();
    world.project["statistics"] = json!({"commit_count": 140});
    let (gitlab, folder) = (GitLab::new(world, Version::Eighteen, Faults::default()), Folder::new());
    for (more, line) in
        [(&[][..], "3 issues, about 19 requests"), (&["--with", "commit-comments"], "about 161 requests")]
    {
        let output = folder.export(&gitlab, &[more, &["--full"]].concat());
        ends_with(&output, 0);
        assert!(said(&output).contains(line), "{}", said(&output));
    }
}

#[test]
fn a_request_is_tried_again_as_often_as_is_said() {
    for retries in [0, 2] {
        let broken = Faults { each: 1, faults: vec![Fault::Broken] };
        let (gitlab, folder) = (GitLab::new(small(), Version::Eighteen, broken), Folder::new());
        ends_with(&folder.export(&gitlab, &["--retries", &retries.to_string()]), 3);
        assert_eq!(gitlab.http.requests(), 1 + retries);
    }
}

#[test]
fn a_source_that_refuses_all_ends_with_three() {
    let gitlab = GitLab::new(small(), Version::Eighteen, Faults::default());
    let folder = Folder::new();
    let fixed = ["export", "--from", &gitlab.http.address, "--project", "group/other", "--to", "out"];
    ends_with(&folder.program(&fixed).output().unwrap(), 3);
    let mut wrong = folder.program(&fixed);
    ends_with(&wrong.env("EDGEFORGE_SOURCE_TOKEN", "other").output().unwrap(), 3);
}
