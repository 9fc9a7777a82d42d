//! Places of the instance that a request takes.

use super::Call;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::limits::slots::{HeldPlace, Kind, Owner};
use std::sync::Arc;

/// How often a request tries to take a place, and the milliseconds between two tries.
const TRIES: u32 = 40;
const PAUSE: u64 = 50;

impl Call<'_> {
    /// A place for an authorized request. 429 if all are taken.
    pub fn hold(&self, kind: Kind) -> Result<HeldPlace> {
        let address = || Owner::Address(self.request.address());
        let owner = self.person_id.get().map_or_else(address, Owner::Person);
        let mut held = None;
        self.store.remember(&mut |memory| held = memory.slots.take(kind, owner.clone(), self.now));
        held.ok_or_else(|| Error::at_once(kind.most_of_one() as i64, kind.name(), self.now))
    }

    /// The same, but waits up to two seconds for a place.
    async fn wait_for(&self, kind: Kind) -> Result<HeldPlace> {
        for _ in 0..TRIES {
            if let Ok(held) = self.hold(kind) {
                return Ok(held);
            }
            self.store.pause(PAUSE).await;
        }
        self.hold(kind)
    }

    /// Takes a place for a costly route, until its answer is ready.
    pub(super) async fn hold_if_costly(&self) -> Result<()> {
        if self.route.is_costly && self.held.borrow().is_none() {
            let held = self.wait_for(Kind::Reads).await?;
            self.held.replace(Some(held));
        }
        Ok(())
    }

    /// Replaces the place of a costly read by one of its stream, which the stream holds until its end.
    pub async fn streaming(&self, mut reply: Reply) -> Result<Reply> {
        if reply.stream.is_some() && self.held.take().is_some() {
            let kind = if reply.is_long() { Kind::Streams } else { Kind::ShortStreams };
            reply.held = Some(Arc::new(self.wait_for(kind).await?));
        }
        Ok(reply)
    }
}
