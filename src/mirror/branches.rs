//! The branch that each commit belongs to: the default branch if that contains it, else the first in byte order that
//! does (behaviour 8.2).
//!
//! A commit belongs to the best of the branches that end at it and of those that its children belong to. When refs
//! move, the commits at their old and new ends are queued; a queued commit is judged anew, newest first, and where its
//! branch changes its parents are queued. An empty queue means that all is right. One request judges a bounded number
//! of commits and leaves the rest queued: until somebody goes on, those have the branch that they had before.

use super::sql::portion::{self, Judged, Progress, Row};
use crate::call::Call;
use crate::error::Result;
use crate::store::{Rows, Statement};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

/// How many commits one statement looks at: few at first, since most pushes bring few, then as many as keep it below
/// 10,000 rows.
const FIRST_PORTIONS: [i64; 2] = [24, 200];
const PORTION: i64 = 650;

/// How many portions one request handles at most, and after how many milliseconds of the database it stops.
const MOST_PORTIONS: usize = 24;
const MOST_MILLIS: f64 = 2000.0;

/// The statement that begins: its rows are for [`settle`].
pub fn begin(project_id: i64) -> Statement {
    portion::read(project_id, FIRST_PORTIONS[0])
}

/// Goes on with the queue from the rows of a portion; true when every commit's branch is right.
pub async fn settle(call: &Call<'_>, project_id: i64, mut rows: Rows) -> Result<bool> {
    let sizes = FIRST_PORTIONS.into_iter().skip(1).chain(std::iter::repeat(PORTION)).take(MOST_PORTIONS);
    for size in sizes {
        let progress: Progress = rows.shift()?.unwrap_or_default();
        let area: Vec<Row> = rows.all()?;
        let mut statements = match (&progress.scan_after, area.is_empty()) {
            (None, true) => return Ok(true),
            (Some(after), true) => portion::scan(project_id, progress.version, after),
            (_, false) => portion::store(project_id, progress.version, &check(&area)),
        };
        statements.push(portion::read(project_id, size));
        rows = match call.store.batch(statements).await {
            Ok(mut answers) => answers.pop().unwrap_or_default(),
            // another request moved refs or went on: the queue is another one now
            Err(failure) if failure.is_expectation() => {
                call.store.run(portion::read(project_id, size)).await?
            }
            Err(failure) => return Err(failure.into()),
        };
        if call.store.cost().millis > MOST_MILLIS {
            break;
        }
    }
    let progress: Progress = rows.shift()?.unwrap_or_default();
    Ok(rows.is_empty() && progress.scan_after.is_none())
}

/// Judges the queued commits of a portion and those of its others whose children's branches change.
fn check(portion: &[Row]) -> Judged {
    let rows: HashMap<i64, &Row> = portion.iter().map(|row| (row.id, row)).collect();
    // children in the portion that are not judged yet, and the best of the branches of those that are
    let mut open: HashMap<i64, usize> = HashMap::new();
    let mut above: HashMap<i64, &str> = HashMap::new();
    for (parent, _) in portion.iter().flat_map(|row| &row.parents) {
        *open.entry(*parent).or_default() += 1;
    }
    let mut due: BTreeSet<i64> = portion.iter().filter(|row| row.queued).map(|row| row.id).collect();
    let mut judged = Judged { done: due.iter().copied().collect(), ..Judged::default() };
    // children before parents
    let mut ready: BinaryHeap<(i64, Reverse<i64>)> = portion
        .iter()
        .filter(|row| !open.contains_key(&row.id))
        .map(|row| (row.committed_at, Reverse(row.id)))
        .collect();
    while let Some((_, Reverse(id))) = ready.pop() {
        let Some(row) = rows.get(&id) else { continue };
        let mut branch = row.branch.as_deref();
        if due.remove(&id) {
            let ends = [row.tip.as_deref(), row.above.as_deref(), above.get(&id).copied()];
            branch = ends.into_iter().flatten().min();
            if branch != row.branch.as_deref() {
                judged.moved.push((id, branch.map(str::to_owned)));
                for (parent, committed_at) in &row.parents {
                    if rows.contains_key(parent) {
                        due.insert(*parent);
                    } else {
                        judged.queued.insert(*parent, *committed_at);
                    }
                }
            }
        }
        for (parent, _) in &row.parents {
            if let Some(branch) = branch {
                above.entry(*parent).and_modify(|best| *best = branch.min(*best)).or_insert(branch);
            }
            let left = open.entry(*parent).or_default();
            *left = left.saturating_sub(1);
            if let Some(row) = rows.get(parent).filter(|_| *left == 0) {
                ready.push((row.committed_at, Reverse(row.id)));
            }
        }
    }
    judged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: i64, parents: &[i64], branch: Option<&str>) -> Row {
        let parents = parents.iter().map(|parent| (*parent, *parent)).collect();
        let branch = branch.map(str::to_owned);
        Row { id, committed_at: id, branch, queued: false, tip: None, above: None, parents }
    }

    #[test]
    fn what_a_deleted_branch_had_goes_to_the_branch_above_it() {
        // 1 main, 2 was `a`, 3 is where `b` ends
        let rows = [
            Row { tip: Some(String::new()), ..row(1, &[], Some("")) },
            Row { queued: true, ..row(2, &[1], Some("a")) },
            Row { tip: Some("b".to_owned()), ..row(3, &[2], Some("b")) },
        ];
        let judged = check(&rows);
        assert_eq!(judged.moved, [(2, Some("b".to_owned()))]);
        assert_eq!((judged.done, judged.queued), (vec![2], Default::default()));
    }

    #[test]
    fn a_change_goes_on_below_the_portion() {
        let rows = [
            Row { tip: Some("x".to_owned()), queued: true, ..row(9, &[8, 7], None) },
            Row { above: Some("a".to_owned()), ..row(8, &[5], Some("a")) },
        ];
        let judged = check(&rows);
        assert_eq!(judged.moved, [(9, Some("x".to_owned()))]);
        assert_eq!(judged.queued, [(7, 7)].into());
    }
}
