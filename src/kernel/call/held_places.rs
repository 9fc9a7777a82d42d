//! Places of the instance that a request takes.

use super::Call;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::{ArrivingPieces, Body, NoPiece, Pieces, Reply};
use crate::kernel::limits::slots::{HeldPlace, Kind, NoPlace, Owner};
use futures_util::StreamExt;
use futures_util::future::AbortHandle;
use futures_util::stream::{self, Abortable};
use std::iter::once_with;
use std::rc::Rc;

/// How often a request tries to take a place, and the milliseconds between two tries.
const TRIES: u32 = 40;
const PAUSE: u64 = 50;

/// The pieces count for the place until their end, and come late if it is ended before.
fn watched(pieces: ArrivingPieces, held: &HeldPlace) -> ArrivingPieces {
    let (counting, ending) = (held.clone(), held.clone());
    let counted = pieces.inspect(move |piece| counting.count(piece.as_ref().map_or(0, Vec::len)));
    let late = once_with(move || ending.stop().then_some(Err(NoPiece::Late))).flatten();
    Box::pin(Abortable::new(counted, held.start()).chain(stream::iter(late)))
}

impl Call<'_> {
    /// The owner of a place: the person, or the token until the database has said whose it is, or the address.
    fn owner(&self) -> Owner {
        let token = self.credentials().map(|credentials| credentials.hash);
        let mut person = self.person_id.get();
        if let (Some(token), None) = (&token, person) {
            self.store.remember(&mut |memory| person = memory.known.get(token).copied());
        }
        let other = || token.map_or_else(|| Owner::Address(self.request.address()), Owner::Token);
        person.map_or_else(other, Owner::Person)
    }

    /// The body. It counts for the place that the request holds, and ends with it.
    pub fn body(&self) -> Body {
        match (&self.request.body, &*self.held.borrow()) {
            (Body::Pieces(pieces), Some(held)) => {
                let (pieces, held) = (pieces.clone(), held.clone());
                Body::Pieces(Pieces(Rc::new(move || watched(pieces.0(), &held))))
            }
            (body, _) => body.clone(),
        }
    }

    /// A place. 429 if all are taken.
    pub fn hold(&self, kind: Kind) -> Result<HeldPlace> {
        // a backend without memory has no places
        let mut outcome = Err(NoPlace { most: 0, is_own: true, slow: None });
        let owner = self.owner();
        self.store.remember(&mut |memory| outcome = memory.slots.take(kind, owner.clone(), self.now));
        outcome.map_err(|NoPlace { most, is_own, slow }| {
            slow.inspect(AbortHandle::abort);
            let others = if is_own { "" } else { " of all callers, and others have them" };
            Error::at_once(most as i64, format!("{}{others}", kind.name()), self.now)
        })
    }

    /// The same, but waits up to two seconds for a place, which the request holds until it ends.
    pub(super) async fn wait_for(&self, kind: Kind) -> Result<HeldPlace> {
        for _ in 0..TRIES {
            if let Ok(held) = self.hold(kind) {
                self.held.replace(Some(held.clone()));
                return Ok(held);
            }
            self.store.pause(PAUSE).await;
        }
        self.hold(kind)
    }

    /// Takes a place for a costly route, until its answer is ready. Before the database is asked, because the texts that
    /// it returns are a part of the cost.
    pub(super) async fn hold_if_costly(&self) -> Result<()> {
        if self.route.is_costly && self.held.borrow().is_none() {
            self.wait_for(Kind::Reads).await?;
        }
        Ok(())
    }

    /// Counts the place for the person, now that the database has said who that is. 429 if they have too many.
    pub(super) fn own_place(&self) -> Result<()> {
        let is_one_too_many = self.held.borrow().as_ref().is_some_and(|held| !held.pass_to(self.owner()));
        if is_one_too_many { Err(Error::at_once(3, Kind::Reads.name(), self.now)) } else { Ok(()) }
    }

    /// Replaces the place of a costly read by one of its stream, which the stream holds until its end.
    pub async fn streaming(&self, mut reply: Reply) -> Result<Reply> {
        if reply.stream.is_some() && self.held.take().is_some() {
            let kind = if reply.is_long() { Kind::Streams } else { Kind::ShortStreams };
            reply.held = Some(self.wait_for(kind).await?).inspect(|held| drop(held.start()));
        }
        Ok(reply)
    }
}
