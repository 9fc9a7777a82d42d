//! Faults in single statements that the test of noninterference must detect. To try another, add a test.

use super::{Pair, Tally};
use crate::support::spec;

/// Replaces a text in statements, and asserts that worlds detect it. `first`: the seed of worlds that do; later ones are
/// tried if they do not any more.
fn is_found(first: u64, piece: &str, with: &str) {
    if !spec().is_in_process() {
        return;
    }
    let pair = Pair::new();
    pair.hosts.iter().for_each(|host| host.service.backend.mutate(piece, with));
    let mut tally = Tally::default();
    let found = (first..first + 100).find_map(|seed| {
        pair.try_worlds(seed, &mut tally);
        let ((method, pattern), told) = tally.differing.pop_first()?;
        Some((seed, method, pattern, told))
    });
    let Some((seed, method, pattern, told)) = found else {
        assert!(pair.hosts[0].service.backend.is_mutated(), "no statement has the text {piece}");
        panic!("{} pairs of worlds did not detect this fault", tally.pairs)
    };
    // and the difference comes from the mutant
    let mut sound = Tally::default();
    Pair::new().try_worlds(seed, &mut sound);
    let differing = &sound.differing;
    assert!(!differing.contains_key(&(method, pattern)), "{method} {pattern}: {differing:?}");
    println!("found after {} pairs\n  {told:.300}", tally.pairs);
}

#[test]
#[ignore = "a proof: make prove"]
fn a_confidential_issue_that_everybody_sees_is_found() {
    is_found(1, "(r.confidential = 0 or s.reads_confidential or s.user_id in (r.author_id, r.assignee_id))", "true");
}

#[test]
#[ignore = "a proof: make prove"]
fn comments_of_a_confidential_issue_that_everybody_sees_are_found() {
    is_found(1, "(i.confidential = 0 or s.reads_confidential or s.user_id in (i.author_id, i.assignee_id))", "true");
}

#[test]
#[ignore = "a proof: make prove"]
fn comments_of_a_confidential_issue_that_a_search_finds_are_found() {
    is_found(1, "iif(s.reads_confidential, '[0, 1]', '[0]')", "'[0, 1]'");
}

#[test]
#[ignore = "a proof: make prove"]
fn confidential_issues_that_a_search_finds_are_found() {
    is_found(1, "on v.reads = ifnull(d.reads, v.reads)", "on true");
}

#[test]
#[ignore = "a proof: make prove"]
fn a_users_events_with_those_of_confidential_issues_are_found() {
    is_found(64, "s.access >= c.confidential_level, s.project_id", "true, s.project_id");
}

#[test]
#[ignore = "a proof: make prove"]
fn a_projects_events_with_those_of_confidential_issues_are_found() {
    is_found(
        20,
        "select null, s.user_id, s.reads_confidential, s.project_id",
        "select null, s.user_id, true, s.project_id",
    );
}

#[test]
#[ignore = "a proof: make prove"]
fn internal_projects_that_everybody_lists_are_found() {
    is_found(27, "where sees_from <= 10 and coalesce", "where coalesce");
}

#[test]
#[ignore = "a proof: make prove"]
fn private_projects_that_everybody_lists_are_found() {
    is_found(1, "where sees_from <= 0 and coalesce", "where coalesce");
}

#[test]
#[ignore = "a proof: make prove"]
fn a_hidden_project_in_a_groups_list_is_found() {
    is_found(1, "m.user_id is not null, 0, sees_from)", "true, 0, sees_from)");
}

#[test]
#[ignore = "a proof: make prove"]
fn tags_of_a_groups_internal_projects_that_external_guests_read_are_found() {
    is_found(
        489,
        "'visibility', a.visibility, 'access', a.access",
        "'visibility', (select visibility from projects where id = a.project_id), 'access', a.access",
    );
}
