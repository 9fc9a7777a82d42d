//! A file on its way into the object store: hashed and counted as it arrives, and stored in parts.

use super::form::Content;
use super::off;
use crate::call::{Call, Entry};
use crate::error::{Error, Result};
use crate::places::Kind;
use crate::spending::Work;
use crate::store::{Failure, Growing, Row};
use edgeforge_wire::text::hex;
use sha2::{Digest, Sha256};

/// Bytes that a form has beside its file.
const AROUND: u64 = 64 << 10;

/// What decides about a file.
#[derive(Debug, Row)]
pub struct Room {
    archived: bool,
    project_bytes: i64,
    all_bytes: i64,
    pub megabytes: i64,
    place: String,
}

impl Room {
    /// The row of the entry's first statement, `room`. 403 if the project is archived.
    pub fn of(entry: &Entry) -> Result<Room> {
        let room: Option<Room> = entry.rows.first()?;
        let room = room.ok_or_else(|| Error::Internal("no row of the project".to_owned()))?;
        if room.archived { Err(Error::FORBIDDEN) } else { Ok(room) }
    }
}

/// Why a file is not stored.
#[derive(Debug)]
pub enum Refusal {
    /// It has more bytes than a file may have.
    TooLong,
    /// The project has no room for it.
    Full,
    Failed(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Failed(error)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        Refusal::Failed(failure.into())
    }
}

/// A stored file.
#[derive(Debug)]
pub struct Stored {
    pub size: i64,
    /// Hexadecimal.
    pub sha256: String,
}

/// Whether the client announces more bytes than a file may have. `most`: 0 means no limit.
pub fn is_announced_too_long(call: &Call<'_>, most: u64) -> bool {
    let length = call.request.header("content-length").and_then(|text| text.trim().parse::<u64>().ok());
    most > 0 && length.is_some_and(|length| length > most.saturating_add(AROUND))
}

/// A key below the project that nobody has used: the folder and a random name.
pub struct Place<'a> {
    pub folder: &'a str,
    pub name: &'a str,
    /// Bytes of the file. 0 means no limit.
    pub most: u64,
}

/// Reads a file to its end and stores it. Nothing is stored if it is refused.
pub async fn receive<'a>(
    call: &Call<'a>,
    room: &Room,
    place: Place<'_>,
    mut content: Content,
) -> Result<Stored, Refusal> {
    let store = call.store.objects().ok_or_else(off)?;
    let _held = call.hold(Kind::Files)?;
    let mut growing = Growing::new(format!("{}{}/{}", room.place, place.folder, place.name));
    let mut hash = Sha256::new();
    match read(call, room, &place, &mut content, &mut growing, &mut hash).await {
        Ok(()) => {
            let size = i64::try_from(growing.length).unwrap_or(i64::MAX);
            growing.finish(store).await?;
            Ok(Stored { size, sha256: hex(&hash.finalize()) })
        }
        Err(refusal) => {
            growing.abandon().await;
            Err(refusal)
        }
    }
}

async fn read<'a>(
    call: &Call<'a>,
    room: &Room,
    place: &Place<'_>,
    content: &mut Content,
    growing: &mut Growing<'a>,
    hash: &mut Sha256,
) -> Result<(), Refusal> {
    let store = call.store.objects().ok_or_else(off)?;
    loop {
        let piece = content.piece().await?;
        if piece.is_empty() {
            break;
        }
        call.store.work(Work::Bytes(piece.len() as u64));
        hash.update(piece);
        growing.extend(piece);
        let length = piece.len();
        content.consume(length);
        if place.most > 0 && growing.length > place.most {
            return Err(Refusal::TooLong);
        }
        if growing.fills_a_part() {
            check_room(call, room, growing.length)?;
            growing.store_parts(store).await?;
        }
    }
    check_room(call, room, growing.length)
}

/// Refuses a file before the batch with its row would be refused, so that little is put that nobody counts.
fn check_room(call: &Call<'_>, room: &Room, length: u64) -> Result<(), Refusal> {
    let (quotas, more) = (call.config.quotas, i64::try_from(length).unwrap_or(i64::MAX));
    match () {
        () if !quotas.leave(room.project_bytes, 0, more) => Err(Refusal::Full),
        () if !quotas.leave(room.project_bytes, room.all_bytes, more) => Err(Error::ServerFull.into()),
        () => Ok(()),
    }
}
