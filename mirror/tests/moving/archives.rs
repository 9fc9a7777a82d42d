//! An archive in the words of GitLab's own export, which has more fields, and no folder `edgeforge`.

use std::fs;

use serde_json::{Value, json};

use crate::forge::Target;
use crate::gitlab::{GitLab, SOURCE_TOKEN, Version, small};
use crate::http::Faults;
use crate::programs::{Folder, ends_with, said};

fn written() -> Folder {
    let folder = Folder::new();
    let write = |path: &str, lines: &[Value]| {
        let place = folder.0.join("out").join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    };
    fs::create_dir_all(folder.0.join("out")).unwrap();
    fs::write(folder.0.join("out/VERSION"), "0.2.4").unwrap();
    write(
        "tree/project.json",
        &[json!({"description": "D", "visibility_level": 20, "archived": false, "import_type": null})],
    );
    let (one, two) = ("2016-06-14T15:02:08.340Z", "2016-06-14 15:02:47 UTC");
    let milestone = json!({"id": 1, "title": "Next", "project_id": 8, "iid": 1, "state": "active", "created_at": one, "updated_at": two});
    let mut other = milestone.clone();
    other["title"] = json!("With the number of another");
    write("tree/project/milestones.ndjson", &[milestone]);
    let label = json!({"id": 2, "title": "slow", "color": "#428bca", "type": "ProjectLabel", "priorities": []});
    write("tree/project/labels.ndjson", std::slice::from_ref(&label));
    let member = json!({"access_level": 50, "user_id": 2, "user": {"id": 2, "username": "anna", "public_email": "anna@example.com"}});
    write("tree/project/project_members.ndjson", &[member]);
    write(
        "tree/project/user_contributions.ndjson",
        &[json!({"id": 3, "username": "bob", "name": "Bob", "public_email": ""})],
    );
    // as GitLab writes one without a line
    fs::write(folder.0.join("out/tree/project/releases.ndjson"), "null").unwrap();
    write("tree/project/merge_requests.ndjson", &[json!({"iid": 1}), json!({"iid": 2})]);
    write(
        "tree/project/issues.ndjson",
        &[json!({
            "id": 40, "iid": 10, "title": "Slow", "author_id": 2, "project_id": 5, "created_at": one, "updated_at": two,
            "description": "Why?", "state": "closed", "closed_at": two, "closed_by_id": 3, "confidential": false,
            "work_item_type": {"base_type": "incident"}, "relative_position": 4, "lock_version": 0,
            "issue_assignees": [{"user_id": 2, "issue_id": 40}, {"user_id": 3, "issue_id": 40}],
            "timelogs": [{"time_spent": 600, "user_id": 2}, {"time_spent": -60, "user_id": 2}],
            "label_links": [{"id": 2, "label": label}, {"id": 3, "label": {"title": "of a group", "color": "#fff", "type": "GroupLabel"}}],
            "milestone": other, "award_emoji": [{"name": "clapper", "user_id": 4, "created_at": one}],
            "notes": [{"id": 351, "note": "Because.", "noteable_type": "Issue", "author_id": 4, "created_at": one, "updated_at": one,
                "system": false, "author": {"name": "Carol C."}, "events": [], "attachment": {"url": null}}],
            "resource_label_events": [{"action": "remove", "user_id": 2, "created_at": two, "label": {"title": "slow"}}],
            "resource_state_events": [{"user_id": 3, "created_at": two, "state": "closed", "source_commit": null}],
            "resource_milestone_events": [{"user_id": 2, "action": "add", "state": "opened", "created_at": two, "milestone": {"title": "Gone", "iid": 9}}],
        })],
    );
    write(
        "tree/project/ci_pipelines.ndjson",
        &[json!({
            "sha": "b".repeat(40), "ref": "main", "status": "failed", "user_id": 2,
            "stages": [{"name": "test", "builds": [{"name": "unit", "status": "failed", "created_at": one, "coverage": null}],
                "generic_commit_statuses": [{"name": "lint", "status": "success", "created_at": one, "user_id": 3}]}],
        })],
    );
    write(
        "tree/project/commit_notes.ndjson",
        &[json!({
            "note": "Typo", "noteable_type": "Commit", "author_id": 2, "created_at": one, "commit_id": "b".repeat(40),
            "position": {"new_path": "a.rs", "new_line": 7, "old_line": null}, "author": {"name": "Anna"},
        })],
    );
    folder
}

const SOURCE: &[&str] = &["--source-url", "https://gl.example.com/group/proj"];

#[test]
fn an_archive_of_gitlab_is_read() {
    let folder = written();
    let target = Target::new(Faults::default());
    let output = folder.import(&target, &[SOURCE, &["--create-users"]].concat());
    ends_with(&output, 0);
    let forge = target.forge();
    let of = |kind: &str| forge.of_kind(kind)[0].clone();
    let issue = of("issue");
    assert_eq!((&issue["at"], &issue["updated_at"]), (&json!(1_465_916_528_340_i64), &json!(1_465_916_567_000_i64)));
    assert_eq!((forge.user(&issue["closed_by"]), &issue["spent"], &issue["iid"]), ("bob", &json!(540), &json!(10)));
    assert_eq!(
        (&issue["labels"], &issue["milestone"]),
        (&json!(["of a group", "slow"]), &json!("With the number of another"))
    );
    assert_eq!(forge.of_kind("milestone").len(), 2);
    assert_eq!(forge.user(&of("note")["author"]), "user-4");
    assert_eq!(forge.users.iter().find(|user| user["username"] == "anna").unwrap()["state"], "active");
    assert_eq!(forge.of_kind("event").len(), 3);
    let comment = of("comment");
    assert_eq!((&comment["path"], &comment["line"], &comment["line_type"]), (&json!("a.rs"), &json!(7), &json!("new")));
    let statuses: Vec<_> =
        forge.of_kind("status").iter().map(|of| (of["name"].clone(), forge.user(&of["user"]).to_owned())).collect();
    assert_eq!(statuses.len(), 2);
    assert!(
        statuses.contains(&(json!("lint"), "bob".to_owned())) && statuses.contains(&(json!("unit"), "anna".to_owned()))
    );
    for line in ["2 x merge requests", "1 x issues of the type incident", "1 x further people"] {
        assert!(said(&output).contains(line), "{line}\n{}", said(&output));
    }
}

#[test]
fn comments_of_pipelines_come_once() {
    let folder = written();
    let path = folder.0.join("out/tree/project/ci_pipelines.ndjson");
    let note = |text: &str, author: i64| {
        json!({"note": text, "noteable_type": "Commit", "author_id": author, "author": {"name": "Dora"},
            "created_at": "2016-06-14T15:02:08.340Z", "commit_id": "b".repeat(40)})
    };
    let mut pipeline: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    // the first one is in commit_notes, too
    pipeline["notes"] = json!([note("Typo", 2), note("Where?", 5)]);
    let second = json!({"sha": "b".repeat(40), "ref": "main", "stages": [], "notes": [note("Where?", 5)]});
    fs::write(&path, format!("{pipeline}\n{second}\n")).unwrap();
    let target = Target::new(Faults::default());
    ends_with(&folder.import(&target, SOURCE), 0);
    let forge = target.forge();
    let mut comments: Vec<_> =
        forge.of_kind("comment").iter().map(|of| (of["note"].clone(), forge.user(&of["author"]))).collect();
    comments.sort_by_key(|(note, _)| note.to_string());
    assert_eq!(comments, [(json!("Typo"), "anna"), (json!("Where?"), "user-5")]);
}

#[test]
fn types_by_name_and_people_who_are_named_twice_are_told() {
    let folder = written();
    let path = folder.0.join("out/tree/project/issues.ndjson");
    let mut issue: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let mut lines = String::new();
    for (iid, kind) in
        [(10, json!({"name": "Task"})), (11, json!({"name": "Issue"})), (12, json!({"base_type": "issue"}))]
    {
        issue["iid"] = json!(iid);
        issue["work_item_type"] = kind;
        issue["issue_assignees"] = json!([{"user_id": 2}, {"user_id": 3}, {"user_id": 3}]);
        lines += &format!("{issue}\n");
    }
    fs::write(&path, lines).unwrap();
    let target = Target::new(Faults::default());
    let output = folder.import(&target, SOURCE);
    ends_with(&output, 0);
    for line in ["left out: 1 x issues of the type task", "left out: 3 x further people"] {
        assert!(said(&output).contains(line), "{line}\n{}", said(&output));
    }
}

#[test]
fn an_archive_of_gitlab_needs_to_be_told_where_it_comes_from() {
    let folder = written();
    let target = Target::new(Faults::default());
    let output = folder.import(&target, &[]);
    ends_with(&output, 2);
    assert!(said(&output).contains("give --source-url"), "{}", said(&output));
    assert_eq!(target.http.requests(), 0);
}

#[test]
fn the_source_is_asked_who_people_are() {
    let folder = written();
    let gitlab = GitLab::new(small(), Version::Eighteen, Faults::default());
    let mut carol = crate::gitlab::user(4, "carol", Some("carol@example.com"));
    carol["public_email"] = json!("carol@example.com");
    gitlab.world().users.insert(4, carol);
    fs::write(folder.0.join("source.token"), SOURCE_TOKEN).unwrap();
    let target = Target::new(Faults::default());
    target.forge().add_user("caroline", "carol@example.com", false);
    let url = format!("{}/group/proj", gitlab.http.address);
    ends_with(&folder.import(&target, &["--source-url", &url, "--source-token-file", "source.token"]), 0);
    let forge = target.forge();
    assert_eq!(forge.user(&forge.of_kind("note")[0]["author"]), "caroline");
}

#[test]
fn the_same_records_come_from_an_archive_of_gitlab_and_from_its_api() {
    // keys have no number that only one of both has
    let folder = written();
    let target = Target::new(Faults::default());
    ends_with(&folder.import(&target, SOURCE), 0);
    let keys: Vec<_> = target.forge().records.keys().cloned().collect();
    let path = folder.0.join("out/tree/project/issues.ndjson");
    let mut line: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    line.as_object_mut().unwrap().remove("id");
    line["notes"][0].as_object_mut().unwrap().remove("id");
    fs::write(&path, line.to_string()).unwrap();
    ends_with(&folder.import(&target, SOURCE), 0);
    assert_eq!(target.forge().records.keys().cloned().collect::<Vec<_>>(), keys);
}
