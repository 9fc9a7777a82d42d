//! Sends objects, many small ones in one request, and a long one as a stream.

use std::io::{Cursor, Read, Write};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use edgeforge_wire::contents::{Heading, LeftOut, Reason};
use edgeforge_wire::limits;
use flate2::Compression;
use flate2::read::ZlibEncoder as Packer;
use flate2::write::ZlibEncoder;

use crate::console::Console;
use crate::error::{Error, Result};
use crate::git::Repository;
use crate::objects::Objects;
use crate::server::{Server, Taken};

/// Of zlib: against the usual 6 it saves half of the time to pack, for 4 % more bytes.
const LEVEL: u32 = 2;

/// Unpacked bytes of a request. A longer object has a request of its own.
const MOST_BYTES: u64 = 4 << 20;

/// An object and its bytes.
type Piece = (Heading, Vec<u8>);

enum Parcel {
    Small(Vec<Piece>),
    Long(Heading),
}

#[derive(Debug, Default)]
pub struct Sent {
    pub objects: u64,
    /// Packed.
    pub bytes: u64,
    pub unfit: Vec<LeftOut>,
    /// Why there is no room for more.
    pub full: Option<String>,
}

#[derive(Default)]
struct State {
    sent: Sent,
    failure: Option<Error>,
}

impl State {
    fn has_ended(&self) -> bool {
        self.failure.is_some() || self.sent.full.is_some()
    }
}

struct Sender<'a> {
    repository: &'a Repository,
    server: &'a Server<'a>,
    console: &'a Console,
    state: Mutex<State>,
}

/// Small objects in the order of git, long ones last.
pub fn send(
    repository: &Repository,
    server: &Server<'_>,
    console: &Console,
    jobs: usize,
    wanted: Vec<Heading>,
) -> Result<Sent> {
    let sender = Sender { repository, server, console, state: Mutex::default() };
    let (long, small): (Vec<Heading>, Vec<Heading>) = wanted.into_iter().partition(|heading| heading.size > MOST_BYTES);
    let (to, from) = mpsc::sync_channel::<Parcel>(1);
    let from = Mutex::new(from);
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| sender.work(&from));
        }
        if let Err(error) = sender.feed(&to, small, long) {
            sender.with(|state| {
                state.failure.get_or_insert(error);
            });
        }
        drop(to);
    });
    let state = sender.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    state.failure.map_or(Ok(state.sent), Err)
}

impl Sender<'_> {
    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn feed(&self, to: &mpsc::SyncSender<Parcel>, small: Vec<Heading>, long: Vec<Heading>) -> Result<()> {
        let hashes: String = small.iter().map(|heading| heading.id.clone() + "\n").collect();
        let mut objects = Objects::listed(self.repository, hashes.into_bytes())?;
        let (mut parcel, mut bytes) = (Vec::new(), 0);
        for heading in small {
            if parcel.len() == limits::OBJECTS || bytes + heading.size > MOST_BYTES {
                bytes = 0;
                // the channel is closed only if all workers have ended
                if self.with(|state| state.has_ended()) || to.send(Parcel::Small(std::mem::take(&mut parcel))).is_err()
                {
                    return Ok(());
                }
            }
            bytes += heading.size;
            let content = objects.object(&heading.id)?;
            parcel.push((heading, content));
        }
        let last = (!parcel.is_empty()).then_some(Parcel::Small(parcel));
        for parcel in last.into_iter().chain(long.into_iter().map(Parcel::Long)) {
            if self.with(|state| state.has_ended()) || to.send(parcel).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Takes all parcels, so that no sender waits. After a failure it drops the rest.
    fn work(&self, from: &Mutex<mpsc::Receiver<Parcel>>) {
        loop {
            let next = from.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(parcel) = next else { return };
            if self.with(|state| state.has_ended()) {
                continue;
            }
            let outcome = match parcel {
                Parcel::Small(pieces) => self.small(pieces),
                Parcel::Long(heading) => self.long(&heading),
            };
            if let Err(error) = outcome {
                self.with(|state| {
                    state.failure.get_or_insert(error);
                });
            }
        }
    }

    /// An object that the server refuses is left out, and the others are sent again.
    fn small(&self, mut pieces: Vec<Piece>) -> Result<()> {
        while !pieces.is_empty() {
            let body = packed(&pieces)?;
            match self.server.send_objects(&body)? {
                Taken::Done => {
                    self.count(pieces.len() as u64, body.len() as u64);
                    return Ok(());
                }
                Taken::Full(reason) => return self.end(reason),
                Taken::Unfit(id) => {
                    let at = pieces.iter().position(|(heading, _)| heading.id == id);
                    let (heading, _) = pieces.remove(at.ok_or_else(|| unknown(&id))?);
                    self.leave_out(&heading, Reason::Unfit);
                }
                Taken::TooLong if pieces.len() > 1 => {
                    let rest = pieces.split_off(pieces.len() / 2);
                    self.small(rest)?;
                }
                Taken::TooLong => {
                    pieces.drain(..).for_each(|(heading, _)| self.leave_out(&heading, Reason::Size));
                }
            }
        }
        Ok(())
    }

    fn long(&self, heading: &Heading) -> Result<()> {
        let sent = self.server.send_object(heading.size, &|| {
            let objects = Objects::start(self.repository)?;
            let content = objects.stream(&heading.id)?;
            Ok(Box::new(Cursor::new(heading.line()).chain(Packer::new(content, Compression::new(LEVEL)))))
        })?;
        match sent {
            (Taken::Done, bytes) => self.count(1, bytes),
            (Taken::Full(reason), _) => self.end(reason)?,
            (Taken::Unfit(_), _) => self.leave_out(heading, Reason::Unfit),
            (Taken::TooLong, _) => self.leave_out(heading, Reason::Size),
        }
        Ok(())
    }

    fn count(&self, objects: u64, bytes: u64) {
        self.with(|state| {
            (state.sent.objects, state.sent.bytes) = (state.sent.objects + objects, state.sent.bytes + bytes)
        });
        self.console.advance(objects);
    }

    fn end(&self, reason: String) -> Result<()> {
        self.with(|state| {
            state.sent.full.get_or_insert(reason);
        });
        Ok(())
    }

    fn leave_out(&self, heading: &Heading, reason: Reason) {
        self.with(|state| state.sent.unfit.push(leave_out(heading, reason)));
    }
}

fn unknown(id: &str) -> Error {
    Error::Server(format!("the server refused the object {id}, which was not sent"))
}

fn packed(pieces: &[Piece]) -> Result<Vec<u8>> {
    let broken = |error: std::io::Error| Error::Server(format!("objects cannot be packed: {error}"));
    let mut body = Vec::new();
    for (heading, content) in pieces {
        body.extend_from_slice(heading.line().as_bytes());
        let mut packer = ZlibEncoder::new(&mut body, Compression::new(LEVEL));
        packer.write_all(content).and_then(|()| packer.finish().map(drop)).map_err(broken)?;
    }
    Ok(body)
}

pub fn leave_out(heading: &Heading, reason: Reason) -> LeftOut {
    LeftOut { id: heading.id.clone(), kind: heading.kind, size: heading.size, reason }
}
