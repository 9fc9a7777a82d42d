//! A report on its way into the object store. It is unpacked, checked and packed again as it arrives, so that only a
//! piece of it is in memory.

use super::sql;
use super::writing::{Found, Writer};
use crate::areas::files::form::Content;
use crate::areas::files::off;
use crate::kernel::call::path_number;
use crate::kernel::call::reserving::Reservation;
use crate::kernel::http::gzip::{Gunzip, Unpackable, compress};
use crate::kernel::limits::spending::Work;
use crate::kernel::params::parsing::malformed;
use crate::kernel::store::GrowingObject;
use crate::kernel::{Call, Entry, Error, Reply, Result, Row};
use edgeforge_wire::report::{Kind, PACKED, UNPACKED};
use edgeforge_wire::text::hex;
use flate2::{Compress, Compression, FlushCompress};
use serde_json::json;
use sha2::{Digest, Sha256};

#[derive(Debug, Row)]
pub struct Target {
    /// Whether the caller posted the status.
    is_own: bool,
    /// Whether it ended more than a day ago.
    is_over: Option<bool>,
    /// Of the report that it has.
    sha256: Option<String>,
    place: String,
    sought: Vec<String>,
}

/// Bytes that are stored for a byte that arrives, at most for most reports: names of members, and quicker packing.
const GROWS: i64 = 4;

/// Packed bytes that are unpacked at once, because one may become a thousand.
const SLICE: usize = 4096;

/// Unpacks a body, and reads its lines.
struct Unpacker {
    gunzip: Option<Gunzip>,
    packed: usize,
    length: usize,
    hash: Sha256,
    writer: Writer,
}

impl Unpacker {
    fn add(&mut self, piece: &[u8]) -> Result<()> {
        for slice in piece.chunks(SLICE) {
            let unpacked = match &mut self.gunzip {
                None => None,
                Some(gunzip) => {
                    self.packed += slice.len();
                    gunzip.add(slice).map_err(|why| match why {
                        Unpackable::TooLarge => Error::too_large(),
                        Unpackable::Broken => malformed(),
                    })?;
                    Some(gunzip.take())
                }
            };
            let bytes = unpacked.as_deref().unwrap_or(slice);
            self.length += bytes.len();
            if self.packed > PACKED || self.length > UNPACKED {
                return Err(Error::too_large());
            }
            self.hash.update(bytes);
            self.writer.add(bytes)?;
        }
        Ok(())
    }
}

/// What was stored.
struct Stored {
    found: Found,
    sha256: String,
    size: u64,
    length: usize,
}

pub async fn create(call: &Call<'_>, job_id: &str, kind: &str) -> Result<Reply> {
    let (number, kind) = (path_number("job_id", job_id), Kind::read(kind));
    let target =
        sql::target { job_id: number.as_ref().copied().unwrap_or_default(), kind: kind.map(|kind| kind as i64) };
    let input = number.and_then(|id| Ok((id, kind.ok_or_else(Error::no_record)?)));
    let (job, entry, target, mut reserved) = call.authorize_storing(input, 0, GROWS, target).await?;
    let outcome = store(call, &entry, job, target, &mut reserved).await;
    reserved.end(outcome).await
}

async fn store(
    call: &Call<'_>,
    entry: &Entry,
    (job_id, kind): (i64, Kind),
    target: Option<Target>,
    reserved: &mut Reservation<'_, '_>,
) -> Result<Reply> {
    let target = target.ok_or_else(Error::no_record)?;
    let most = if is_packed(call) { PACKED } else { UNPACKED };
    if !entry.resource.has_builds() {
        return Err(Error::FORBIDDEN);
    } else if !target.is_own {
        return Err(Error::Forbidden("only who posted the status reports on it"));
    } else if target.is_over == Some(true) {
        return Err(Error::message("400 Bad request - the job ended more than a day ago"));
    } else if call.announced().is_some_and(|length| length > most as i64) {
        return Err(Error::too_large());
    }
    let object = hex(&call.random);
    let key = format!("{}reports/{job_id}.{}.{object}", target.place, kind as i64);
    let key = target.sha256.is_none().then_some(key);
    let stored = receive(call, reserved, key, Writer::new(kind, target.sought)).await?;
    let (kind, sha256) = (kind as i64, stored.sha256.as_str());
    let row = sql::create {
        project_id: entry.resource.id,
        job_id,
        kind,
        object: (stored.size > 0).then_some(object),
        size: stored.size as i64,
        length: stored.length as i64,
        sha256,
        found: json!(stored.found).to_string(),
        person_id: entry.caller()?.member_id,
        now: call.now,
    };
    let row = target.sha256.is_none().then_some(row);
    // gives the room back, also of the same bytes again
    let (made, answer) = reserved.write((row, sql::answer { job_id, kind, sha256 })).await?;
    let conflict = || Error::Refused(409, "409 Conflict - the job has another report of this kind".to_owned());
    Ok(Reply::json_text(if made.flatten().is_some() { 201 } else { 200 }, answer.ok_or_else(conflict)?))
}

fn is_packed(call: &Call<'_>) -> bool {
    call.request.header("content-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("gzip"))
}

/// `key`: None if nothing is to be stored.
async fn receive<'a>(
    call: &Call<'a>,
    reserved: &mut Reservation<'_, '_>,
    key: Option<String>,
    writer: Writer,
) -> Result<Stored> {
    let store = call.store.objects().ok_or_else(off)?;
    let gunzip = is_packed(call).then(|| Gunzip::new(UNPACKED));
    let mut unpacker = Unpacker { gunzip, packed: 0, length: 0, hash: Sha256::new(), writer };
    let mut growing = GrowingObject::new(key.clone().unwrap_or_default());
    let mut packer = Compress::new(Compression::fast(), true);
    let (mut length, mut packed) = (0, Vec::new());
    let mut pack = |json: &[u8], flush, growing: &mut GrowingObject<'a>| -> Result<usize> {
        compress(&mut packer, json, flush, &mut packed).map_err(|error| Error::Internal(error.to_string()))?;
        if key.is_some() {
            growing.extend(&packed);
        }
        packed.clear();
        Ok(json.len())
    };
    let outcome: Result<Stored> = async {
        let mut content = Content::whole(&call.body())?;
        loop {
            let piece = content.piece().await?;
            let count = piece.len();
            if count == 0 {
                break;
            }
            unpacker.add(piece)?;
            content.consume(count);
            length += pack(&unpacker.writer.json, FlushCompress::None, &mut growing)?;
            unpacker.writer.json.clear();
            if growing.fills_a_part() {
                reserved.grow(growing.length).await?;
                growing.store_parts(store).await?;
            }
        }
        unpacker.gunzip.take().map_or(Ok(Vec::new()), Gunzip::finish).map_err(|_| malformed())?;
        let (found, json) = unpacker.writer.finish()?;
        length += pack(&json, FlushCompress::Finish, &mut growing)?;
        reserved.grow(growing.length).await?;
        call.store.work(Work::Bytes(2 * unpacker.length as u64));
        call.store.work(Work::Packed(length as u64));
        Ok(Stored { found, sha256: hex(&unpacker.hash.finalize()), size: growing.length, length })
    }
    .await;
    match outcome {
        Ok(stored) if stored.length > 0 => {
            reserved.keys.extend(key);
            growing.finish(store).await?;
            Ok(stored)
        }
        outcome => {
            growing.abandon().await;
            outcome.map(|stored| Stored { size: 0, ..stored })
        }
    }
}
