use super::*;

fn row(id: i64, parents: &[i64], branch: Option<&str>) -> Commit {
    let parents = parents.iter().map(|parent| CommitDate { id: *parent, committed_at: *parent }).collect();
    let branch = branch.map(str::to_owned);
    Commit { id, committed_at: id, branch, queued: false, tip: None, above: None, parents }
}

#[test]
fn what_a_deleted_branch_had_goes_to_the_branch_above_it() {
    // 1 is main, 2 was of `a`, 3 is the tip of `b`
    let rows = [
        Commit { tip: Some(String::new()), ..row(1, &[], Some("")) },
        Commit { queued: true, ..row(2, &[1], Some("a")) },
        Commit { tip: Some("b".to_owned()), ..row(3, &[2], Some("b")) },
    ];
    let found = find(&rows);
    assert_eq!(found.moved, [BranchMove { id: 2, branch: Some("b".to_owned()) }]);
    assert_eq!((found.done, found.queued), (vec![2], Default::default()));
}

#[test]
fn a_change_goes_on_below_the_chunk() {
    let rows = [
        Commit { tip: Some("x".to_owned()), queued: true, ..row(9, &[8, 7], None) },
        Commit { above: Some("a".to_owned()), ..row(8, &[5], Some("a")) },
    ];
    let found = find(&rows);
    assert_eq!(found.moved, [BranchMove { id: 9, branch: Some("x".to_owned()) }]);
    assert_eq!(found.queued, [(7, 7)].into());
}
