//! Compares the list of each branch and the commit of each ref with git, over the public API.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use edgeforge_wire::object::LAST;
use serde_json::Value;

use crate::console::Console;
use crate::error::{Error, Result};
use crate::git::Repository;
use crate::refs::{Refs, Tip};
use crate::server::Server;
use crate::text::{count, segment};
use crate::verify::{Findings, choose};

const PAGE: usize = 100;

/// The lists share this number of pages, so that the time is bounded. One page of each list is read in any case.
const MOST_PAGES: usize = 2500;

/// The pages of the default branch that are read in any case.
const DEFAULT_PAGES: usize = 100;

/// If there are more refs, this number of them is chosen at random.
const MOST_REFS: usize = 5000;

/// Compares `jobs` refs at once. Returns the number of refs that differ.
pub fn verify(repository: &Repository, server: &Server<'_>, jobs: usize, console: &Console) -> Result<u64> {
    let refs = Refs::read(repository)?;
    let default_branch = refs.default_branch.as_ref().map(|branch| format!("{BRANCH}{branch}"));
    let (mut chosen, others): (Vec<_>, Vec<_>) =
        refs.tips.iter().partition(|(name, _)| Some(*name) == default_branch.as_ref());
    chosen.extend(choose(others.into_iter(), MOST_REFS));
    if chosen.len() < refs.tips.len() {
        console.say(&format!("comparing {} of {} refs, chosen at random", chosen.len(), refs.tips.len()));
    }
    let branches = chosen.iter().filter(|(name, _)| name.starts_with(BRANCH)).count();
    let share = (MOST_PAGES / branches.max(1)).max(1);
    let lists = Lists { repository, server, default_branch, share };
    let mut findings = Findings { console, different: 0 };
    let (mut compared, mut pages) = (0, 0);
    console.expect(chosen.len() as u64);
    let next = AtomicUsize::new(0);
    let (to, outcomes) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (to, lists, chosen, next) = (to.clone(), &lists, &chosen, &next);
            scope.spawn(move || {
                while let Some((name, tip)) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // nobody receives after a failure
                    if to.send((*name, lists.compare(name, tip))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(to);
        outcomes.into_iter().try_for_each(|(name, outcome)| {
            let outcome: Outcome = outcome?;
            compared += u64::from(outcome.pages > 0);
            pages += outcome.pages;
            if outcome.is_late {
                console.warn(&format!(
                    "{name}: its list is not compared, because it has commits dated after the year 9999"
                ));
            }
            findings.note(&format!("{name}:"), &outcome.differences);
            Ok::<_, Error>(())
        })
    })?;
    let tags = count((chosen.len() - branches) as u64, "tag");
    Ok(findings.sum(&format!("{} of {} and {tags}", count(compared, "list"), count(pages, "page"))))
}

const BRANCH: &str = "refs/heads/";

struct Lists<'a> {
    repository: &'a Repository,
    server: &'a Server<'a>,
    default_branch: Option<String>,
    /// The pages to read of each list.
    share: usize,
}

#[derive(Default)]
struct Outcome {
    pages: u64,
    /// The list has commits that the server dates differently from git, so it sorts them differently.
    is_late: bool,
    differences: Vec<String>,
}

impl Lists<'_> {
    fn compare(&self, name: &str, tip: &Tip) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        // full names, because git and the server read `HEAD` or 40 hexadecimal digits as something else
        let (path, pointer) = match name.strip_prefix(BRANCH) {
            Some(branch) => (format!("branches/{}", segment(branch)), "/commit/id"),
            None => (format!("commits/{}", segment(name)), "/id"),
        };
        let answer = self.server.read(&path)?.unwrap_or_default();
        let got = answer.pointer(pointer).and_then(Value::as_str);
        if got != Some(&tip.commit) {
            let got = got.unwrap_or("nothing");
            outcome.differences.push(format!("git has {}, the server has {got}", tip.commit));
        }
        if name.starts_with(BRANCH) {
            self.compare_list(name, tip, &mut outcome)?;
        }
        Ok(outcome)
    }

    /// Follows the links to the next page. A page may end early, if its messages are long.
    fn compare_list(&self, name: &str, tip: &Tip, outcome: &mut Outcome) -> Result<()> {
        let is_default = self.default_branch.as_deref() == Some(name);
        let most = if is_default { self.share.max(DEFAULT_PAGES) } else { self.share };
        // one commit more shows whether the server's list ends too early
        let number = format!("--max-count={}", most * PAGE + 1);
        let listed = self.repository.ask("rev-list", &["--timestamp", &number, &tip.commit, "--"], b"")?;
        let listed = String::from_utf8_lossy(&listed);
        let commits: Vec<(&str, &str)> = listed.lines().filter_map(|line| line.split_once(' ')).collect();
        if commits.iter().any(|(date, _)| date.parse().is_ok_and(|seconds: u64| seconds > LAST as u64)) {
            outcome.is_late = true;
            return Ok(());
        }
        let (mut same, mut next) = (0, Some(format!("ref_name={}&per_page={PAGE}", segment(name))));
        let is_equal = loop {
            let Some(query) = next else { break same == commits.len() };
            if outcome.pages >= most as u64 {
                break true;
            }
            let (answer, link) = self.server.read_page(&format!("commits?{query}"))?;
            outcome.pages += 1;
            let page = answer.as_array().map(Vec::as_slice).unwrap_or_default();
            let ids = page.iter().map(|commit| commit.get("id").and_then(Value::as_str));
            let rest = commits.iter().skip(same).map(|(_, id)| Some(*id));
            let equal = ids.zip(rest).take_while(|(got, wanted)| got == wanted).count();
            same += equal;
            if equal < page.len() || (page.is_empty() && link.is_some()) {
                break false;
            }
            next = link;
        };
        if !is_equal {
            outcome.differences.push(format!("its list differs from commit {} on", same + 1));
        }
        Ok(())
    }
}
