//! A simulated database with lagging replicas, in simulated time, and isolates of the Worker in front of it.

use crate::support::{Dice, Sqlite};
use edgeforge::rate::Memory;
use edgeforge::store::{
    Answer, AnswerFuture, Backend, BatchResult, Failure, Reading, Statement, StoreFuture, Value, VerdictFuture,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::Rc;
use std::task::Poll;

/// Faults to inject. The tests must detect each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutant {
    /// A session starts without the client's bookmark.
    BookmarkNotSent,
    /// A write returns the bookmark of any near copy.
    WriteNotOnPrimary,
    /// The memory of who wrote is lost.
    WritersForgotten,
    /// A request that a replica refused is repeated on a replica.
    NotTriedOnPrimary,
    /// A replica authorizes a caller with a token.
    AuthorizationOnReplica,
}

struct Replica {
    database: Sqlite,
    /// The number of writes that a replica has received.
    applied: usize,
    /// The lag of a write in milliseconds.
    lag: i64,
}

/// The primary and its replicas.
pub struct Network {
    primary: Sqlite,
    replicas: RefCell<Vec<Replica>>,
    /// Every batch that wrote, and its time.
    log: RefCell<Vec<(i64, Vec<Statement>)>>,
    /// The position in the log of each state, by the text that contains it.
    states: RefCell<BTreeMap<String, usize>>,
    /// The positions of the states of each name, in order.
    of_name: RefCell<BTreeMap<String, Vec<usize>>>,
    now: Cell<i64>,
    pub dice: RefCell<Dice>,
    /// The client at work, and those whose current request read from a replica.
    pub client: Cell<usize>,
    pub away: RefCell<BTreeSet<usize>>,
    /// The number of batches that replicas answered.
    pub answered_away: Cell<u32>,
}

/// The beginnings of texts that contain a state: then come its name and its number.
pub const STATE: &str = "state ";

/// The name and number of the state in a text.
fn state(text: &str) -> Option<(&str, &str)> {
    let (_, told) = text.split_once(STATE)?;
    let end = told.find(|sign: char| !sign.is_alphanumeric() && sign != ' ').unwrap_or(told.len());
    told[..end].split_once(' ')
}

impl Network {
    pub fn new(seed: u64, replicas: usize) -> Rc<Network> {
        let database = || Sqlite::new(BTreeMap::new());
        let replica = |_| Replica { database: database(), applied: 0, lag: 0 };
        Rc::new(Network {
            primary: database(),
            replicas: RefCell::new((0..replicas).map(replica).collect()),
            log: RefCell::default(),
            states: RefCell::default(),
            of_name: RefCell::default(),
            now: Cell::new(1_480_000_000_000),
            dice: RefCell::new(Dice(seed)),
            client: Cell::default(),
            away: RefCell::default(),
            answered_away: Cell::default(),
        })
    }

    pub fn now(&self) -> i64 {
        self.now.get()
    }

    pub fn roll(&self, sides: usize) -> usize {
        self.dice.borrow_mut().roll(sides)
    }

    pub fn wait(&self, millis: i64) {
        self.now.set(self.now.get() + millis);
    }

    /// From now on a write arrives at each replica after this time.
    pub fn lag(&self, millis: i64) {
        self.replicas.borrow_mut().iter_mut().for_each(|replica| replica.lag = millis);
    }

    /// Replicas receive the writes that are due.
    pub fn catch_up(&self) {
        let log = self.log.borrow();
        for replica in self.replicas.borrow_mut().iter_mut() {
            for (_, batch) in &log[replica.applied..] {
                replica.database.run(batch).unwrap_or_else(|failure| panic!("{failure:?}"));
            }
            replica.applied = log.len();
        }
    }

    /// The number of writes.
    pub fn written(&self) -> usize {
        self.log.borrow().len()
    }

    /// The position of a state among all writes.
    pub fn place(&self, state: &str) -> Option<usize> {
        self.states.borrow().get(state).copied()
    }

    /// The position of the newest state of that name that the bookmark covers.
    pub fn newest(&self, name: &str, bookmark: usize) -> Option<usize> {
        let of_name = self.of_name.borrow();
        let places = of_name.get(name)?;
        places.get(places.partition_point(|place| *place <= bookmark).checked_sub(1)?).copied()
    }

    pub fn bookmark(place: usize) -> String {
        format!("{:08x}-{place:08x}-00000000-{:032x}", 0, 0)
    }

    pub fn read_bookmark(text: &str) -> Option<usize> {
        usize::from_str_radix(text.split('-').nth(1)?, 16).ok()
    }

    fn on_primary(&self, statements: Vec<Statement>) -> Result<(Vec<Answer>, usize), Failure> {
        let answers = self.primary.run(&statements)?;
        if answers.iter().any(|answer| answer.rows_written > 0) {
            let mut log = self.log.borrow_mut();
            for bind in statements.iter().flat_map(|statement| &statement.binds) {
                if let Value::Text(text) = bind
                    && let Some((name, number)) = state(text)
                {
                    let place = log.len() + 1;
                    self.states.borrow_mut().insert(format!("{STATE}{name} {number}"), place);
                    self.of_name.borrow_mut().entry(name.to_owned()).or_default().push(place);
                }
            }
            log.push((self.now(), statements));
        }
        Ok((answers, self.written()))
    }

    /// On a replica that has received at least this many writes.
    fn near_by(&self, statements: &[Statement], least: usize) -> Result<(Vec<Answer>, usize), Failure> {
        let log = self.log.borrow();
        if least > log.len() {
            return Err(Failure::from_d1("D1_ERROR: a bookmark of a state that never was"));
        }
        let mut replicas = self.replicas.borrow_mut();
        let chosen = self.roll(replicas.len());
        let replica = &mut replicas[chosen];
        while let Some((at, batch)) = log.get(replica.applied)
            && (replica.applied < least || at + replica.lag <= self.now())
        {
            replica.database.run(batch)?;
            replica.applied += 1;
        }
        self.answered_away.set(self.answered_away.get() + 1);
        let answers = if statements.is_empty() { Vec::new() } else { replica.database.run(statements)? };
        assert!(answers.iter().all(|answer| answer.rows_written == 0), "a statement wrote rows on a replica");
        Ok((answers, replica.applied))
    }
}

/// An isolate of the Worker.
pub struct Isolate {
    network: Rc<Network>,
    memory: RefCell<Memory>,
    mutant: Option<Mutant>,
}

impl Isolate {
    pub fn new(network: &Rc<Network>, mutant: Option<Mutant>) -> Isolate {
        Isolate { network: Rc::clone(network), memory: RefCell::default(), mutant }
    }

    fn execute(&self, client: usize, statements: Vec<Statement>, reading: &Reading) -> Result<BatchResult, Failure> {
        let network = &self.network;
        let is_authorization = statements.iter().all(|statement| {
            statement.name.starts_with("edgeforge::kernel::call::gate::") && !statement.name.ends_with("::note_use")
        });
        let was_away = network.away.borrow().contains(&client);
        if reading.is_away() {
            network.away.borrow_mut().insert(client);
        }
        let mutated = match (self.mutant, reading) {
            (Some(Mutant::BookmarkNotSent), Reading::AtLeast(_)) => true,
            (Some(Mutant::AuthorizationOnReplica), Reading::Primary) => is_authorization,
            (Some(Mutant::NotTriedOnPrimary), Reading::Primary) => was_away && !is_authorization,
            _ => false,
        };
        let (answers, place) = match reading {
            _ if mutated => network.near_by(&statements, 0)?,
            Reading::Primary | Reading::Marked => network.on_primary(statements)?,
            Reading::AtLeast(bookmark) => {
                let least = Network::read_bookmark(bookmark);
                let least = least.ok_or_else(|| Failure::from_d1("D1_ERROR: no bookmark"))?;
                network.near_by(&statements, least)?
            }
            Reading::Nearest => network.near_by(&statements, 0)?,
        };
        let place = match (self.mutant, reading) {
            (Some(Mutant::WriteNotOnPrimary), Reading::Marked) => network.near_by(&[], 0)?.1,
            _ => place,
        };
        Ok(BatchResult { answers, bookmark: reading.constraint().map(|_| Network::bookmark(place)) })
    }
}

/// Yields to other tasks this many times.
async fn give_way(mut times: usize) {
    poll_fn(|context| {
        if times == 0 {
            return Poll::Ready(());
        }
        times -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

impl Backend for Isolate {
    fn batch(&self, statements: Vec<Statement>, reading: Reading) -> StoreFuture<'_, BatchResult> {
        let client = self.network.client.get();
        Box::pin(async move {
            // the way there, and the way back
            give_way(self.network.roll(3)).await;
            self.network.wait(self.network.roll(400) as i64);
            let done = self.execute(client, statements, &reading);
            give_way(self.network.roll(3)).await;
            done
        })
    }

    fn remember(&self, look: &mut dyn FnMut(&mut Memory)) {
        match self.mutant {
            Some(Mutant::WritersForgotten) => look(&mut Memory::default()),
            _ => look(&mut self.memory.borrow_mut()),
        }
    }

    fn pause(&self, millis: u64) -> Pin<Box<dyn Future<Output = ()> + '_>> {
        self.network.wait(i64::try_from(millis).unwrap());
        Box::pin(std::future::ready(()))
    }

    fn read_blob<'a>(&'a self, _: &'a str) -> StoreFuture<'a, Option<Rc<str>>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    fn fetch<'a>(&'a self, _: &'a str, _: usize, _: bool) -> AnswerFuture<'a> {
        Box::pin(std::future::ready(Err("nothing leaves this machine".to_owned())))
    }

    fn has_signed<'a>(&'a self, _: &'a str, _: &'a str, _: &'a [u8]) -> VerdictFuture<'a> {
        Box::pin(std::future::ready(false))
    }
}
