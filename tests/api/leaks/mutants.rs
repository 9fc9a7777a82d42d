//! Faults in single statements that the test of noninterference must detect. To try another, add a line.

use super::{Pair, Tally};
use crate::support::spec;
use std::collections::BTreeMap;

/// The seed of worlds that detect the fault (later ones are tried if they do not any more), the fault, a text in statements, and
/// its replacement.
const MUTANTS: &[(u64, &str, &str, &str)] = &[
    (
        1,
        "a confidential issue is shown to everybody who sees the project",
        "(r.confidential = 0 or s.reads_confidential or s.user_id in (r.author_id, r.assignee_id))",
        "true",
    ),
    (
        1,
        "comments of a confidential issue are shown to everybody who sees the project",
        "(i.confidential = 0 or s.reads_confidential or s.user_id in (i.author_id, i.assignee_id))",
        "true",
    ),
    (
        4,
        "a user's events have those of confidential issues",
        "(i.confidential = 0 or e.access >= e.confidential_level or e.user_id in (i.author_id, i.assignee_id))",
        "true",
    ),
    (
        1,
        "a project's events have those of confidential issues",
        "(i.confidential = 0 or e.reads_confidential or e.user_id in (i.author_id, i.assignee_id))",
        "true",
    ),
    (16, "everybody sees internal projects in lists", "where sees_from <= 10 and coalesce", "where coalesce"),
    (1, "private projects are in lists", "where sees_from <= 0 and coalesce", "where coalesce"),
    (
        1,
        "a group's list has projects that are hidden",
        "m.user_id is not null, 0, sees_from)",
        "true, 0, sees_from)",
    ),
];

#[test]
fn a_filter_that_is_dropped_is_found() {
    if !spec().is_in_process() {
        return;
    }
    let unbroken = Pair::new();
    let mut sound: BTreeMap<u64, Tally> = BTreeMap::new();
    for (first, what, piece, with) in MUTANTS {
        let pair = Pair::new();
        pair.hosts.iter().for_each(|host| host.service.backend.mutate(piece, with));
        let mut tally = Tally::default();
        let found = (*first..first + 100).find_map(|seed| {
            pair.try_worlds(seed, &mut tally);
            let ((method, pattern), told) = tally.differing.pop_first()?;
            Some((seed, method, pattern, told))
        });
        let Some((seed, method, pattern, told)) = found else {
            let is_mutated = pair.hosts[0].service.backend.is_mutated();
            assert!(is_mutated, "no statement has the text of this fault: {what}");
            panic!("{} pairs of worlds did not detect this fault: {what}", tally.pairs)
        };
        // and the difference comes from the mutant
        let sound = sound.entry(seed).or_insert_with(|| {
            let mut tally = Tally::default();
            unbroken.try_worlds(seed, &mut tally);
            tally
        });
        let differing = &sound.differing;
        assert!(!differing.contains_key(&(method, pattern)), "{method} {pattern}: {differing:?}");
        println!("found after {} pairs: {what}\n  {:.300}", tally.pairs, told);
    }
}
