//! Merge bases by every kind of name, against git itself.

use super::compare::{Repository, dated};
use crate::commits::names::segment;
use crate::support::{Dice, Visibility, World, spec};
use serde_json::json;

/// A history with a root of its own beside that of [`dated`], and annotated tags: plain ones, tags of tags, one that was
/// moved and one that was deleted. Half of the branches are gone. Returns the names.
fn named(world: &World, seed: u64) -> (Repository, Vec<String>) {
    let (repository, all) = dated(seed);
    let tree = repository.text(&["rev-parse", &format!("{}^{{tree}}", all[0])]);
    let apart = repository.text(&["commit-tree", "-m", "apart", &tree]);
    repository.git(&["branch", "apart", &apart], b"");
    repository.push(world);
    let object = |name: &str, at: &str| {
        repository.git(&["tag", "-a", "-f", "-m", name, name, at], b"");
        repository.text(&["rev-parse", &format!("refs/tags/{name}")])
    };
    let (mut names, mut dice) = (vec![apart[..12].to_owned(), "apart".to_owned(), apart], Dice(seed));
    for n in 0..6 {
        let commit = dice.one(&all).clone();
        let (plain, outer) = (format!("v{n}.0"), format!("of/v{n}"));
        let tag = object(&plain, &commit);
        world.tag(&format!("refs/tags/{plain}"), [None, Some(&commit)], Some(&tag), &[]);
        let tag_of_tag = object(&outer, &plain);
        world.tag(&format!("refs/tags/{outer}"), [None, Some(&commit)], Some(&tag_of_tag), &[&tag]);
        names.extend([tag[..8].to_owned(), tag_of_tag.to_uppercase(), format!("refs/tags/{outer}")]);
        if n % 3 == 1 {
            let other = dice.one(&all);
            let moved = object(&plain, other);
            world.tag(&format!("refs/tags/{plain}"), [Some(&commit), Some(other)], Some(&moved), &[]);
            names.extend([moved, plain.clone()]);
        } else if n % 3 == 2 {
            world.tag(&format!("refs/tags/{plain}"), [Some(&commit), None], None, &[]);
        } else {
            names.extend([plain.clone(), outer]);
        }
        names.push(tag);
    }
    for (n, commit) in all.iter().enumerate() {
        names.extend([commit.clone(), commit[..9].to_owned()]);
        if n % 2 == 1 {
            world.tag(&format!("refs/heads/b{n}"), [Some(commit), None], None, &[]);
        } else {
            names.extend([format!("b{n}"), format!("refs/heads/b{n}")]);
        }
    }
    (repository, names)
}

#[test]
fn merge_bases_are_those_of_git_by_names_of_tags_and_old_hashes_too() {
    let (mut found, mut first, mut none) = (0, 0, 0);
    for seed in 1..=3 {
        let world = World::new(spec(), Visibility::Private);
        let (repository, names) = named(&world, seed);
        let mut dice = Dice(seed);
        for _ in 0..90 {
            let refs: Vec<&String> = (0..2 + dice.roll(6) / 5).map(|_| dice.one(&names)).collect();
            let query: Vec<String> = refs.iter().map(|name| format!("refs[]={}", segment(name))).collect();
            let path = format!("/repository/merge_base?{}", query.join("&"));
            let answer = world.v4("GET", &path).by(&world.rae).send();
            let hash = |name: &String| repository.text(&["rev-parse", &format!("{name}^{{commit}}")]);
            let hashes: Vec<String> = refs.iter().map(|name| hash(name)).collect();
            let best = repository.merge_bases(&hashes);
            if best.is_empty() {
                assert_eq!(
                    (answer.status, &answer.json["message"]),
                    (404, &json!("404 Merge Base Not Found")),
                    "{refs:?}"
                );
                none += 1;
                continue;
            }
            let base = answer.json["id"].as_str().unwrap_or_else(|| panic!("{refs:?}: {}", answer.text));
            assert!(best.iter().any(|known| known == base), "{refs:?}: {base} is none of {best:?}");
            first += usize::from(best[0] == base);
            found += 1;
        }
    }
    println!("{found} bases, {first} are the first of git, {none} without");
    assert!(found > 150 && first > found * 9 / 10 && none > 3, "{found}, {first} are the first of git, {none} without");
}
