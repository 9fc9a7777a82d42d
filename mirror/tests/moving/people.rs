use serde_json::json;

use crate::forge::{Forge, Target};
use crate::gitlab::small;
use crate::http::Faults;
use crate::programs::{Folder, ends_with, exported, said};

fn author_of(forge: &Forge, iid: i64) -> String {
    let issues = forge.of_kind("issue");
    forge.user(&issues.iter().find(|of| of["iid"] == iid).unwrap()["author"]).to_owned()
}

fn state_of(forge: &Forge, username: &str) -> (String, String) {
    let user = forge.users.iter().find(|user| user["username"] == username).unwrap();
    (user["email"].as_str().unwrap().to_owned(), user["state"].as_str().unwrap().to_owned())
}

fn host(address: &str) -> String {
    address.trim_start_matches("http://").replace(':', "-")
}

#[test]
fn a_person_is_found_by_a_confirmed_address() {
    let (_gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    target.forge().add_user("annegret", "Anna@Example.com", false);
    ends_with(&folder.import(&target, &[]), 0);
    assert_eq!(author_of(&target.forge(), 1), "annegret");
    let report = folder.report("import.json");
    assert_eq!(report["people"], json!({"by their address": 1, "as new placeholders": 1}));
    // a mention follows
    let forge = target.forge();
    assert!(forge.of_kind("note").iter().any(|note| note["body"].as_str().unwrap().ends_with(" @annegret")));
}

#[test]
fn an_equal_user_name_finds_nobody() {
    let (gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    target.forge().add_user("bob", "bob@here.example.com", false);
    ends_with(&folder.import(&target, &[]), 0);
    let forge = target.forge();
    let note = forge.of_kind("note").into_iter().find(|note| note["body"].as_str().unwrap().contains("Look")).unwrap();
    assert_eq!(forge.user(&note["author"]), "bob-127");
    let expected = (format!("3@{}.import.invalid", host(&gitlab.http.address)), "blocked".to_owned());
    assert_eq!(state_of(&forge, "bob-127"), expected);
}

#[test]
fn an_address_that_is_not_confirmed_finds_nobody() {
    let mut world = small();
    world.users.get_mut(&2).unwrap()["confirmed_at"] = json!(null);
    let (_gitlab, folder) = exported(world);
    let target = Target::new(Faults::default());
    target.forge().add_user("annegret", "anna@example.com", false);
    ends_with(&folder.import(&target, &[]), 0);
    assert_eq!(author_of(&target.forge(), 1), "anna");
}

#[test]
fn the_map_stands_before_the_address_and_can_be_changed_later() {
    let (_gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    target.forge().add_user("annegret", "anna@example.com", false);
    target.forge().add_user("robert", "robert@example.com", false);
    std::fs::write(folder.0.join("map.txt"), "# who is who\nanna -\n3 robert # by number\n").unwrap();
    ends_with(&folder.import(&target, &["--map", "map.txt"]), 0);
    assert_eq!(author_of(&target.forge(), 1), "anna");
    assert_eq!(state_of(&target.forge(), "anna").1, "blocked");
    std::fs::write(folder.0.join("map.txt"), "anna annegret\nbob robert\n").unwrap();
    ends_with(&folder.import(&target, &["--map", "map.txt"]), 0);
    assert_eq!(author_of(&target.forge(), 1), "annegret");
    let report = folder.report("import.json");
    // three issues, a comment and an emoji of anna, and a comment that names her
    assert_eq!(report["kinds"]["record"]["changed"], 3 + 2 + 1);
}

#[test]
fn a_map_that_is_wrong_writes_nothing() {
    let (_gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    for (wrong, why) in [
        ("anna nobody-here", "line 1: there is no user nobody-here here"),
        ("carol root", "line 1: nobody in the archive is called carol"),
        ("anna", "line 1: give a user name"),
        ("anna root\n2 -", "line 2: anna has two lines"),
    ] {
        std::fs::write(folder.0.join("map.txt"), wrong).unwrap();
        let output = folder.import(&target, &["--map", "map.txt"]);
        ends_with(&output, 2);
        assert!(said(&output).contains(why) || said(&output).contains("2 has two lines"), "{}", said(&output));
    }
    std::fs::remove_file(folder.0.join("map.txt")).unwrap();
    let output = folder.import(&target, &["--map", "map.txt"]);
    ends_with(&output, 2);
    assert!(said(&output).contains("map.txt: No such file"), "{}", said(&output));
    assert_eq!(target.forge().writes, 0);
}

#[test]
fn without_a_group_for_the_project_nobody_is_made() {
    let (_gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    target.forge().has_project = false;
    target.forge().lacks_group = true;
    for more in [&["--create"][..], &["--create", "--create-users"], &["--create", "--dry-run"]] {
        let output = folder.import(&target, more);
        ends_with(&output, 4);
        assert!(said(&output).contains("there is no group new at"), "{}", said(&output));
    }
    let output = folder.import(&target, &[]);
    ends_with(&output, 4);
    assert!(said(&output).contains("make it, or give --create"), "{}", said(&output));
    assert_eq!(target.forge().writes, 0);
}

#[test]
fn a_dry_run_sees_that_the_group_is_less_visible_than_the_project() {
    let mut world = small();
    world.project["visibility"] = json!("internal");
    let (_gitlab, folder) = exported(world);
    let target = Target::new(Faults::default());
    target.forge().has_project = false;
    for (is_public, code) in [(false, 4), (true, 0)] {
        target.forge().has_public_group = is_public;
        let output = folder.import(&target, &["--create", "--dry-run"]);
        ends_with(&output, code);
        assert_eq!(said(&output).contains("the group new is private, and new/proj is internal"), !is_public);
    }
}

#[test]
fn a_dry_run_writes_a_map_to_fill_in_and_decides_nothing() {
    let (_gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    target.forge().add_user("bob", "bob@here.example.com", false);
    ends_with(&folder.import(&target, &["--dry-run", "--map", "map.txt"]), 0);
    let map = std::fs::read_to_string(folder.0.join("map.txt")).unwrap();
    assert!(
        map.contains("# bob bob   # bob of 3: the same user name") && map.contains("# anna -   # anna of 2"),
        "{map}"
    );
    ends_with(&folder.import(&target, &["--map", "map.txt"]), 0);
    assert!(target.forge().users.iter().any(|user| user["username"] == "bob-127"));
}

#[test]
fn a_dry_run_writes_a_map_also_if_nobody_lacks() {
    let (_gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    ends_with(&folder.import(&target, &[]), 0);
    ends_with(&folder.import(&target, &["--dry-run", "--map", "map.txt"]), 0);
    ends_with(&folder.import(&target, &["--map", "map.txt"]), 0);
}

#[test]
fn accounts_are_made_only_for_confirmed_addresses_and_only_if_asked() {
    let (_gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    ends_with(&folder.import(&target, &["--create-users", "--with", "members"]), 0);
    let forge = target.forge();
    assert_eq!(state_of(&forge, "anna"), ("anna@example.com".to_owned(), "active".to_owned()));
    assert_eq!(state_of(&forge, "bob").1, "blocked");
    let anna = forge.users.iter().find(|user| user["username"] == "anna").unwrap()["id"].as_i64().unwrap();
    assert_eq!(forge.members, [(anna, 40)].into());
}

#[test]
fn a_placeholder_is_no_member() {
    let (_gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    ends_with(&folder.import(&target, &["--with", "members"]), 0);
    assert!(target.forge().members.is_empty());
}

#[test]
fn a_later_import_finds_the_placeholders() {
    let (_gitlab, folder) = exported(small());
    let target = Target::new(Faults::default());
    ends_with(&folder.import(&target, &[]), 0);
    let users = target.forge().users.len();
    ends_with(&folder.import(&target, &[]), 0);
    assert_eq!(target.forge().users.len(), users);
    assert_eq!(folder.report("import.json")["people"], json!({"as placeholders": 2}));
}

#[test]
fn no_token_is_printed() {
    let folder = Folder::new();
    let target = Target::new(Faults::default());
    let output = folder.import(&target, &["--verbose"]);
    assert!(!said(&output).contains(crate::forge::TOKEN));
}
