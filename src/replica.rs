//! Which copy of the database a request reads (behaviour 4.6). A replica may lag behind.

use crate::dispatch::{self, Arrival};
use crate::kernel::call::Call;
use crate::kernel::config::Replicas;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::store::{Reading, is_bookmark};

const BOOKMARK: &str = "X-D1-Bookmark";

/// Answers the request. If a replica returned an error, the primary answers again, because the replica may lag or the
/// bookmark may be wrong.
pub async fn answer(call: &Call<'_>, arrival: &Arrival) -> Result<Reply> {
    call.store.turn_to(reading(call));
    let outcome = dispatch::answer(call, arrival).await;
    let is_final = match &outcome {
        Ok(_) => true,
        // the primary has checked the token already
        Err(Error::Unauthorized) => call.has_credentials(),
        Err(Error::TooMany(_)) => true,
        Err(_) => call.store.cost().trips == 0,
    };
    if is_final || !call.store.is_away() {
        return outcome;
    }
    call.store.turn_to(Reading::Primary);
    call.is_cut.set(false);
    call.hint.set(None);
    dispatch::answer(call, arrival).await
}

fn reading(call: &Call<'_>) -> Reading {
    let replicas = call.config.replicas;
    if replicas == Replicas::Off {
        return Reading::Primary;
    }
    let address = call.request.address();
    if !call.reads() {
        // noted before the write, because an interrupted request would not be noted later
        call.store.remember(&mut |memory| memory.writers.note(&address, call.now));
        return Reading::Marked;
    }
    // with a token, the primary checks the access; without one, a made-up bookmark could show an old state, before a
    // project became private
    let counts = call.has_credentials() || replicas == Replicas::Nearest;
    let bookmark = call.request.header("x-d1-bookmark").filter(|text| counts && is_bookmark(text));
    if let Some(bookmark) = bookmark {
        return Reading::AtLeast(bookmark.to_owned());
    }
    let mut wrote = false;
    call.store.remember(&mut |memory| wrote = memory.writers.wrote(&address, call.now));
    if replicas == Replicas::Nearest && !wrote && !call.has_credentials() {
        return Reading::Nearest;
    }
    Reading::Primary
}

/// Adds the bookmark of a write. Reads get none, because it would show how much others have written.
pub fn marked(reply: Reply, call: &Call<'_>) -> Reply {
    match call.store.bookmark() {
        Some(bookmark) if reply.status < 400 && !call.reads() => reply.with(BOOKMARK, bookmark),
        _ => reply,
    }
}
