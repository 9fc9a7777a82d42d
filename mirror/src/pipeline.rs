//! Sends several batches at once.
//!
//! The server refuses a batch whose parents it has not stored. So a batch is sent when the batches with its
//! parents have arrived. Most histories are one long line, and batches would go one at a time. Therefore a
//! batch is also sent early if its parents are under way. If the server refuses it, it is sent again after
//! its parents have arrived. After several refusals batches are no longer sent early.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use edgeforge_wire::text::is_hash;

use crate::batch::{Batch, Batches};
use crate::commit::Commit;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::server::{Server, Verdict};

/// After this number of refusals batches are no longer sent early.
const MOST_REFUSALS: u64 = 3;

/// One more refusal is allowed for each of this number of accepted early batches.
const TAKEN_FOR_A_REFUSAL: u64 = 10;

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sent {
    pub commits: u64,
    pub batches: u64,
    /// Early batches that were refused once.
    pub refused: u64,
    /// Early batches that were accepted.
    pub ahead: u64,
}

/// `next` returns parents before children. `jobs` is the number of requests at once.
pub fn send(
    server: &Server<'_>,
    console: &Console,
    jobs: usize,
    mut next: impl FnMut() -> Result<Option<Commit>>,
) -> Result<Sent> {
    let pipeline = Pipeline { server, console, jobs, state: Mutex::default(), turn: Condvar::new() };
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| pipeline.work());
        }
        let mut feed = || {
            let mut batches = Batches::default();
            while let Some(commit) = next()? {
                if let Some(batch) = batches.push(commit)? {
                    let oldest = pipeline.submit(batch)?;
                    batches.forget_before(oldest);
                }
            }
            batches.close().map_or(Ok(0), |batch| pipeline.submit(batch))
        };
        let fed = feed();
        let mut state = pipeline.lock();
        state.closed = true;
        if let Err(error) = fed {
            state.failure.get_or_insert(error);
        }
        drop(state);
        pipeline.turn.notify_all();
    });
    let state = pipeline.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    match state.failure {
        None => Ok(state.sent),
        Some(error) => Err(error),
    }
}

/// Finds the commit in a refusal of the form `commit 3 (<hash>): why`. A commit whose parents are missing is
/// valid and not returned.
fn unfit(reason: &str) -> Option<Error> {
    let (commit, why) = reason.strip_prefix("commit ")?.split_once(" (")?.1.split_once("): ")?;
    (is_hash(commit) && !why.ends_with("is not known"))
        .then(|| Error::Unfit { commit: commit.to_owned(), reason: why.to_owned() })
}

struct Pipeline<'a> {
    server: &'a Server<'a>,
    console: &'a Console,
    jobs: usize,
    state: Mutex<State>,
    turn: Condvar,
}

#[derive(Default)]
struct State {
    /// Ordered by number. `submit` limits their count.
    waiting: VecDeque<Batch>,
    open: BTreeSet<usize>,
    /// Batches that were refused early. They wait until their parents have arrived.
    patient: BTreeSet<usize>,
    closed: bool,
    failure: Option<Error>,
    /// When the last batch was sent.
    went: Option<Instant>,
    /// The moving average of the time to an answer.
    round_trip: Option<Duration>,
    sent: Sent,
}

enum Turn {
    /// `ahead`: the batch is sent early.
    Go { batch: Batch, ahead: bool },
    /// Check again after this time, or when woken.
    Later(Duration),
    /// Check again when woken.
    Wait,
}

impl State {
    fn turn(&mut self, jobs: usize) -> Turn {
        let arrived = |batch: &Batch| batch.needs.is_disjoint(&self.open);
        if let Some(at) = self.waiting.iter().position(arrived)
            && let Some(batch) = self.waiting.remove(at)
        {
            return Turn::Go { batch, ahead: false };
        }
        // a batch needs only lower numbers, so no waiting batch blocks the first one
        let (Some(first), Some(round_trip), Some(went)) = (self.waiting.front(), self.round_trip, self.went) else {
            return Turn::Wait;
        };
        let too_often = self.sent.refused >= MOST_REFUSALS + self.sent.ahead / TAKEN_FOR_A_REFUSAL;
        if too_often || self.patient.contains(&first.number) {
            return Turn::Wait;
        }
        // spreads the requests over the time of one answer, so that they arrive in order
        let due = round_trip / u32::try_from(jobs).unwrap_or(u32::MAX);
        match due.checked_sub(went.elapsed()) {
            Some(left) if !left.is_zero() => Turn::Later(left),
            _ => self.waiting.pop_front().map_or(Turn::Wait, |batch| Turn::Go { batch, ahead: true }),
        }
    }

    fn arrived(&mut self, batch: &Batch, ahead: bool, took: Duration) {
        self.open.remove(&batch.number);
        self.patient.remove(&batch.number);
        self.sent.commits += batch.commits;
        self.sent.batches += 1;
        self.sent.ahead += u64::from(ahead);
        self.round_trip = Some(self.round_trip.map_or(took, |average| (average * 3 + took) / 4));
    }

    fn put_back(&mut self, batch: Batch) {
        self.sent.refused += 1;
        self.patient.insert(batch.number);
        let at = self.waiting.partition_point(|other| other.number < batch.number);
        self.waiting.insert(at, batch);
    }
}

impl Pipeline<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.turn.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for room and adds a batch. Returns the number of the oldest batch that has not arrived.
    fn submit(&self, batch: Batch) -> Result<usize> {
        let mut state = self.lock();
        while state.waiting.len() > self.jobs && state.failure.is_none() {
            state = self.wait(state);
        }
        if let Some(error) = &state.failure {
            return Err(error.clone());
        }
        state.open.insert(batch.number);
        let oldest = state.open.first().copied().unwrap_or(0);
        state.waiting.push_back(batch);
        self.turn.notify_all();
        Ok(oldest)
    }

    fn work(&self) {
        let mut state = self.lock();
        loop {
            if state.failure.is_some() || (state.closed && state.waiting.is_empty()) {
                return;
            }
            let (batch, ahead) = match state.turn(self.jobs) {
                Turn::Go { batch, ahead } => (batch, ahead),
                Turn::Later(left) => {
                    let waited = self.turn.wait_timeout(state, left);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                    continue;
                }
                Turn::Wait => {
                    state = self.wait(state);
                    continue;
                }
            };
            let went = Instant::now();
            state.went = Some(went);
            drop(state);
            let verdict = self.server.send_commits(&batch.body);
            state = self.lock();
            match verdict {
                Ok(Verdict::Done) => {
                    state.arrived(&batch, ahead, went.elapsed());
                    self.console.advance(batch.commits);
                }
                Ok(Verdict::Refused(reason)) if ahead => {
                    self.console.detail(&format!("batch {} waits for its parents: {reason}", batch.number));
                    state.put_back(batch);
                }
                Ok(Verdict::Refused(reason)) => {
                    let text = format!("the server refused batch {}: {reason}", batch.number);
                    state.failure.get_or_insert(unfit(&reason).unwrap_or(Error::Server(text)));
                }
                Err(error) => {
                    state.failure.get_or_insert(error);
                }
            }
            self.turn.notify_all();
        }
    }
}
