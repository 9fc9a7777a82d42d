use super::kinds::{alt, headers, markdown};
use super::{Upload, UploadRow, sql};
use crate::areas::files::receiving::Room;
use crate::areas::files::sending;
use crate::areas::files::sql as files_sql;
use crate::kernel::call::path_id;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Reply, Result, Row};
use serde::Serialize;

/// A new upload in GitLab's form, for links in texts.
#[derive(Debug, Serialize)]
struct NewUpload {
    id: i64,
    alt: String,
    /// The path below the project.
    url: String,
    /// The path below the server.
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
pub(super) struct Uploader {
    id: i64,
    name: String,
    username: String,
}

#[derive(Debug, Row, Serialize)]
pub(super) struct ListedUpload {
    id: i64,
    size: i64,
    filename: String,
    #[serde(serialize_with = "time::as_utc")]
    created_at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    uploaded_by: Option<Uploader>,
    /// Only for administrators, who give it, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

/// The newest first.
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (_, _, uploads) = call.authorize_with(call.page(), |page| sql::list { page: page.clone() }).await?;
    let shows = call.is_administrator.get();
    uploads.reply(call, |row| ListedUpload { secret: row.secret.filter(|_| shows), ..row })
}

async fn send(call: &Call<'_>, row: &UploadRow) -> Result<Reply> {
    let reply = sending::send(call, &row.file, headers(&row.file.name)).await?;
    // not cached, because the caller may lose the right to read it
    Ok(reply.with("Cache-Control", "private, no-store").with("Vary", crate::kernel::http::etag::VARY))
}

pub async fn show(call: &Call<'_>, upload_id: &str) -> Result<Reply> {
    let (_, _, row) = call.authorize_with(path_id(upload_id), |id| sql::one { id: *id }).await?;
    send(call, &row.ok_or_else(Error::no_record)?).await
}

pub async fn show_named(call: &Call<'_>, secret: &str, filename: &str) -> Result<Reply> {
    let (_, row) = call.authorize(sql::named { secret }).await?;
    send(call, &UploadRow::of_address(row, secret, filename)?).await
}

async fn remove(call: &Call<'_>, entry: &Entry, room: &Room, row: UploadRow) -> Result<Reply> {
    call.write_safely(sql::remove { id: row.id, project_id: entry.resource.id }).await?;
    room.remove(call, vec![row.file.object_key]).await;
    Ok(Reply::empty(204))
}

pub async fn delete(call: &Call<'_>, upload_id: &str) -> Result<Reply> {
    let query = |id: &i64| (files_sql::room {}, sql::one { id: *id });
    let (_, entry, (room, row)) = call.authorize_with(path_id(upload_id), query).await?;
    remove(call, &entry, &room, row.ok_or_else(Error::no_record)?).await
}

pub async fn delete_named(call: &Call<'_>, secret: &str, filename: &str) -> Result<Reply> {
    let (entry, (room, row)) = call.authorize((files_sql::room {}, sql::named { secret })).await?;
    remove(call, &entry, &room, UploadRow::of_address(row, secret, filename)?).await
}
