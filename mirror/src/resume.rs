//! Finds the commits that the server has although none of its refs reaches them: an earlier sync was interrupted, or
//! a ref moves back.
//!
//! The server accepts a commit only after its parents, so it also has all ancestors of a commit that it has.
//! Commits are sent in a fixed order, and a binary search finds about where sending stopped. Some earlier
//! commits are looked up too, because lines of history may run side by side.

use crate::error::Result;
use crate::git::Repository;
use crate::log::Range;
use crate::server::Server;

/// Sending fewer commits again is faster than the search.
const WORTHWHILE: usize = 1000;

/// Returns commits that the server has. Together they reach most of what it has of the range.
pub fn arrived(repository: &Repository, server: &Server<'_>, range: Range<'_>) -> Result<Vec<String>> {
    let listed = repository.ask("rev-list", &["--stdin", "--topo-order", "--reverse"], &range.input())?;
    let listed = String::from_utf8_lossy(&listed);
    let commits: Vec<&str> = listed.lines().collect();
    if commits.len() < WORTHWHILE {
        return Ok(Vec::new());
    }
    search(&commits, |commit| server.has(commit))
}

/// Returns the last commit that is there and some of those before it. The search assumes that all commits
/// before the last are there.
fn search(commits: &[&str], mut has: impl FnMut(&str) -> Result<bool>) -> Result<Vec<String>> {
    let mut has_at = |at: usize| commits.get(at).map_or(Ok(false), |commit| has(commit));
    if !has_at(0)? {
        return Ok(Vec::new());
    }
    let (mut there, mut missing) = (0, commits.len());
    while missing - there > 1 {
        let middle = there.midpoint(missing);
        if has_at(middle)? {
            there = middle;
        } else {
            missing = middle;
        }
    }
    let mut found: Vec<usize> = vec![there];
    let steps = (0..usize::BITS).map_while(|bit| there.checked_sub(1 << bit));
    for at in steps {
        if has_at(at)? {
            found.push(at);
        }
    }
    Ok(found.into_iter().filter_map(|at| commits.get(at)).map(|commit| (*commit).to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(total: usize, sent: usize) -> (Vec<String>, usize) {
        let names: Vec<String> = (0..total).map(|number| number.to_string()).collect();
        let commits: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut questions = 0;
        let found = search(&commits, |commit| {
            questions += 1;
            Ok(commit.parse::<usize>().unwrap() < sent)
        });
        (found.unwrap(), questions)
    }

    #[test]
    fn the_last_commit_that_arrived_is_found_by_few_questions() {
        for sent in [1, 2, 500, 77_777, 99_999, 100_000] {
            let (found, questions) = asked(100_000, sent);
            assert_eq!(found[0], (sent - 1).to_string());
            assert!(questions < 40, "{questions}");
        }
    }

    #[test]
    fn a_first_sync_asks_once() {
        assert_eq!(asked(100_000, 0), (vec![], 1));
    }
}
