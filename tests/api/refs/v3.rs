//! Branches, tags, and what they name.

use crate::support::git::{line, sha};
use crate::support::{Visibility, World, spec};
use serde_json::json;

fn world() -> World {
    let world = World::new(spec(), Visibility::Private);
    let [tip, old] = [sha(3), sha(1)];
    world.push(
        &line(3),
        &[
            ("refs/heads/master", &tip),
            ("refs/heads/feature/x", &old),
            ("refs/tags/v1.2.3", &old),
            ("refs/tags/v2.json", &tip),
        ],
    );
    world
}

#[test]
fn branches_are_listed_by_name_for_those_who_may_read_code() {
    let world = world();
    let branches = world.get("/repository/branches").by(&world.rae).gives(200).json;
    assert_eq!(branches[0]["name"], "feature/x");
    assert_eq!(branches[0]["protected"], false);
    assert_eq!(branches[1]["name"], "master");
    assert_eq!(branches[1]["protected"], true);
    assert_eq!(branches[1]["commit"]["id"], sha(3));
    assert_eq!(branches[1]["commit"]["parent_ids"], json!([sha(2)]));
    assert_eq!(branches[1]["commit"]["committed_date"], "2014-05-16T18:53:20+02:00");
    let one = world.get("/repository/branches/feature%2Fx").by(&world.rae).gives(200).json;
    assert_eq!(one, branches[0]);
    world.get("/repository/branches/nope").by(&world.rae).refused(404, json!({ "message": "404 Branch Not Found" }));
}

#[test]
fn tags_are_listed_last_name_first() {
    let world = world();
    let tags = world.get("/repository/tags").by(&world.rae).gives(200).json;
    assert_eq!(tags[0]["name"], "v2.json");
    assert_eq!(tags[1]["name"], "v1.2.3");
    assert_eq!(tags[1]["commit"]["id"], sha(1));
    assert_eq!(tags[1]["release"], json!(null));
    assert_eq!(world.get("/repository/tags/v1.2.3").by(&world.rae).gives(200).json, tags[1]);
    world.get("/repository/tags/v9").by(&world.rae).refused(404, json!({ "message": "404 Tag Not Found" }));
}

#[test]
fn a_commit_is_named_by_hash_abbreviation_branch_or_tag() {
    let world = world();
    let full = sha(3);
    for name in [full.as_str(), &full[..8], &full[..39], &full.to_uppercase(), "master"] {
        let found = world.get(&format!("/repository/commits/{name}")).by(&world.rae).gives(200).json;
        assert_eq!(found["id"], sha(3), "{name}");
    }
    for name in ["feature%2Fx", "v1.2.3"] {
        let found = world.get(&format!("/repository/commits/{name}")).by(&world.rae).gives(200).json;
        assert_eq!(found["id"], sha(1), "{name}");
    }
    for name in ["nope", "abc", &"0".repeat(40), "refs%2Fheads%2Fmaster%2F"] {
        world
            .get(&format!("/repository/commits/{name}"))
            .by(&world.rae)
            .refused(404, json!({ "message": "404 Commit Not Found" }));
    }
}

#[test]
fn a_branch_may_be_called_like_a_file() {
    let world = World::new(spec(), Visibility::Private);
    let commits = line(2);
    let (old, new) = (sha(1), sha(2));
    world.push(&commits, &[("refs/heads/x", &old), ("refs/heads/x.json", &new), ("refs/tags/v.json", &old)]);
    let get = |path: &str| world.get(&format!("/repository/{path}")).by(&world.rae).gives(200).json;
    assert_eq!(get("branches/x.json")["commit"]["id"], json!(new));
    assert_eq!(get("branches/x")["commit"]["id"], json!(old));
    assert_eq!(get("tags/v.json")["commit"]["id"], json!(old));
    assert_eq!(get(&format!("commits/{new}.json"))["id"], json!(new));
    for (path, commit) in [("x.json", &new), ("x%2Ejson", &new), ("refs%2Fheads%2Fx.json", &new), ("x", &old)] {
        assert_eq!(get(&format!("commits/{path}"))["id"], json!(commit), "{path}");
    }
    assert_eq!(get("branches.json").as_array().unwrap().len(), 2);
}
