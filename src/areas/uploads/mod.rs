//! Uploads, which texts of the project link to by an address with a secret (behaviour 19).

mod kinds;
mod names;
pub mod v3;
pub mod v4;

use crate::areas::files::form;
use crate::areas::files::receiving::{self, Place, Room, StoredFile, is_announced_too_long};
use crate::areas::files::sending::FileRow;
use crate::areas::files::sql as files_sql;
use crate::kernel::call::reserving::Reservation;
use crate::kernel::error::Full;
use crate::kernel::policy::Access;
use crate::kernel::{Call, Entry, Error, Parameters, Result, Row};
use edgeforge_wire::text::hex;

edgeforge_row::statements!(mod sql: "src/areas/uploads/uploads.sql");

/// A stored upload.
#[derive(Debug)]
struct Upload {
    id: i64,
    secret: String,
    filename: String,
}

#[derive(Debug, Row)]
struct UploadRow {
    id: i64,
    secret: String,
    #[row(flatten)]
    file: FileRow,
}

/// Whether two texts are equal, in a time that depends on their lengths alone.
fn are_equal(one: &str, other: &str) -> bool {
    let differing = one.bytes().zip(other.bytes()).fold(0, |differing, (one, other)| differing | (one ^ other));
    one.len() == other.len() && differing == 0
}

impl UploadRow {
    /// 404 unless it is the upload of this address.
    fn of_address(row: Option<UploadRow>, secret: &str, filename: &str) -> Result<UploadRow> {
        let fits = |row: &UploadRow| are_equal(&row.secret, secret) & are_equal(&row.file.name, filename);
        row.filter(fits).ok_or_else(Error::no_record)
    }
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Given {
    secret: Option<String>,
}

fn taken() -> Error {
    Error::Refused(409, "Secret has already been taken".to_owned())
}

/// The secret that the upload had elsewhere, if an administrator gives one.
fn given(call: &Call<'_>, given: Result<Given>, is_taken: bool) -> Result<Option<String>> {
    let secret = if call.is_administrator.get() { given?.secret } else { None };
    let is_digit = |byte: u8| b"0123456789abcdef".contains(&byte);
    match secret {
        Some(secret) if secret.len() != 32 || !secret.bytes().all(is_digit) => Err(Error::invalid("secret")),
        Some(_) if is_taken => Err(taken()),
        secret => Ok(secret),
    }
}

/// Stores the file of a form.
async fn create(call: &Call<'_>) -> Result<(Upload, Entry)> {
    let refused = |error| match error {
        Error::Full(Full::Project | Full::PartOfProject | Full::ForOthers) => Error::Forbidden("upload quota exceeded"),
        error => error,
    };
    let sent = call.filters::<Given>();
    let secret = sent.as_ref().ok().and_then(|sent| sent.secret.as_deref());
    let query = (files_sql::room {}, sql::is_taken { secret });
    let (_, entry, (room, taken), mut reserved) =
        call.authorize_storing(field(call), 0, 1, query).await.map_err(refused)?;
    let outcome = match given(call, sent, taken.is_some()) {
        Ok(secret) => store(call, &entry, &room, secret, &mut reserved).await,
        Err(error) => Err(error),
    };
    Ok((reserved.end(outcome).await.map_err(refused)?, entry))
}

async fn store(
    call: &Call<'_>,
    entry: &Entry,
    room: &Room,
    given: Option<String>,
    reserved: &mut Reservation<'_, '_>,
) -> Result<Upload> {
    let most = u64::try_from(room.megabytes).unwrap_or_default() << 20;
    if is_announced_too_long(call, most) {
        return Err(Error::too_large());
    }
    let (sent, content) = form::find(&call.body(), call.request.header("content-type"), "file").await?;
    let filename = names::stored(&sent).ok_or_else(|| Error::invalid("file"))?;
    let is_given = given.is_some();
    let secret = given.unwrap_or_else(|| hex(&call.random));
    let place = Place { folder: "uploads", name: &secret, most, too_long: Error::too_large };
    let StoredFile { size, sha256 } = receiving::receive(call, room, reserved, place, content).await?;
    if is_given {
        // another request may have stored the same file meanwhile: the sweep deletes what has no row
        reserved.keys.clear();
    }
    let (project_id, author_id, now) = (entry.resource.id, entry.caller()?.user.id, call.now);
    let (person_id, outside) = (entry.caller()?.member_id, entry.resource.access == Access::None);
    let (secret_of, name) = (secret.as_str(), filename.as_str());
    let row =
        sql::create { project_id, secret: secret_of, filename: name, size, sha256, author_id, person_id, outside, now };
    let id =
        reserved.write(row).await.map_err(|failure| if failure.is_duplicate() { taken() } else { failure.into() })?;
    Ok(Upload { id, secret, filename })
}

/// A text instead of a file, in the query.
fn field(call: &Call<'_>) -> Result<()> {
    match call.params() {
        Ok(params) if params.sent().contains_key("file") => Err(Error::invalid("file")),
        _ => Ok(()),
    }
}
