//! A file on its way into the object store: hashed and counted as it arrives, and stored in parts.

use super::form::Content;
use super::off;
use crate::kernel::call::reserving::Reservation;
use crate::kernel::limits::spending::Work;
use crate::kernel::store::GrowingObject;
use crate::kernel::{Call, Error, Result, Row};
use edgeforge_wire::text::hex;
use sha2::{Digest, Sha256};

/// Bytes that a form may have in addition to its file.
const AROUND: u64 = 64 << 10;

/// What decides whether a file may be stored or removed.
#[derive(Debug, Row)]
pub struct Room {
    pub megabytes: i64,
    place: String,
}

impl Room {
    /// Deletes objects whose rows are gone. If this fails, the sweep does. A copy of a database does not delete objects
    /// of its original.
    pub async fn remove(&self, call: &Call<'_>, keys: Vec<String>) {
        let own: Vec<String> = keys.into_iter().filter(|key| key.starts_with(&self.place)).collect();
        if let (Some(store), false) = (call.store.objects(), own.is_empty()) {
            store.delete(own).await.ok();
        }
    }
}

/// A stored file.
#[derive(Debug)]
pub struct StoredFile {
    pub size: i64,
    /// Hexadecimal.
    pub sha256: String,
}

/// Whether the client announces more bytes than a file may have. `most`: 0 means no limit.
pub fn is_announced_too_long(call: &Call<'_>, most: u64) -> bool {
    let most = i64::try_from(most.saturating_add(AROUND)).unwrap_or(i64::MAX);
    most > AROUND as i64 && call.announced().is_some_and(|length| length > most)
}

/// A key below the project that nobody has used: the folder and a random name.
pub struct Place<'a> {
    pub folder: &'a str,
    pub name: &'a str,
    /// Bytes of the file. 0 means no limit.
    pub most: u64,
    /// The error of a longer one.
    pub too_long: fn() -> Error,
}

/// Reads a file to its end and stores it. Nothing is stored if it is refused.
pub async fn receive<'a>(
    call: &Call<'a>,
    room: &Room,
    reserved: &mut Reservation<'_, '_>,
    place: Place<'_>,
    mut content: Content,
) -> Result<StoredFile> {
    let store = call.store.objects().ok_or_else(off)?;
    let key = format!("{}{}/{}", room.place, place.folder, place.name);
    let mut growing = GrowingObject::new(key.clone());
    let mut hash = Sha256::new();
    match read(call, reserved, &place, &mut content, &mut growing, &mut hash).await {
        Ok(()) => {
            let size = i64::try_from(growing.length).unwrap_or(i64::MAX);
            reserved.keys.push(key);
            growing.finish(store).await?;
            Ok(StoredFile { size, sha256: hex(&hash.finalize()) })
        }
        Err(error) => {
            growing.abandon().await;
            Err(error)
        }
    }
}

async fn read<'a>(
    call: &Call<'a>,
    reserved: &mut Reservation<'_, '_>,
    place: &Place<'_>,
    content: &mut Content,
    growing: &mut GrowingObject<'a>,
    hash: &mut Sha256,
) -> Result<()> {
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
            return Err((place.too_long)());
        }
        if growing.fills_a_part() {
            reserved.grow(growing.length).await?;
            growing.store_parts(store).await?;
        }
    }
    reserved.grow(growing.length).await
}
