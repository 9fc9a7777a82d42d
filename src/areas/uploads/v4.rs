use super::kinds::{alt, headers, markdown};
use super::{Upload, UploadRow, sql};
use crate::areas::files::receiving::Room;
use crate::areas::files::sending;
use crate::areas::files::sql as files_sql;
use crate::kernel::call::{Call, Entry, path_id};
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::paging::{EVER, Key, Page};
use crate::kernel::store::{Row, Rows, Statement};
use crate::kernel::{time, walk};
use serde::Serialize;

/// As the original has it, for links in texts.
#[derive(Debug, Serialize)]
struct NewUpload {
    id: i64,
    alt: String,
    /// Below the project.
    url: String,
    /// Below the server.
    full_path: String,
    markdown: String,
}

impl NewUpload {
    fn new(upload: Upload, project_id: i64) -> NewUpload {
        let Upload { id, secret, filename } = upload;
        let url = format!("/uploads/{secret}/{filename}");
        NewUpload {
            id,
            alt: alt(&filename).to_owned(),
            full_path: format!("/-/project/{project_id}{url}"),
            markdown: markdown(&filename, &url),
            url,
        }
    }
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let (upload, entry) = super::create(call).await?;
    Ok(Reply::json(201, &NewUpload::new(upload, entry.resource.id)))
}

#[derive(Debug, Row, Serialize)]
struct Uploader {
    id: i64,
    name: String,
    username: String,
}

#[derive(Debug, Row, Serialize)]
struct ListedUpload {
    id: i64,
    size: i64,
    filename: String,
    #[serde(serialize_with = "time::as_utc")]
    created_at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    uploaded_by: Option<Uploader>,
}

/// The newest first.
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let query = |page: &Page| {
        let ([before], skip) = page.begin([Key::Int(EVER)]);
        [sql::list { before, most: page.size + 1, skip }.into(), sql::total {}.into()] as [Statement; 2]
    };
    let (page, entry) = call.authorize_with(call.page(), query).await?;
    let rows = walk::page(&entry.rows, &page, |row: &ListedUpload| [row.id.into()])?;
    let rows = rows.with_total(entry.more.first().unwrap_or(&Default::default()))?;
    rows.reply(call, &page, |row| row)
}

async fn send(call: &Call<'_>, row: &UploadRow) -> Result<Reply> {
    let reply = sending::send(call, &row.file, headers(&row.file.name)).await?;
    // the right to read it may end, and the address stays
    Ok(reply.with("Cache-Control", "private, no-store").with("Vary", crate::kernel::etag::VARY))
}

pub async fn show(call: &Call<'_>, upload_id: &str) -> Result<Reply> {
    let (_, entry) = call.authorize_with(path_id(upload_id), |id| sql::one { id: *id }).await?;
    let row: UploadRow = entry.rows.first()?.ok_or_else(Error::no_record)?;
    send(call, &row).await
}

pub async fn show_named(call: &Call<'_>, secret: &str, filename: &str) -> Result<Reply> {
    let entry = call.authorize(sql::named { secret }).await?;
    send(call, &UploadRow::of_address(entry.rows.first()?, secret, filename)?).await
}

/// The room, and the row of the statement after it.
fn found(entry: &Entry) -> Result<(Room, Option<UploadRow>)> {
    Ok((Room::of(entry)?, entry.more.first().map(Rows::first).transpose()?.flatten()))
}

async fn remove(call: &Call<'_>, entry: &Entry, room: &Room, row: UploadRow) -> Result<Reply> {
    call.write_one_safely(sql::remove { id: row.id, project_id: entry.resource.id }).await?;
    room.remove(call, vec![row.file.object_key]).await;
    Ok(Reply::empty(204))
}

pub async fn delete(call: &Call<'_>, upload_id: &str) -> Result<Reply> {
    let query = |id: &i64| [files_sql::room {}.into(), sql::one { id: *id }.into()] as [Statement; 2];
    let (_, entry) = call.authorize_with(path_id(upload_id), query).await?;
    let (room, row) = found(&entry)?;
    remove(call, &entry, &room, row.ok_or_else(Error::no_record)?).await
}

pub async fn delete_named(call: &Call<'_>, secret: &str, filename: &str) -> Result<Reply> {
    let query: [Statement; 2] = [files_sql::room {}.into(), sql::named { secret }.into()];
    let entry = call.authorize(query).await?;
    let (room, row) = found(&entry)?;
    remove(call, &entry, &room, UploadRow::of_address(row, secret, filename)?).await
}
