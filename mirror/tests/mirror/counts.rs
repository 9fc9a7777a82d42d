use std::collections::BTreeSet;

use crate::peer::Peer;
use crate::repo::Repo;

#[test]
fn a_branch_that_moves_is_told_with_the_number_of_its_commits() {
    let (repo, peer) = (Repo::grown(3), Peer::new());
    repo.git(&["branch", "side", "HEAD~1"]);
    repo.git(&["tag", "v1"]);
    let sent_count = |name: &str| {
        let world = peer.world();
        world.swapped.iter().find(|change| change["name"] == name).map(|change| change["commits"].clone())
    };
    repo.sync(&peer, &[]);
    for name in ["refs/heads/main", "refs/heads/side"] {
        let counted = repo.git(&["rev-list", "--count", name]);
        assert_eq!(sent_count(name).unwrap().to_string(), counted.trim(), "{name}");
    }
    assert_eq!(sent_count("refs/tags/v1"), Some(serde_json::Value::Null), "tags are not counted");
    repo.grow(2);
    repo.sync(&peer, &[]);
    let counted = repo.git(&["rev-list", "--count", "main"]);
    assert_eq!(sent_count("refs/heads/main").unwrap().to_string(), counted.trim());
    assert_eq!(sent_count("refs/heads/side"), None, "it did not move");
}

/// Random histories with merges of up to three parents and several roots. `skewed`: with clocks that are
/// wrong.
fn drawn(seed: u64, skewed: bool) -> Repo {
    const BRANCHES: u64 = 60;
    let mut state = seed;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    let mut text = String::new();
    for number in 1..=BRANCHES {
        let date = if skewed { draw(100_000_000) } else { number * 100 };
        text += &format!("commit refs/heads/b{number}\nmark :{number}\ncommitter A <a@x> {date} +0000\ndata 0\n");
        let mut parents: Vec<u64> = (0..1 + draw(3)).map(|_| number - (1 + draw(9)).min(number)).collect();
        parents.sort_unstable();
        parents.dedup();
        parents.retain(|parent| *parent > 0);
        for (at, parent) in parents.iter().enumerate() {
            text += &format!("{} :{parent}\n", if at == 0 { "from" } else { "merge" });
        }
        text += &format!("M 644 inline f\ndata 2\n{number:02}\n\n");
    }
    let repo = Repo::new();
    repo.feed(&["fast-import", "--quiet"], text.as_bytes());
    repo.git(&["symbolic-ref", "HEAD", &format!("refs/heads/b{}", 1 + draw(BRANCHES))]);
    repo
}

#[test]
fn the_number_of_commits_of_every_branch_is_exact() {
    for (seed, skewed) in [(1, false), (2, false), (3, true), (4, true)] {
        let (repo, peer) = (drawn(seed, skewed), Peer::new());
        repo.sync(&peer, &[]);
        let world = peer.world();
        let mut different = BTreeSet::new();
        for change in &world.swapped {
            let name = change["name"].as_str().unwrap();
            let counted = repo.git(&["rev-list", "--count", name]);
            assert_eq!(change["commits"].to_string(), counted, "{name} of history {seed}");
            different.insert(counted);
        }
        assert!(world.swapped.len() == 60 && different.len() > 20, "{different:?}");
    }
}
