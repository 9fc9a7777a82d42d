use super::entity::{Package, PackageFile, PublishedFile};
use super::lists::Search;
use super::names::FileAddress;
use super::publishing::Publication;
use super::{PackageFileRow, PackageRow, sql};
use crate::areas::files::receiving::Room;
use crate::areas::files::sending::{self, FileRow, Headers};
use crate::areas::files::sql as files_sql;
use crate::kernel::byte_ranges::disposition;
use crate::kernel::call::{Call, Resource, path_id};
use crate::kernel::chunks;
use crate::kernel::empty;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::paging::{MOST_FOUND, Page};
use crate::kernel::store::{Row, Rows, Statement};
use crate::kernel::walk;
use serde_json::json;

/// The body is the file, whatever its type.
pub async fn publish(call: &Call<'_>, name: &str, version: &str, file: &str) -> Result<Reply> {
    let input = Publication::read(call, [name, version, file]);
    let (publishing, entry, mut reserved) = call.authorize_storing(input, 0, files_sql::room {}).await?;
    let outcome = publishing.store(call, &entry, &mut reserved).await;
    let row = reserved.end(outcome).await?;
    if publishing.shows_file {
        return Ok(Reply::json(200, &PublishedFile::new(row, &publishing.named.path(), &entry)));
    }
    Ok(Reply::json(201, &json!({ "message": "201 Created" })))
}

/// Of several files with this name, the newest.
pub async fn download(call: &Call<'_>, name: &str, version: &str, file: &str) -> Result<Reply> {
    let input = FileAddress::read(name, version, file);
    let (named, entry) = call.authorize_with(input, FileAddress::query).await?;
    let row: FileRow = entry.rows.first()?.ok_or_else(Error::no_record)?;
    let disposition = disposition("attachment", named.last());
    let headers = Headers { content_type: "application/octet-stream", disposition };
    Ok(sending::send(call, &row, headers).await?.with("X-Checksum-SHA256", row.sha256.clone()))
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (search, entry) = call.authorize_with(Search::read(call), Search::query).await?;
    if search.is_empty() {
        return empty::reply(call, &search.page);
    }
    let rows = walk::page(&entry.rows, &search.page, |row: &PackageRow| search.keys(row))?;
    let rows = rows.with_total(entry.more.first().unwrap_or(&Default::default()))?;
    rows.reply(call, &search.page, |row| Package::new(row, &entry))
}

#[derive(Debug, Row)]
struct GroupPackageRow {
    #[row(flatten)]
    package: PackageRow,
    project: Resource,
}

/// The newest packages of a group's projects.
pub async fn list_in_group(call: &Call<'_>) -> Result<Reply> {
    let input = Search::read(call).and_then(|search| {
        search.page.check_within(MOST_FOUND)?;
        Ok(search)
    });
    let (search, entry) = call.authorize_with(input, Search::query_in_group).await?;
    if search.is_empty() {
        return empty::reply(call, &search.page);
    }
    let rows = walk::page(&entry.rows, &search.page, |row: &GroupPackageRow| search.keys(&row.package))?;
    rows.reply(call, &search.page, |GroupPackageRow { package, project }| {
        Package::in_group(package, &entry.of_project(project))
    })
}

pub async fn show(call: &Call<'_>, package_id: &str) -> Result<Reply> {
    let (_, entry) = call.authorize_with(path_id(package_id), |id| sql::one { id: *id }).await?;
    let row: PackageRow = entry.rows.first()?.ok_or_else(Error::no_record)?;
    Ok(Reply::json(200, &Package::new(row, &entry)))
}

/// The oldest first.
pub async fn list_files(call: &Call<'_>, package_id: &str) -> Result<Reply> {
    let input = path_id(package_id).and_then(|package_id| Ok((package_id, call.page()?)));
    let query = |(package_id, page): &(i64, Page)| {
        let (package_id, (after, skip), most) = (*package_id, page.after(), page.size + 1);
        let files = sql::files { package_id, after, most, skip }.into();
        [sql::one { id: package_id }.into(), files, sql::files_total { package_id }.into()] as [Statement; 3]
    };
    let ((_, page), entry) = call.authorize_with(input, query).await?;
    let [files, total] = [0, 1].map(|at| entry.more.get(at).cloned().unwrap_or_default());
    entry.rows.first::<PackageRow>()?.ok_or_else(Error::no_record)?;
    let rows = walk::page(&files, &page, |row: &PackageFileRow| [row.id.into()])?.with_total(&total)?;
    rows.reply(call, &page, PackageFile::new)
}

#[derive(Row)]
struct Key {
    object_key: String,
}

/// Deletes the objects of `rows`, whose files are gone.
async fn remove_objects(call: &Call<'_>, room: &Room, rows: Option<&Rows>) -> Result<Reply> {
    let keys: Vec<Key> = rows.map(Rows::all).transpose()?.unwrap_or_default();
    room.remove(call, keys.into_iter().map(|key| key.object_key).collect()).await;
    Ok(Reply::empty(204))
}

/// Also its files.
pub async fn delete(call: &Call<'_>, package_id: &str) -> Result<Reply> {
    let query = |id: &i64| {
        let objects = sql::first_objects { package_id: *id };
        [files_sql::room {}.into(), sql::one { id: *id }.into(), objects.into()] as [Statement; 3]
    };
    let (package_id, entry) = call.authorize_with(path_id(package_id), query).await?;
    let (room, project_id) = (Room::of(&entry)?, entry.resource.id);
    let found: Option<PackageRow> = entry.more.first().map(Rows::first).transpose()?.flatten();
    let PackageRow { id, .. } = found.ok_or_else(Error::no_record)?;
    let chunk = sql::remove_files { package_id, project_id }.into();
    let last =
        [sql::remove_package { id, project_id }.into(), sql::file_left { package_id, project_id }.into()];
    chunks::run_in_chunks(call, Vec::new(), &chunk, 1, &last).await?;
    remove_objects(call, &room, entry.more.get(1)).await
}

/// The package stays.
pub async fn delete_file(call: &Call<'_>, package_id: &str, file_id: &str) -> Result<Reply> {
    let input = path_id(package_id).and_then(|package_id| Ok((package_id, path_id(file_id)?)));
    let query = |(package_id, id): &(i64, i64)| {
        let object = sql::object { id: *id, package_id: *package_id };
        [files_sql::room {}.into(), object.into()] as [Statement; 2]
    };
    let ((_, id), entry) = call.authorize_with(input, query).await?;
    let room = Room::of(&entry)?;
    let found = entry.more.first().filter(|rows| !rows.is_empty());
    let objects = found.ok_or_else(Error::no_record)?;
    call.write_one_safely(sql::remove_file { id, project_id: entry.resource.id }).await?;
    remove_objects(call, &room, Some(objects)).await
}
