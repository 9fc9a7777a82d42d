//! Batches on their way: several at once, in an order that the server takes.
//!
//! The server refuses a batch whose parents it does not know. A batch is therefore free to go when the batches that
//! hold its parents have arrived. Histories are mostly one long line, so with this alone batches would go one by one;
//! so one that only needs batches under way goes too, ahead of their answer. If the server handles requests in their
//! order it is taken; if it is refused it waits for its turn, and after a few refusals nothing goes ahead any more.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::batch::{Batch, Batches};
use crate::commit::Commit;
use crate::console::Console;
use crate::error::{Error, Result};
use crate::server::{Server, Verdict};

/// Refusals after which nothing goes ahead of its parents any more.
const MOST_REFUSALS: u32 = 3;

/// What has been sent.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Sent {
    pub commits: u64,
    pub batches: u64,
    /// Batches that went ahead of their parents and were refused once.
    pub refused: u64,
}

/// Sends all commits, which come parents first, with so many requests at once.
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

struct Pipeline<'a> {
    server: &'a Server<'a>,
    console: &'a Console,
    jobs: usize,
    state: Mutex<State>,
    turn: Condvar,
}

#[derive(Default)]
struct State {
    /// By number; the few that memory may hold.
    waiting: VecDeque<Batch>,
    /// Numbers of the batches that are waiting or under way.
    open: BTreeSet<usize>,
    /// Those of them that were refused, and wait until all they need has arrived.
    patient: BTreeSet<usize>,
    /// No batch will be added.
    closed: bool,
    failure: Option<Error>,
    refusals: u32,
    sent: Sent,
}

impl State {
    /// The batch that may go now, and whether it goes ahead of its parents.
    fn take(&mut self) -> Option<(Batch, bool)> {
        let arrived = |batch: &Batch| batch.needs.is_disjoint(&self.open);
        if let Some(at) = self.waiting.iter().position(arrived) {
            return self.waiting.remove(at).map(|batch| (batch, false));
        }
        // what it needs has a smaller number, so for the first one nothing waits but it
        let first = self.waiting.front()?;
        if self.refusals < MOST_REFUSALS && !self.patient.contains(&first.number) {
            return self.waiting.pop_front().map(|batch| (batch, true));
        }
        None
    }

    /// Puts a refused batch back in its place.
    fn put_back(&mut self, batch: Batch) {
        self.refusals += 1;
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

    /// Adds a batch when there is room for it; the number of the oldest one that has not arrived.
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

    /// Sends batches until there are no more, or one failed.
    fn work(&self) {
        let mut state = self.lock();
        loop {
            if state.failure.is_some() || (state.closed && state.waiting.is_empty()) {
                return;
            }
            let Some((batch, ahead)) = state.take() else {
                state = self.wait(state);
                continue;
            };
            drop(state);
            let verdict = self.server.send_commits(&batch.body);
            state = self.lock();
            match verdict {
                Ok(Verdict::Done) => {
                    state.open.remove(&batch.number);
                    state.patient.remove(&batch.number);
                    state.sent.commits += batch.commits;
                    state.sent.batches += 1;
                    self.console.advance(batch.commits);
                }
                Ok(Verdict::Refused(reason)) if ahead => {
                    self.console.detail(&format!("batch {} waits for its parents: {reason}", batch.number));
                    state.put_back(batch);
                }
                Ok(Verdict::Refused(reason)) => {
                    let text = format!("the server refused batch {}: {reason}", batch.number);
                    state.failure.get_or_insert(Error::Server(text));
                }
                Err(error) => {
                    state.failure.get_or_insert(error);
                }
            }
            self.turn.notify_all();
        }
    }
}
