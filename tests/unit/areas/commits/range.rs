use super::*;

fn range(pairs: &[(i64, i64)], most: i64) -> Option<(Vec<i64>, Vec<i64>)> {
    let (children, parents) = pairs.iter().copied().unzip();
    let range = Range::of(&Pairs { children, parents }, most)?;
    Some((range.waiting, range.edges))
}

#[test]
fn a_range_ends_at_what_its_beginning_reaches() {
    let pairs = [(-1, 4), (-2, 5), (5, 4), (5, 3), (4, 2), (3, 2), (3, 1), (2, 1), (1, 0)];
    assert_eq!(range(&pairs, 100), Some((vec![5], vec![1, 2, 4])));
    let other = [(-1, 5), (-2, 4), (5, 4), (4, 3), (3, 0)];
    assert_eq!(range(&other, 100), Some((vec![], vec![])));
    for unknown in [&[(-2, 4), (4, 0)], &[(-1, 4), (4, 0)]] {
        assert_eq!(range(unknown, 100), Some((vec![], vec![])));
    }
}

#[test]
fn a_range_that_is_cut_is_known_once_all_of_its_commits_were_read() {
    let pairs = [(-1, 4), (-2, 5), (5, 4), (5, 3), (4, 3), (3, 2)];
    // the last child may have more parents
    assert_eq!(range(&pairs[..4], 2), None);
    assert_eq!(range(&pairs[..5], 3), Some((vec![5], vec![3, 4])));
    let late = [(-1, 9), (-2, 5), (9, 8), (5, 4), (8, 7)];
    assert_eq!(range(&late, 3), None);
}
