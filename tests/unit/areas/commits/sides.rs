use super::*;

/// Pairs in the order of a walk.
fn sides(pairs: &[(i64, i64)], most: i64, wanted: SidesWanted) -> Option<Result<Sides, [bool; 2]>> {
    let (children, parents) = pairs.iter().copied().unzip();
    Sides::of(&Pairs { children, parents }, most, wanted)
}

#[test]
fn two_branches_met_at_the_newest_commit_of_both() {
    // 5 and 6 come from 3, which comes from 2 and 1
    let pairs = [(-1, 5), (-2, 6), (6, 4), (5, 3), (4, 3), (3, 2), (2, 1), (1, 0)];
    let found = sides(&pairs, 99, SidesWanted::All);
    assert_eq!(found, Some(Ok(Sides { from: 5, to: 6, ahead: vec![6, 4], base: Some(3) })));
    // one behind the other
    let pairs = [(-1, 3), (-2, 2), (3, 2), (2, 1), (1, 0)];
    assert_eq!(sides(&pairs, 99, SidesWanted::All), Some(Ok(Sides { from: 3, to: 2, ahead: vec![], base: Some(2) })));
    // without a common ancestor
    let pairs = [(-1, 1), (-2, 2), (2, 0), (1, 0)];
    assert_eq!(sides(&pairs, 99, SidesWanted::All), Some(Ok(Sides { from: 1, to: 2, ahead: vec![2], base: None })));
}

#[test]
fn unknown_names_are_said_and_too_few_pairs_are_no_answer() {
    assert_eq!(sides(&[(-2, 1), (1, 0)], 99, SidesWanted::All), Some(Err([true, false])));
    let pairs = [(-1, 9), (-2, 8), (9, 7), (8, 6)];
    assert_eq!(sides(&pairs, 2, SidesWanted::All), None);
    assert_eq!(sides(&pairs, 2, SidesWanted::Base), None);
    let pairs = [(-1, 9), (-2, 9), (9, 8), (8, 7)];
    assert_eq!(sides(&pairs, 2, SidesWanted::Base).unwrap().unwrap().base, Some(9));
}
