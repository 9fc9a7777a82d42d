//! Room for bytes that go to the object store (behaviour 4.4). A batch counts the write and takes the room before they
//! are put, and the batch that writes their rows gives it back.

use super::{Call, Entry};
use crate::kernel::error::Result;
use crate::kernel::limits::slots::{HeldPlace, Kind};
use crate::kernel::policy::Access;
use crate::kernel::store::{Failure, Query, Statement};
use edgeforge_wire::text::hex;
use std::cell::Cell;

edgeforge_row::statements!(mod sql: "src/kernel/call/reserving.sql");

/// Bytes: exact as a number of D1, also in a sum.
const MOST_ANNOUNCED: i64 = 1 << 50;

/// The least bytes that are taken at once if the client announces no length.
const AHEAD: i64 = 1 << 20;

/// The room that a request has taken. Call [`Reservation::end`] also after an error.
pub struct Reservation<'c, 'a> {
    call: &'c Call<'a>,
    project_id: i64,
    outside: bool,
    most_of_project: i64,
    bytes: i64,
    /// Writes that have not been counted yet.
    writes: i64,
    /// Objects that the request alone puts. They are deleted if their rows are not written.
    pub keys: Vec<String>,
    /// Bytes of other objects that it has put.
    pub kept: i64,
    /// Whether room is taken only as needed, because there is too little to take it ahead.
    is_tight: bool,
    /// A place, for bytes that come from the client.
    held: Option<HeldPlace>,
    /// When it was taken, by the clock of the store.
    began: f64,
    /// Whether the rows may have been written although no answer came.
    is_doubtful: Cell<bool>,
}

impl<'a> Call<'a> {
    /// [`Call::authorize_with`] for a request whose body goes to the object store. `most_of_project`: a limit of the
    /// project's bytes for this body, 0 if only the quota of the project counts. `grows`: for how many bytes it takes
    /// room at once for each that the client announces.
    pub async fn authorize_storing<T, Q: Query>(
        &self,
        input: Result<T>,
        most_of_project: i64,
        grows: i64,
        query: Q,
    ) -> Result<(T, Entry, Q::Answer, Reservation<'_, 'a>)> {
        let quotas = self.config.quotas;
        let announced = self.store.objects().and_then(|_| self.announced()).unwrap_or_default() * grows;
        let reserve = sql::reserve {
            request: hex(&self.random),
            bytes: announced,
            most_objects: quotas.object_bytes,
            most_of_person: quotas.person_object_bytes,
            most_from_outside: quotas.bytes_from_outside(),
            most_of_project,
        };
        let (before, after) = self.quotas_of(false);
        let batch = (before, (announced > 0).then_some(reserve), query, after);
        let (input, entry, (_, _, answer, _)) = self.authorize_with(input, |_| batch).await?;
        let outside = entry.resource.access == Access::None;
        let most_of_project = if outside { quotas.bytes_from_outside() } else { most_of_project };
        let none = Reservation::none(self, entry.resource.id, 0);
        let mut reserved = Reservation { outside, most_of_project, bytes: announced, ..none };
        if self.store.objects().is_some() {
            match self.wait_for(Kind::Files).await {
                Ok(held) => reserved.held = Some(held),
                Err(error) => return reserved.end(Err(error)).await,
            }
        }
        Ok((input, entry, answer, reserved))
    }

    /// The length of the body, if the client announces it.
    pub fn announced(&self) -> Option<i64> {
        let length = self.request.header("content-length").and_then(|text| text.trim().parse().ok());
        length.filter(|length| (0..=MOST_ANNOUNCED).contains(length))
    }
}

impl<'c, 'a> Reservation<'c, 'a> {
    /// A reservation without room, and with `writes` to count.
    pub fn none(call: &'c Call<'a>, project_id: i64, writes: i64) -> Self {
        Reservation {
            call,
            project_id,
            outside: false,
            most_of_project: 0,
            bytes: 0,
            writes,
            keys: Vec::new(),
            kept: 0,
            is_tight: false,
            held: None,
            began: call.store.clock(),
            is_doubtful: Cell::default(),
        }
    }

    /// Counts the writes and takes room, in one batch with `queries`.
    pub async fn take<Q: Query>(&mut self, bytes: i64, query: Q) -> Result<Q::Answer> {
        let (_, answer) = self.call.write_many(self.writes, (self.more(bytes), query)).await?;
        (self.bytes, self.writes) = (self.bytes + bytes, 0);
        Ok(answer)
    }

    fn more(&self, bytes: i64) -> Statement {
        let quotas = self.call.config.quotas;
        let most_of_person = if self.call.is_limited() { quotas.person_object_bytes } else { 0 };
        self.row(bytes, [quotas.object_bytes, most_of_person, self.most_of_project])
    }

    fn row(&self, bytes: i64, [most_objects, most_of_person, most_of_project]: [i64; 3]) -> Statement {
        let (project_id, outside, now) = (self.project_id, self.outside, self.call.now);
        let (request, person_id) = (hex(&self.call.random), self.call.person_id.get());
        sql::reserve_more {
            request,
            project_id,
            person_id,
            outside,
            bytes,
            most_objects,
            most_of_person,
            most_of_project,
            now,
        }
        .into()
    }

    /// Keeps the place, and takes room until there is enough for `bytes` in all. That costs a round trip, unless the
    /// client has announced as many.
    pub async fn grow(&mut self, bytes: u64) -> Result<()> {
        if let Some(held) = &self.held {
            held.renew((self.call.store.clock() - self.began) as i64);
        }
        let more = i64::try_from(bytes).unwrap_or(i64::MAX).saturating_sub(self.bytes);
        if more <= 0 {
            return Ok(());
        }
        // takes room for many short objects in one batch, while there is enough
        if more < AHEAD && !self.is_tight {
            match self.take(AHEAD, ()).await {
                Ok(_) => return Ok(()),
                Err(_) => self.is_tight = true,
            }
        }
        self.take(more, ()).await
    }

    /// Runs the batch that writes the rows. From now on their bytes count instead of the room.
    pub async fn write<Q: Query>(&self, query: Q) -> Result<Q::Answer, Failure> {
        let back = (self.bytes > 0).then(|| self.give_back());
        let outcome = self.call.write_many(self.writes, (back, query)).await;
        self.is_doubtful.set(outcome.as_ref().is_err_and(Failure::is_doubtful));
        Ok(outcome?.1)
    }

    fn give_back(&self) -> Statement {
        sql::give_back { request: hex(&self.call.random) }.into()
    }

    /// If the rows were not written, deletes the objects and gives the room back. If they cannot be deleted, the sweep
    /// does both.
    pub async fn end<T>(self, outcome: Result<T>) -> Result<T> {
        if outcome.is_err() && self.bytes > 0 && !self.is_doubtful.get() {
            self.undo().await;
        }
        outcome
    }

    async fn undo(mut self) {
        if let (Some(store), false) = (self.call.store.objects(), self.keys.is_empty())
            && store.delete(std::mem::take(&mut self.keys)).await.is_err()
        {
            return;
        }
        let kept = (self.kept > 0).then(|| self.row(self.kept, [0; 3]));
        self.call.store.batch([self.give_back()].into_iter().chain(kept).collect()).await.ok();
    }
}
