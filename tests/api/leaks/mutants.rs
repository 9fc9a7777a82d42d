//! Faults in single statements that the test of noninterference must detect. To try another, add a line.

use super::{Pair, Tally};
use crate::support::spec;

/// The fault, a text in statements, and its replacement.
const MUTANTS: &[(&str, &str, &str)] = &[
    (
        "a confidential issue is shown to everybody who sees the project",
        "(r.confidential = 0 or s.reads_confidential or s.user_id in (r.author_id, r.assignee_id))",
        "true",
    ),
    (
        "comments of a confidential issue are shown to everybody who sees the project",
        "(i.confidential = 0 or s.reads_confidential or s.user_id in (i.author_id, i.assignee_id))",
        "true",
    ),
    ("everybody sees internal projects in lists", "where sees_from <= 10 and coalesce", "where coalesce"),
    ("private projects are in lists", "where sees_from <= 0 and coalesce", "where coalesce"),
    (
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
    for (what, piece, with) in MUTANTS {
        let pair = Pair::new();
        pair.hosts.iter().for_each(|host| host.service.backend.mutate(piece, with));
        let mut tally = Tally::default();
        let found = (1..400).find_map(|seed| {
            pair.try_worlds(seed, &mut tally);
            let ((method, pattern), told) = tally.differing.pop_first()?;
            Some((seed, method, pattern, told))
        });
        let Some((seed, method, pattern, told)) = found else {
            panic!("{} pairs of worlds did not detect this fault: {what}", tally.pairs)
        };
        // and the difference comes from the mutant
        let mut sound = Tally::default();
        unbroken.try_worlds(seed, &mut sound);
        assert!(
            !sound.differing.contains_key(&(method, pattern)),
            "{method} {pattern}: {:?}",
            sound.differing
        );
        println!("found after {} pairs: {what}\n  {:.300}", tally.pairs, told);
    }
}
