//! Uploads, which texts of the project link to by an address with a secret (behaviour 19).

mod kinds;
mod names;
pub mod v3;
pub mod v4;

use crate::call::{Call, Entry};
use crate::error::{Error, Result};
use crate::files::form::{self, Content, too_long};
use crate::files::receiving::{self, Place, Refusal, Room, Stored, is_announced_too_long};
use crate::files::sending::FileRow;
use crate::files::sql as files_sql;
use crate::store::{Row, Rows};
use edgeforge_wire::text::hex;

crate::sql::include_statements!(mod sql: "src/uploads/uploads.sql");

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

#[derive(Debug, Row)]
struct Made {
    id: i64,
}

/// Whether two texts are equal, in a time that depends on their lengths alone.
fn are_equal(one: &str, other: &str) -> bool {
    let differing =
        one.bytes().zip(other.bytes()).fold(0, |differing, (one, other)| differing | (one ^ other));
    one.len() == other.len() && differing == 0
}

impl UploadRow {
    /// 404 unless it is the upload of this address.
    fn of_address(row: Option<UploadRow>, secret: &str, filename: &str) -> Result<UploadRow> {
        let fits = |row: &UploadRow| are_equal(&row.secret, secret) & are_equal(&row.file.name, filename);
        row.filter(fits).ok_or_else(Error::no_record)
    }
}

/// Stores the file of a form.
async fn create(call: &Call<'_>) -> Result<(Upload, Entry)> {
    let (_, entry) = call.authorize_with(field(call), |()| files_sql::room {}).await?;
    let room = Room::of(&entry)?;
    let most = u64::try_from(room.megabytes).unwrap_or_default() << 20;
    if is_announced_too_long(call, most) {
        return Err(too_long());
    }
    let (sent, content) = form::find(&call.request.body, call.request.header("content-type"), "file").await?;
    let filename = names::stored(&sent).ok_or_else(|| Error::invalid("file"))?;
    let secret = hex(&call.random);
    let stored = receive(call, &room, &secret, (most, content)).await?;
    let id = write(call, &entry, (&secret, &filename), stored).await?;
    Ok((Upload { id, secret, filename }, entry))
}

/// A text instead of a file, in the query.
fn field(call: &Call<'_>) -> Result<()> {
    match call.params() {
        Ok(params) if params.sent().contains_key("file") => Err(Error::invalid("file")),
        _ => Ok(()),
    }
}

fn over_quota() -> Error {
    Error::Forbidden("upload quota exceeded")
}

async fn receive(
    call: &Call<'_>,
    room: &Room,
    secret: &str,
    (most, content): (u64, Content),
) -> Result<Stored> {
    let place = Place { folder: "uploads", name: secret, most };
    receiving::receive(call, room, place, content).await.map_err(|refusal| match refusal {
        Refusal::TooLong => too_long(),
        Refusal::Full => over_quota(),
        Refusal::Failed(error) => error,
    })
}

async fn write(
    call: &Call<'_>,
    entry: &Entry,
    (secret, filename): (&str, &str),
    Stored { size, sha256 }: Stored,
) -> Result<i64> {
    let (project_id, author_id, now) = (entry.resource.id, entry.caller()?.user.id, call.now);
    let row = sql::create { project_id, secret, filename, size, sha256, author_id, now };
    let rows: Rows = call.write_one(row).await.map_err(|failure| match Error::from(failure) {
        Error::ProjectFull => over_quota(),
        error => error,
    })?;
    let made: Option<Made> = rows.first()?;
    Ok(made.ok_or_else(|| Error::Internal("no row of the upload".to_owned()))?.id)
}
