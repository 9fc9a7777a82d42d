//! Faults of one piece of one statement, each of which the property must find: if it did not, its silence would mean
//! nothing. To try another, add a line.

use super::{Pair, Tally};
use crate::support::spec;

/// What is broken, the piece of statements' texts, and what is run instead.
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
            panic!("{} pairs of worlds did not find this fault: {what}", tally.pairs)
        };
        // and it is the mutant that makes the difference
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
