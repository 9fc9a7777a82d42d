//! Faults of one piece of one statement, each of which the property must find: if it did not, its silence would mean
//! nothing. To try another, add a line.

use super::{Pair, Tally};
use crate::support::spec;

/// What is broken, the piece of statements' texts, and what is run instead.
const MUTANTS: &[(&str, &str, &str)] = &[
    (
        "a confidential issue is read before it is refused",
        "\n    and (i.confidential = 0 or s.access >= (select ?6 ->> 5) or s.user_id in (i.author_id, i.assignee_id))",
        "",
    ),
    ("lists of issues show guests the confidential ones", " >= (select ?7 ->> '$.hidden'), -1", " >= 0, -1"),
    ("external users see internal projects", "'$.all', 0, sees_from)) as below", "'$.all', 0, 10)) as below"),
    (
        "tokens are read of whoever is asked for",
        "(select ?7 from caller where admin or id = ?7)",
        "(select ?7)",
    ),
    (
        "a group's list has projects that are hidden",
        "iif(access > 0, 0, sees_from) as below from scope",
        "0 as below from scope",
    ),
    (
        "questions run behind a closed door",
        "(access >= (select ?6) ->> 0 or visibility >= (select ?6) ->> 1)",
        "(select ?6) is not null",
    ),
    (
        "a group's list of issues passes over hidden projects",
        "and p.visibility >= iif(g.access > 0, 0, g.sees_from)",
        "and +p.visibility >= iif(g.access > 0, 0, g.sees_from)",
    ),
    (
        "a group's list of issues is read in another way where projects are hidden",
        "iif(s.access > 0 and ?7 ->> '$.unnamed',",
        "iif(?7 ->> '$.unnamed' and (s.access > 0 or not exists (select 1 from projects q
        where q.namespace_id = s.group_id and q.visibility < s.sees_from)),",
    ),
    ("what issue was moved to is told to everyone", "), 'another project')", "), n.reference)"),
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
            panic!("not found in {} pairs: {what}", tally.pairs)
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
