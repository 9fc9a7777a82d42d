//! `sync`: asks what the server has, sends what it lacks, parents first, then swaps its refs.
//!
//! The refs are moved last and all at once, so a sync that is killed has changed nothing that anyone sees; the next
//! one goes on about where it was, and the server skips what it is sent twice.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

use edgeforge_wire::{Change, Swap, limits};

use crate::args::Options;
use crate::console::{Console, pace, print};
use crate::error::{Error, Result};
use crate::git::Repository;
use crate::lock::Lock;
use crate::log::{Log, Range};
use crate::pipeline::{self, Sent};
use crate::plan::Plan;
use crate::refs::{self, Refs};
use crate::resume;
use crate::server::{Server, Swapping};
use crate::text::count;

/// So often a sync starts again when the server's refs changed meanwhile.
const MOST_ROUNDS: u32 = 5;

/// Brings the server to where the repository is.
pub fn sync(
    repository: &Repository,
    server: &Server<'_>,
    options: &Options,
    console: &Console,
) -> Result<()> {
    if options.dry_run {
        return show(&plan(repository, server, console, &BTreeSet::new())?, repository);
    }
    let _lock = Lock::wait(repository, console)?;
    let recheck = options.recheck;
    let mut apart = BTreeSet::new();
    let mut rounds = 0;
    while rounds < MOST_ROUNDS {
        let plan = plan(repository, server, console, &apart)?;
        if plan.is_another && !options.replace && plan.deleted() > 0 {
            return Err(Error::Repository(
                "nothing of what the server has is in this repository; is it the right one? If it is to take the \
                 place of what the server has, give --replace"
                    .to_owned(),
            ));
        }
        if plan.is_empty() && !recheck {
            console.say("nothing to send");
            return end(&apart);
        }
        let started = Instant::now();
        let sent = match send(repository, server, &plan, options.jobs, console) {
            Err(Error::Unfit { commit, reason }) => {
                set_apart(repository, &commit, &reason, &mut apart, console)?;
                continue;
            }
            sent => sent?,
        };
        rounds += 1;
        let plan = counted(repository, plan)?;
        if swap(server, &plan, recheck, console)? {
            let commits = pace(sent.commits, started.elapsed());
            let (deleted, all) = (plan.deleted(), plan.changes.len());
            let mut text = format!("sent {commits}, changed {}", count((all - deleted) as u64, "ref"));
            if deleted > 0 {
                text.push_str(&format!(", deleted {deleted}"));
            }
            console.say(&text);
            return end(&apart);
        }
    }
    Err(Error::Conflict(format!("the server's refs changed during each of {MOST_ROUNDS} attempts")))
}

/// What is said last of refs that could not be sent.
fn end(apart: &BTreeSet<String>) -> Result<()> {
    match apart.len() {
        0 => Ok(()),
        number => {
            let refs = count(number as u64, "ref");
            Err(Error::Repository(format!("{refs} stayed as the server had them; see the warnings")))
        }
    }
}

/// The refs that contain a commit which cannot be indexed stay as the server has them; all others go on.
fn set_apart(
    repository: &Repository,
    commit: &str,
    reason: &str,
    apart: &mut BTreeSet<String>,
    console: &Console,
) -> Result<()> {
    let before = apart.len();
    let refs = refs::containing(repository, commit)?;
    for name in refs.difference(apart) {
        console.warn(&format!("{name} cannot be indexed: commit {commit}: {reason}"));
    }
    apart.extend(refs);
    if apart.len() > before {
        return Ok(());
    }
    Err(Error::Unfit { commit: commit.to_owned(), reason: reason.to_owned() })
}

/// What differs now, but for the refs `apart`.
pub fn plan(
    repository: &Repository,
    server: &Server<'_>,
    console: &Console,
    apart: &BTreeSet<String>,
) -> Result<Plan> {
    let remote = server.refs(false)?;
    let local = Refs::read(repository)?;
    for skipped in &local.skipped {
        console.warn(&format!("skipped {skipped}"));
    }
    for broken in &local.broken {
        console.warn(&format!("git cannot read {broken}; it stays as the server has it"));
    }
    Plan::new(repository, local, &remote, apart)
}

/// Prints the differences; for `--dry-run` and `status`.
pub fn show(plan: &Plan, repository: &Repository) -> Result<()> {
    for line in plan.lines(repository)? {
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
    if !plan.again.is_empty() {
        let mut log = Log::start(repository, Range::These(&plan.again))?;
        pipeline::send(server, console, 1, || log.read())?;
        console.say(&format!("sent {} anew", count(plan.again.len() as u64, "commit")));
    }
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

/// How long the branches of a sync are counted, the default branch first. Git walks a history for that, and a push had
/// better not wait for thousands of them: those without a number get one when they move the next time.
const COUNTING: Duration = Duration::from_secs(5);

/// The plan with the number of commits of the branches that move, for the totals of their lists. The first is counted
/// whole, each other by how it differs from the first, which is mostly little.
fn counted(repository: &Repository, mut plan: Plan) -> Result<Plan> {
    let started = Instant::now();
    let mut base: Option<(String, u64)> = None;
    let branches = plan.changes.iter_mut().filter(|change| change.name.starts_with("refs/heads/"));
    for change in branches.take_while(|_| started.elapsed() < COUNTING) {
        let Some(tip) = &change.new else { continue };
        let commits = match &base {
            Some((base, commits)) => refs::count_beside(repository, (base, *commits), tip)?,
            None => refs::count(repository, tip)?,
        };
        change.commits = Some(commits);
        base.get_or_insert_with(|| (tip.clone(), commits));
    }
    Ok(plan)
}

/// Moves the refs, all together, and waits until every commit knows its branch; false if the refs were not where the
/// plan believed them.
fn swap(server: &Server<'_>, plan: &Plan, recheck: bool, console: &Console) -> Result<bool> {
    let portions = portions(&plan.changes);
    let last = portions.len().saturating_sub(1);
    if last as i64 > limits::PORTIONS {
        return Err(Error::Server(format!(
            "the server takes no more than {} portions of changes",
            limits::PORTIONS
        )));
    }
    let sync = (last > 0).then(|| format!("{:016x}", RandomState::new().hash_one(std::process::id())));
    let default_branch = plan.default_branch.clone();
    for (number, changes) in portions.into_iter().enumerate() {
        let swap = Swap {
            default_branch: default_branch.clone(),
            changes: changes.to_vec(),
            sync: sync.clone(),
            portion: number as i64,
            more: number < last,
            recheck: recheck && number == last,
        };
        match server.swap_refs(&swap)? {
            Swapping::Refused(reason) => {
                console.say(&format!("the server's refs changed meanwhile ({reason}); starting again"));
                return Ok(false);
            }
            Swapping::Done { pending } if number == last && pending => {
                console.say("the refs are moved; the server finds the branch of each commit");
                return settle(server, default_branch, console);
            }
            Swapping::Done { .. } => {}
        }
    }
    Ok(true)
}

/// Asks the server to go on until every commit knows its branch.
fn settle(server: &Server<'_>, default_branch: Option<String>, console: &Console) -> Result<bool> {
    let swap = Swap { default_branch, ..Swap::default() };
    let mut requests = 1_u64;
    while server.swap_refs(&swap)? == (Swapping::Done { pending: true }) {
        requests += 1;
    }
    console.detail(&format!("that took {} more", count(requests, "request")));
    Ok(true)
}

/// The changes in as many requests as they need; one if there is only a default branch to tell.
fn portions(changes: &[Change]) -> Vec<&[Change]> {
    let mut portions = Vec::new();
    let mut rest = changes;
    loop {
        let mut bytes = 2;
        let fits = rest.iter().take(limits::CHANGES).take_while(|change| {
            bytes += serde_json::to_string(change).map_or(0, |json| json.len() + 1);
            bytes <= limits::CHANGES_AS_JSON
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

    fn change(message: usize) -> Change {
        Change { message: Some("x".repeat(message)), ..Change::default() }
    }

    fn sizes(changes: &[Change]) -> Vec<usize> {
        portions(changes).into_iter().map(<[_]>::len).collect()
    }

    #[test]
    fn many_changes_go_in_several_requests() {
        assert_eq!(sizes(&vec![change(0); 2001]), [1000, 1000, 1]);
        assert_eq!(sizes(&vec![change(1_000_000); 3]), [1, 1, 1]);
        let controls = Change { message: Some("\u{1}".repeat(64 << 10)), ..Change::default() };
        assert_eq!(sizes(&vec![controls; 4]), [3, 1]);
    }

    #[test]
    fn a_default_branch_alone_is_one_request() {
        assert_eq!(sizes(&[]), [0]);
    }
}
