use super::{COMMITS_OF_A_BRANCH, Pairs, Range, WITHOUT};
use crate::areas::mirror::pairs::WITH;

/// Pairs of a child and a parent, as SQL returns them.
fn came(pairs: &[(i64, i64)]) -> Pairs {
    let [children, parents] =
        [|pair: &(i64, i64)| pair.0, |pair: &(i64, i64)| pair.1].map(|of| pairs.iter().map(of).collect());
    Pairs { children, parents }
}

#[test]
fn what_comes_to_a_branch_is_what_the_old_tip_does_not_reach() {
    // 1 <- 2 <- 3 (old) <- 5 <- 6 (new), and 4 on 2 is merged by 6
    let pairs = [(WITHOUT, 3), (WITH, 6), (6, 5), (6, 4), (5, 3), (4, 2), (3, 2), (2, 1), (1, 0)];
    let range = Range::of(&came(&pairs), 100);
    assert_eq!(range, Range { newest: vec![6, 5, 4], more: 0, is_forward: Some(true), is_whole: true });
    // rewritten: 7 on 2
    let pairs = [(WITHOUT, 3), (WITH, 7), (7, 2), (3, 2), (2, 1), (1, 0)];
    let range = Range::of(&came(&pairs), 100);
    assert_eq!(range, Range { newest: vec![7], more: 0, is_forward: Some(false), is_whole: true });
}

#[test]
fn of_a_long_range_the_newest_hundred_are_taken_and_the_rest_is_counted() {
    let mut pairs = vec![(WITHOUT, 1), (WITH, 500)];
    pairs.extend((2..=500).rev().map(|id| (id, id - 1)));
    let cut = Range::of(&came(&pairs[..302]), 300);
    assert_eq!((cut.newest.len(), cut.more, cut.is_forward), (COMMITS_OF_A_BRANCH, 200, None));
    assert!(!cut.is_whole);
    pairs.push((1, 0));
    let whole = Range::of(&came(&pairs), 1000);
    assert_eq!((whole.more, whole.is_forward, whole.is_whole), (399, Some(true), true));
    assert_eq!(whole.newest.first(), Some(&500));
}
