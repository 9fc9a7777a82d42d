use serde_json::json;

use crate::gitlab::{SOURCE_TOKEN, at, basic, note, small};
use crate::programs::{Folder, ends_with, exported, said};

/// The source itself stands for the server.
fn verify(folder: &Folder, address: &str) -> std::process::Output {
    let fixed = ["import", "--verify", "--archive", "out", "--server", address, "--project", "group/proj"];
    folder.program(&fixed).env("EDGEFORGE_TOKEN", SOURCE_TOKEN).output().unwrap()
}

fn world() -> crate::gitlab::World {
    let mut world = small();
    // found by their addresses
    for (id, user) in &mut world.users {
        (user["email"], user["confirmed_at"]) = (json!(format!("{id}@example.com")), json!(at(0)));
    }
    world
}

#[test]
fn a_project_as_the_archive_has_no_difference() {
    let (gitlab, folder) = exported(world());
    let output = verify(&folder, &gitlab.http.address);
    ends_with(&output, 0);
    assert!(said(&output).contains("3 issues and 13 records compared, 0 differences"), "{}", said(&output));
}

#[test]
fn a_file_that_no_text_names_is_looked_for_in_the_list() {
    let (gitlab, folder) = exported(world());
    let home = folder.0.join("out/uploads").join("f".repeat(32));
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("unnamed.png"), "12345").unwrap();
    for (size, code) in [(None, 1), (Some(4), 1), (Some(5), 0)] {
        let listed = size.map(|size| json!({"secret": "f".repeat(32), "size": size}));
        *gitlab.world().list("uploads") = listed.into_iter().collect();
        let output = verify(&folder, &gitlab.http.address);
        ends_with(&output, code);
        assert_eq!(said(&output).contains("unnamed.png is not in the project"), code == 1, "{}", said(&output));
    }
}

#[test]
fn every_difference_is_told() {
    let (gitlab, folder) = exported(world());
    {
        let mut world = gitlab.world();
        world.list("issues")[1]["description"] = json!("Another text of the issue, which is longer than before");
        world.list("issues")[2]["state"] = json!("closed");
        world.list("issues/2/notes").pop();
        world.list("issues/2/award_emoji").clear();
        world.list("issues/1/notes").push(note(900, basic(2, "anna"), 900, "Only here"));
        world.list("issues/1/links").clear();
        world.list("issues/2/links").clear();
        world.list("labels")[0]["color"] = json!("#00ff00");
        world.files.clear();
    }
    let output = verify(&folder, &gitlab.http.address);
    ends_with(&output, 1);
    for line in [
        "issue 2: description differs (9 and 54 bytes)",
        "issue 4: state differs (\"opened\" and \"closed\")",
        "issue 2: 1 comments only in the archive, 0 only here",
        "issue 2: 1 emoji only in the archive, 0 only here",
        "issue 1: 0 comments only in the archive, 1 only here",
        "link: not in the project as in the archive",
        "label: not in the project as in the archive",
        "uploads/0123456789abcdef0123456789abcdef/a.png is not in the project",
    ] {
        assert!(said(&output).contains(line), "{line}\n{}", said(&output));
    }
}
