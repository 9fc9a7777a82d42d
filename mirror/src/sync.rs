//! `sync`: asks what the server has, sends what it lacks, parents first, then swaps its refs.
//!
//! The refs are moved last and all at once, so a sync that is killed has changed nothing that anyone sees; the next
//! one goes on about where it was, and the server skips what it is sent twice.

use std::time::Instant;

use crate::args::Options;
use crate::console::{Console, pace, print};
use crate::error::{Error, Result};
use crate::git::Repository;
use crate::lock::Lock;
use crate::log::{Log, Range};
use crate::pipeline::{self, Sent};
use crate::plan::Plan;
use crate::refs::Refs;
use crate::resume;
use crate::server::{RefChange, Server, Swap, Verdict};
use crate::text::count;

/// So often a sync starts again when the server's refs changed meanwhile.
const MOST_ROUNDS: u32 = 5;

/// One request moves so many refs at most, so many of them branches,
const MOST_CHANGES: usize = 2000;
const MOST_BRANCHES: usize = 400;

/// with tag messages of so many bytes in all, unless a single one is larger.
const MOST_MESSAGES: usize = 1_500_000;

/// Brings the server to where the repository is.
pub fn sync(
    repository: &Repository,
    server: &Server<'_>,
    options: &Options,
    console: &Console,
) -> Result<()> {
    if options.dry_run {
        return show(&plan(repository, server, console)?, repository);
    }
    let _lock = Lock::wait(repository, console)?;
    for _ in 0..MOST_ROUNDS {
        let plan = plan(repository, server, console)?;
        if plan.is_empty() {
            console.say("nothing to send");
            return Ok(());
        }
        let started = Instant::now();
        let sent = send(repository, server, &plan, options.jobs, console)?;
        if swap(server, &plan, console)? {
            let commits = pace(sent.commits, started.elapsed());
            console.say(&format!("sent {commits}, changed {}", count(plan.changes.len() as u64, "ref")));
            return Ok(());
        }
    }
    Err(Error::Conflict(format!("the server's refs changed during each of {MOST_ROUNDS} attempts")))
}

/// What differs now.
pub fn plan(repository: &Repository, server: &Server<'_>, console: &Console) -> Result<Plan> {
    let remote = server.refs()?;
    let local = Refs::read(repository)?;
    for skipped in &local.skipped {
        console.warn(&format!("skipped {skipped}"));
    }
    Plan::new(repository, local, &remote)
}

/// Prints the differences; for `--dry-run` and `status`.
pub fn show(plan: &Plan, repository: &Repository) -> Result<()> {
    for line in plan.lines() {
        print(&line);
    }
    let refs = count(plan.changes.len() as u64, "ref");
    print(&format!("{} to send, {refs} to change", count(plan.missing(repository)?, "commit")));
    Ok(())
}

fn send(
    repository: &Repository,
    server: &Server<'_>,
    plan: &Plan,
    jobs: usize,
    console: &Console,
) -> Result<Sent> {
    let tips = plan.tips();
    if tips.is_empty() {
        return Ok(Sent::default());
    }
    let mut known = plan.known.clone();
    let arrived = resume::arrived(repository, server, Range::Missing { tips: &tips, known: &known })?;
    if !arrived.is_empty() {
        console.say("an earlier sync was cut off; going on from there");
        known.extend(arrived);
    }
    let range = Range::Missing { tips: &tips, known: &known };
    if console.has_bar() {
        console.expect(range.count(repository)?);
    }
    let mut log = Log::start(repository, range)?;
    let sent = pipeline::send(server, console, jobs, || log.read());
    console.finish();
    if let Ok(Sent { batches, ahead, refused, .. }) = &sent {
        let text = format!(
            "{batches} batches arrived, {ahead} ahead of their turn; {refused} were refused for that"
        );
        console.detail(&text);
    }
    sent
}

/// Moves the refs; false if they were not where the plan believed them.
fn swap(server: &Server<'_>, plan: &Plan, console: &Console) -> Result<bool> {
    for changes in portions(&plan.changes) {
        let swap = Swap { default_branch: plan.default_branch.as_deref(), changes };
        if let Verdict::Refused(reason) = server.swap_refs(&swap)? {
            console.say(&format!("the server's refs changed meanwhile ({reason}); starting again"));
            return Ok(false);
        }
    }
    Ok(true)
}

/// The changes in as many requests as they need; one if there is only a default branch to tell.
fn portions(changes: &[RefChange]) -> Vec<&[RefChange]> {
    let mut portions = Vec::new();
    let mut rest = changes;
    loop {
        let (mut bytes, mut branches) = (0, 0);
        let fits = rest.iter().take(MOST_CHANGES).take_while(|change| {
            bytes += change.message.as_ref().map_or(0, String::len);
            branches += usize::from(change.name.starts_with("refs/heads/"));
            bytes <= MOST_MESSAGES && branches <= MOST_BRANCHES
        });
        let (portion, others) = rest.split_at_checked(fits.count().max(1)).unwrap_or((rest, &[]));
        portions.push(portion);
        if others.is_empty() {
            return portions;
        }
        rest = others;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(message: usize) -> RefChange {
        let message = Some("x".repeat(message));
        RefChange { name: String::new(), old: None, new: None, tag_sha: None, message, forced: false }
    }

    fn sizes(changes: &[RefChange]) -> Vec<usize> {
        portions(changes).into_iter().map(<[_]>::len).collect()
    }

    #[test]
    fn many_changes_go_in_several_requests() {
        assert_eq!(sizes(&vec![change(0); 4001]), [2000, 2000, 1]);
        assert_eq!(sizes(&vec![change(1_000_000); 3]), [1, 1, 1]);
        assert_eq!(sizes(&[change(2_000_000), change(1)]), [1, 1]);
        let branch = RefChange { name: "refs/heads/x".to_owned(), ..change(0) };
        assert_eq!(sizes(&vec![branch; 900]), [400, 400, 100]);
    }

    #[test]
    fn a_default_branch_alone_is_one_request() {
        assert_eq!(sizes(&[]), [0]);
    }
}
