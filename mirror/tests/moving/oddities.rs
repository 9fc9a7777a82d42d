//! Forty oddities of a GitLab, each with what becomes of it.

use serde_json::{Value, json};

use crate::forge::{Forge, Target};
use crate::gitlab::{World, at, basic, issue, note, small, user};
use crate::http::Faults;
use crate::programs::{Folder, ends_with, exported, said};

/// The world, where it went, what was said, the code of the import.
fn moved(world: World, code: i32) -> (Target, String, Folder) {
    let target = Target::new(Faults::default());
    target.forge().add_user("4711", "group@here.example.com", false);
    let (_gitlab, folder) = exported(world);
    let output = folder.import(&target, &["--source-url", "https://gl.example.com/group/proj"]);
    ends_with(&output, code);
    let export = folder.report("export.json").to_string();
    (target, format!("{}{export}", said(&output)), folder)
}

fn one(forge: &Forge, kind: &str, fits: impl Fn(&Value) -> bool) -> Value {
    let found: Vec<_> = forge.of_kind(kind).into_iter().filter(|of| fits(of)).collect();
    assert_eq!(found.len(), 1, "{kind} {found:?}");
    found[0].clone()
}

fn issue_of(forge: &Forge, iid: i64) -> Value {
    one(forge, "issue", |of| of["iid"] == iid)
}

#[test]
fn odd_people_become_placeholders() {
    let mut world = small();
    world.lists.retain(|path, _| !path.starts_with("issues"));
    let mut people = [
        user(5, "ghost", None),
        user(6, "project_12_bot", None),
        user(7, "blocked", Some("blocked@example.com")),
        user(8, "twin", None),
        user(9, "Twin", None),
        user(10, "4711", None),
    ];
    people[1]["bot"] = json!(true);
    people[2]["state"] = json!("blocked");
    for (iid, person) in (1..).zip(people.clone()) {
        let mut of = issue(iid, "By somebody odd");
        of["author"] = basic(person["id"].as_i64().unwrap(), person["username"].as_str().unwrap());
        world.list("issues").push(of);
        world.users.insert(person["id"].as_i64().unwrap(), person);
    }
    let mut nobodys = issue(7, "By nobody");
    nobodys["author"] = json!(null);
    world.list("issues").push(nobodys);
    // the address is one person's here, the user name another's
    world.users.insert(11, user(11, "root", Some("group@here.example.com")));
    let mut two = issue(8, "Two");
    two["author"] = basic(11, "root");
    world.list("issues").push(two);
    let (target, said, _) = moved(world, 0);
    let forge = target.forge();
    let authors: Vec<_> = (1..=8).map(|iid| forge.user(&issue_of(&forge, iid)["author"]).to_owned()).collect();
    assert_eq!(
        authors,
        ["ghost", "project_12_bot", "blocked", "twin", "Twin-gl", "user-10", "nobody", "4711"],
        "{said}"
    );
    let nobody = forge.users.iter().find(|user| user["username"] == "nobody").unwrap();
    assert_eq!(nobody["email"], "nobody@gl.example.com.import.invalid");
}

#[test]
fn odd_issues_come_as_near_as_they_can() {
    let mut world = small();
    world.lists.retain(|path, _| !path.starts_with("issues"));
    let mut all: Vec<_> = (0..12).map(|number| issue(number * 3 + 1, "Odd")).collect();
    all[0]["created_at"] = json!("2021-01-01T00:00:00Z");
    all[0]["updated_at"] = json!("2020-01-01T00:00:00Z");
    all[1]["created_at"] = json!("1969-07-20T20:17:40Z");
    all[2]["created_at"] = json!("2100-01-01T00:00:00Z");
    all[3]["state"] = json!("closed");
    all[4]["issue_type"] = json!("incident");
    all[5]["issue_type"] = json!("key_result");
    (all[6]["moved_to_id"], all[6]["weight"], all[6]["epic_iid"]) = (json!(99), json!(3), json!(4));
    all[7]["confidential"] = json!(true);
    (all[8]["description"], all[8]["title"]) = (json!(null), json!("\u{1f600}".repeat(255)));
    (all[9]["description"], all[9]["title"]) = (json!(""), json!("\u{1f600}".repeat(256)));
    all[10]["description"] = json!(format!("a\u{0}b\r\n{}", "x".repeat(1 << 20)));
    all[11]["assignees"] = json!([basic(3, "bob"), basic(2, "anna"), basic(1, "root"), basic(7, "dora")]);
    all[11]["description"] = json!(format!("<script>alert(1)</script> {}", "@anna ".repeat(400)));
    world.lists.insert("issues".to_owned(), all);
    let closed = |minute| json!({"id": minute, "user": basic(3, "bob"), "created_at": at(minute), "state": "closed"});
    *world.list("issues/10/resource_state_events") = (100..105).map(closed).collect();
    let (target, said, _) = moved(world, 0);
    let forge = target.forge();
    let of = |iid| issue_of(&forge, iid);
    assert!(of(1)["at"].as_i64().unwrap() > of(1)["updated_at"].as_i64().unwrap());
    assert_eq!((of(4)["at"].as_i64(), of(7)["at"].as_i64()), (Some(-14_182_940_000), Some(4_102_444_800_000)));
    assert_eq!((&of(10)["closed_at"], of(10).get("closed_by")), (&of(10)["updated_at"], None));
    assert_eq!(forge.of_kind("event").len(), 5);
    assert_eq!((of(22)["confidential"].clone(), of(25).get("description")), (json!(true), None));
    assert_eq!(of(25)["title"].as_str().unwrap().chars().count(), 255);
    assert_eq!(of(28)["title"].as_str().unwrap().chars().count(), 255);
    let text = of(31)["description"].as_str().unwrap().to_owned();
    assert!(
        text.starts_with("ab\r\nxxx")
            && text.ends_with("(cut: 1048580 bytes, see https://gl.example.com/group/proj/-/issues/31)")
    );
    assert_eq!(forge.user(&of(34)["assignee"]), "bob");
    assert!(of(34)["description"].as_str().unwrap().starts_with("<script>alert(1)</script> @anna @anna"));
    for line in [
        "1 x issues of the type incident",
        "1 x issues of the type key_result",
        "1 x values of moved_to_id",
        "1 x values of weight",
        "1 x values of epic",
        "3 x further people that an issue is assigned to",
        "https://gl.example.com/group/proj/-/issues/13",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn odd_comments_and_emoji_are_told() {
    let mut world = small();
    let same: Vec<_> =
        (0..30).map(|number| note(600 + number, basic(2, "anna"), 50, &format!("Same time {number}"))).collect();
    let mut odd = vec![
        note(700, basic(3, "bob"), 60, "For us alone"),
        note(701, basic(3, "bob"), 61, ""),
        note(702, json!(null), 62, "By nobody"),
        note(703, basic(3, "bob"), 63, "added ~7 label and ~99"),
        note(704, basic(3, "bob"), 10, "An answer before its thread"),
    ];
    odd[0]["internal"] = json!(true);
    odd[1]["body"] = json!(null);
    odd[3]["system"] = json!(true);
    odd[4]["award_emoji"] = json!([{"name": "heart", "user": basic(2, "anna"), "created_at": at(64)}]);
    *world.list("issues/1/notes") = same.into_iter().chain(odd).collect();
    let award = |name: &str| json!({"name": name, "user": basic(2, "anna"), "created_at": at(65)});
    *world.list("issues/1/award_emoji") = vec![award("heart"), award("heart"), award("Custom"), award("+1")];
    *world.list("issues/1/resource_label_events") =
        vec![json!({"id": 1, "user": null, "created_at": at(66), "action": "add", "label": null})];
    *world.list("issues/4/notes") = (0..10_000)
        .map(|number| note(10_000 + number, basic(2, "anna"), 100, &format!("One of many {number}")))
        .collect();
    let (target, said, _) = moved(world, 0);
    let forge = target.forge();
    let notes: Vec<_> = forge.of_kind("note").into_iter().filter(|of| of["issue"] == 1).collect();
    assert_eq!(notes.len(), 30 + 3);
    assert_eq!(forge.of_kind("note").iter().filter(|of| of["issue"] == 4).count(), 10_000);
    assert!(!forge.records.values().any(|of| of.to_string().contains("alone")));
    assert!(notes.iter().any(|of| of["body"] == "added ~\"bug\" label and ~99" && of["system"] == true));
    assert!(notes.iter().any(|of| of["body"] == "By nobody" && forge.user(&of["author"]) == "nobody"));
    let heart = one(&forge, "award", |of| of.get("note").is_some());
    let answer = one(&forge, "note", |of| of["body"] == "An answer before its thread");
    assert_eq!(heart["note"], answer["key"]);
    assert_eq!(forge.of_kind("award").iter().filter(|of| of["issue"] == 1).count(), 3);
    assert!(one(&forge, "event", |of| of["issue"] == 1).get("title").is_none());
    for line in [
        "1 x internal comments",
        "1 x comments without a text",
        "1 x emoji that a person gave twice",
        "1 x emoji with a name that is refused here",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn labels_and_milestones_of_groups_become_the_projects() {
    let mut world = small();
    world
        .list("labels")
        .push(json!({"id": 9, "name": "bug", "color": "#00ff00", "description": "Group's", "is_project_label": false}));
    world
        .list("labels")
        .push(json!({"id": 10, "name": "odd", "color": "rainbow", "description": null, "is_project_label": true}));
    let of_group = |title: &str| json!({"id": 32, "iid": 1, "group_id": 5, "title": title, "state": "closed", "created_at": at(0), "updated_at": at(1)});
    world.list("milestones").extend([of_group("v1"), of_group("v2")]);
    world.list("issues")[0]["milestone"] = of_group("v1");
    world.list("issues")[2]["labels"] = json!(["gone", "bug"]);
    let (target, said, _) = moved(world, 0);
    let forge = target.forge();
    assert_eq!(one(&forge, "label", |of| of["title"] == "bug")["color"], "#ff0000");
    assert!(said.contains("1 x colors that are none"), "{said}");
    let titles: Vec<_> =
        forge.of_kind("milestone").iter().map(|of| (of["title"].clone(), of.get("iid").cloned())).collect();
    assert_eq!(titles.len(), 3, "{titles:?}");
    assert!(
        titles.contains(&(json!("v1"), Some(json!(3)))) && titles.contains(&(json!("v1 (group)"), None)),
        "{titles:?}"
    );
    assert_eq!(issue_of(&forge, 1)["milestone"], "v1 (group)");
    assert_eq!(issue_of(&forge, 2)["milestone"], "v1");
    assert_eq!(issue_of(&forge, 4)["labels"], json!(["bug", "gone"]));
}

#[test]
fn odd_links_and_parts_are_told() {
    let mut world = small();
    let link = |iid: i64, project: i64, kind: &str| json!({"iid": iid, "project_id": project, "link_type": kind, "link_created_at": at(1), "web_url": "https://gl.example.com/hidden/-/issues/3"});
    *world.list("issues/1/links") = vec![link(2, 12, "blocks"), link(1, 12, "relates_to"), link(3, 99, "relates_to")];
    *world.list("issues/2/links") = vec![link(1, 12, "is_blocked_by")];
    world.statuses.insert("issues/4/links".to_owned(), 403);
    world.statuses.insert("issues/4/notes".to_owned(), 404);
    *world.list("merge_requests") = vec![json!({}), json!({})];
    let (target, said, _) = moved(world, 0);
    let forge = target.forge();
    let of = one(&forge, "link", |_| true);
    assert_eq!((&of["issue"], &of["target"], &of["type"]), (&json!(1), &json!(2), &json!("blocks")));
    for line in [
        "links of an issue to itself",
        "links to issues of other projects",
        "links: the source answers 403",
        "notes: the source answers 404",
        "merge requests",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

#[test]
fn odd_files_keep_their_links() {
    let mut world = small();
    let secret = |digit: char| digit.to_string().repeat(32);
    let texts = [
        format!("/uploads/{}/missing.png", secret('1')),
        format!("/-/project/99/uploads/{}/foreign.png", secret('2')),
        format!("/-/project/12/uploads/{}/long.png", secret('3')),
        format!("`/uploads/{}/in-code.png`", secret('4')),
        format!("/uploads/{}/a%20b.png?x=1", secret('5')),
        "/uploads/short/x.png and /uploads/".to_owned(),
    ];
    world.list("issues")[0]["description"] = json!(texts.join("\n"));
    for (digit, name) in [('3', "long.png"), ('4', "in-code.png"), ('2', "foreign.png")] {
        world.files.insert(format!("uploads/{}/{name}", secret(digit)), vec![0; 100]);
    }
    let (target, said, _) = moved(world, 0);
    let forge = target.forge();
    let secrets: Vec<_> = forge.files.keys().map(|secret| &secret[..1]).collect();
    assert_eq!(secrets, ["0", "3", "4"]);
    let text = issue_of(&forge, 1)["description"].as_str().unwrap().to_owned();
    assert!(text.contains(&format!("\n/uploads/{}/long.png\n", secret('3'))), "{text}");
    assert!(text.contains("/-/project/99/uploads/") && text.contains("missing.png"), "{text}");
    assert!(said.contains("files that texts name and the source does not have"), "{said}");
}

#[test]
fn odd_releases_deployments_and_statuses_are_told() {
    let mut world = small();
    let sha = "a".repeat(40);
    *world.list("releases") = vec![json!({
        "tag_name": "v1", "name": "One", "description": "First", "author": null, "created_at": at(1), "released_at": at(2),
        "assets": {"links": [{"name": "bin", "url": "https://x.example.com/b", "link_type": "package",
            "direct_asset_url": "https://gl.example.com/group/proj/-/releases/v1/downloads/bin/b"}]},
        "milestones": [{"iid": 3, "title": "v1"}],
    })];
    *world.list("environments") = vec![
        json!({"name": "prod", "external_url": "", "tier": "production", "state": "stopping", "created_at": at(1)}),
    ];
    let deployment = |status: &str, job: Value| {
        json!({"sha": sha, "ref": "main", "status": status, "user": basic(2, "anna"), "created_at": at(3), "finished_at": at(4),
            "environment": {"name": "prod"}, "deployable": job})
    };
    *world.list("deployments") = vec![
        deployment("success", json!({"name": "ship", "started_at": at(3), "tag": true})),
        deployment("failed", json!(null)),
        deployment("blocked", json!(null)),
        deployment("running", json!(null)),
    ];
    *world.list("pipelines") = vec![json!({"id": 1, "sha": sha})];
    let status = |name: &str, status: &str| json!({"name": name, "status": status, "ref": "main", "author": basic(3, "bob"), "created_at": at(5), "coverage": 81.5});
    *world.list(&format!("repository/commits/{sha}/statuses")) = vec![
        status("a", "success"),
        status("a", "success"),
        status("b", "skipped"),
        status("c", "manual"),
        status("d", "created"),
    ];
    let (target, said, _) = moved(world, 0);
    let forge = target.forge();
    let release = one(&forge, "release", |_| true);
    assert_eq!(forge.user(&release["author"]), "nobody");
    assert_eq!(release["links"], json!([["bin", "https://x.example.com/b", "/bin/b", "package"]]));
    assert_eq!(release["milestones"], json!(["v1"]));
    assert_eq!(one(&forge, "environment", |_| true)["state"], "available");
    assert_eq!(one(&forge, "deployment", |of| of["state"] == "success")["job"], "ship");
    assert_eq!(one(&forge, "deployment", |of| of["state"] == "failed")["job"], "deploy");
    assert_eq!(forge.of_kind("status").len(), 3);
    let skipped = one(&forge, "status", |of| of["name"] == "b");
    assert_eq!((&skipped["state"], &skipped["skipped"]), (&json!("canceled"), &json!(true)));
    for line in
        ["statuses that are blocked", "statuses that are manual", "2 x deployments and statuses that are not finished"]
    {
        assert!(said.contains(line), "{line}\n{said}");
    }
}
