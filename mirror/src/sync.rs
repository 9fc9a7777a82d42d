//! `sync` sends the missing commits, parents first, then changes the refs.
//!
//! An interrupted sync leaves the refs as they were. The next one continues, and the server ignores commits
//! that it has already stored.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use edgeforge_wire::contents::Extent;
use edgeforge_wire::{Change, limits};

use crate::args::Options;
use crate::console::{Console, pace, print};
use crate::contents;
use crate::error::{Error, Result};
use crate::git::Repository;
use crate::lock::Lock;
use crate::log::{Log, Range};
use crate::pipeline::{self, Sent};
use crate::plan::Plan;
use crate::refs::{self, Refs};
use crate::resume;
use crate::server::Server;
use crate::settings;
use crate::swap::swap;
use crate::text::count;

/// A sync starts again if the server's refs changed during it.
const MOST_ROUNDS: u32 = 5;

pub fn sync(repository: &Repository, server: &Server<'_>, options: &Options, console: &Console) -> Result<()> {
    if options.dry_run {
        return show(&plan(repository, server, console, &BTreeSet::new(), options)?, repository);
    }
    let _lock = Lock::wait(repository, console)?;
    let recheck = options.recheck;
    if recheck {
        recover(&plan(repository, server, console, &BTreeSet::new(), options)?, repository, server, console)?;
    }
    let mut excluded = BTreeSet::new();
    let (mut rounds, mut is_full) = (0, false);
    while rounds < MOST_ROUNDS {
        let plan = plan(repository, server, console, &excluded, options)?;
        if plan.is_another && !options.replace && plan.deleted() > 0 {
            return Err(Error::Repository(
                "this repository has no refs or none of the server's commits; check the project, or give --replace to \
                 replace the server's refs"
                    .to_owned(),
            ));
        }
        if plan.is_empty() && !recheck {
            console.say("nothing to send");
            return end(&excluded, false);
        }
        let started = Instant::now();
        let sent = match send(repository, server, &plan, options.jobs, console) {
            Err(Error::Unfit { commit, reason }) => {
                exclude(repository, &commit, &reason, &mut excluded, console)?;
                continue;
            }
            sent => sent?,
        };
        rounds += 1;
        // before the refs, so that nobody finds a branch whose files are not there
        if !contents::send(repository, server, &plan.contents, options.jobs, console)? {
            console.warn("trees and files are missing on the server; its other records are updated");
            is_full = true;
        }
        let plan = counted(repository, plan)?;
        if swap(server, &plan, options, console)? {
            contents::clean(repository, server, &plan.contents)?;
            let commits = pace(sent.commits, started.elapsed());
            let (deleted, all) = (plan.deleted(), plan.changes.len());
            let mut text = format!("sent {commits}, changed {}", count((all - deleted) as u64, "ref"));
            if deleted > 0 {
                text.push_str(&format!(", deleted {deleted}"));
            }
            console.say(&text);
            return end(&excluded, is_full);
        }
    }
    Err(Error::Conflict(format!(
        "the server's refs changed during each of {MOST_ROUNDS} attempts; run sync again later"
    )))
}

/// Fails if something could not be sent.
fn end(excluded: &BTreeSet<String>, is_full: bool) -> Result<()> {
    match excluded.len() {
        0 if is_full => {
            Err(Error::Repository("trees and files are missing on the server, which has no room for them".to_owned()))
        }
        0 => Ok(()),
        number => {
            let refs = count(number as u64, "ref");
            Err(Error::Repository(format!("{refs} could not be updated on the server; see the warnings above")))
        }
    }
}

/// Excludes the refs that contain a commit which cannot be indexed. The server keeps its value of them.
fn exclude(
    repository: &Repository,
    commit: &str,
    reason: &str,
    excluded: &mut BTreeSet<String>,
    console: &Console,
) -> Result<()> {
    let before = excluded.len();
    let refs = refs::containing(repository, commit)?;
    for name in refs.difference(excluded) {
        console.warn(&format!("skipped {name}: commit {commit} cannot be indexed: {reason}"));
    }
    excluded.extend(refs);
    if excluded.len() > before {
        return Ok(());
    }
    Err(Error::Unfit { commit: commit.to_owned(), reason: reason.to_owned() })
}

/// Refs in `excluded` are left out. With `recheck`, the messages of tags are compared, too.
pub fn plan(
    repository: &Repository,
    server: &Server<'_>,
    console: &Console,
    excluded: &BTreeSet<String>,
    options: &Options,
) -> Result<Plan> {
    let messages = options.recheck;
    let remote = server.refs(messages)?;
    let local = Refs::read(repository)?;
    for skipped in &local.skipped {
        console.warn(&format!("skipped {skipped}"));
    }
    for broken in &local.broken {
        console.warn(&format!("git cannot read {broken}; the server keeps its value until you repair the ref"));
    }
    if let Some(why) = &local.instead_of_head {
        console.warn(why);
    }
    let extent = settings::extent(options, repository)?.unwrap_or(remote.contents.max(Extent::Tips));
    Plan::new(repository, local, &remote, excluded, messages, extent)
}

pub fn show(plan: &Plan, repository: &Repository) -> Result<()> {
    for line in plan.lines(repository)? {
        print(&line);
    }
    let refs = count(plan.changes.len() as u64, "ref");
    print(&format!("{} to send, {refs} to change", count(plan.missing(repository)?, "commit")));
    Ok(())
}

fn send(repository: &Repository, server: &Server<'_>, plan: &Plan, jobs: usize, console: &Console) -> Result<Sent> {
    send_again(repository, server, &plan.again, console)?;
    let tips = plan.tips();
    if tips.is_empty() {
        return Ok(Sent::default());
    }
    let mut known = plan.known.clone();
    let arrived = resume::arrived(repository, server, Range::Missing { tips: &tips, known: &known })?;
    if !arrived.is_empty() {
        console.say("the server already has some of these commits; sending the others");
        known.extend(arrived);
    }
    let range = Range::Missing { tips: &tips, known: &known };
    if console.has_bar() {
        console.expect(range.count(repository)?);
    }
    let mut log = Log::start(repository, range)?;
    let sent = pipeline::send(server, console, jobs, || log.read()).map_err(|error| log.blame(range, error));
    console.finish();
    if let Ok(Sent { batches, ahead, refused, .. }) = &sent {
        let text = format!(
            "{batches} batches arrived; {ahead} were sent early, and {refused} were sent early, refused and sent again"
        );
        console.detail(&text);
    }
    sent
}

/// Asks which diffs, trees and files the server's object store has lost, and sends the diffs again. Lost trees and
/// files are sent later, like all others that the server lacks.
fn recover(plan: &Plan, repository: &Repository, server: &Server<'_>, console: &Console) -> Result<()> {
    let tips: BTreeSet<&str> = plan.contents.tips.iter().map(String::as_str).collect();
    let tips = refs::known(repository, &tips)?;
    if tips.is_empty() || plan.contents.most_file_bytes.is_none() {
        return Ok(());
    }
    let reached = Range::Missing { tips: &tips.iter().map(String::as_str).collect(), known: &BTreeSet::new() };
    let listed = repository.ask("rev-list", &["--stdin"], &reached.input())?;
    let commits: BTreeSet<String> = String::from_utf8_lossy(&listed).lines().map(str::to_owned).collect();
    let mut asked = commits.clone();
    asked.extend(plan.contents.reached(repository)?);
    // in their order, because the server reads the keys of its store in that order
    let asked: Vec<String> = asked.into_iter().collect();
    console.expect(asked.len() as u64);
    let mut lost = Vec::new();
    for some in asked.chunks(limits::RECHECKED) {
        lost.extend(server.lost(some)?);
        console.advance(some.len() as u64);
    }
    console.finish();
    if !lost.is_empty() {
        let objects = count(lost.len() as u64, "object");
        console.say(&format!("the server's object store has lost {objects}; sending them again"));
    }
    lost.retain(|id| commits.contains(id));
    send_again(repository, server, &lost, console)
}

/// Commits whose diffs the server lacks.
fn send_again(repository: &Repository, server: &Server<'_>, commits: &[String], console: &Console) -> Result<()> {
    if commits.is_empty() {
        return Ok(());
    }
    let mut log = Log::start(repository, Range::These(commits))?;
    pipeline::send(server, console, 1, || log.read())?;
    console.say(&format!("sent {} again", count(commits.len() as u64, "commit")));
    Ok(())
}

/// git walks the history to count a branch. A push should not wait for thousands of branches, so counting
/// stops after this time. A branch without a count is counted when it next changes.
const COUNTING: Duration = Duration::from_secs(5);

/// Counts the commits of the changed branches, for the totals of their lists.
fn counted(repository: &Repository, mut plan: Plan) -> Result<Plan> {
    let started = Instant::now();
    let is_branch = |change: &&mut Change| change.name.starts_with("refs/heads/") && change.new.is_some();
    let mut branches: Vec<&mut Change> = plan.changes.iter_mut().filter(is_branch).collect();
    for some in branches.chunks_mut(refs::COUNTED_AT_ONCE).take_while(|_| started.elapsed() < COUNTING) {
        let tips: Vec<&str> = some.iter().filter_map(|change| change.new.as_deref()).collect();
        let counts = refs::counts(repository, &tips)?;
        some.iter_mut().zip(counts).for_each(|(change, commits)| change.commits = Some(commits));
    }
    Ok(plan)
}
