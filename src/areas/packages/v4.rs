use super::entity::{Package, PackageFile, PublishedFile};
use super::lists::Search;
use super::names::FileAddress;
use super::publishing::Publication;
use super::{GroupPackageRow, sql};
use crate::areas::files::sending::{self, Headers};
use crate::areas::files::sql as files_sql;
use crate::kernel::byte_ranges::disposition;
use crate::kernel::call::path_id;
use crate::kernel::chunks;
use crate::kernel::empty_answers;
use crate::kernel::paging::MOST_FOUND;
use crate::kernel::{Call, Error, Page, Reply, Result};
use serde_json::json;

/// The body is the file, whatever its type.
pub async fn publish(call: &Call<'_>, name: &str, version: &str, file: &str) -> Result<Reply> {
    let input = Publication::read(call, [name, version, file]);
    let (publishing, entry, room, mut reserved) = call.authorize_storing(input, 0, 1, files_sql::room {}).await?;
    let outcome = publishing.store(call, &entry, &room, &mut reserved).await;
    let row = reserved.end(outcome).await?;
    if publishing.shows_file {
        return Ok(Reply::json(200, &PublishedFile::new(row, &publishing.named.path(), &entry)));
    }
    Ok(Reply::json(201, &json!({ "message": "201 Created" })))
}

/// Sends the newest of the files with this name.
pub async fn download(call: &Call<'_>, name: &str, version: &str, file: &str) -> Result<Reply> {
    let input = FileAddress::read(name, version, file);
    let (named, _, row) = call.authorize_with(input, FileAddress::query).await?;
    let row = row.ok_or_else(Error::no_record)?;
    let disposition = disposition("attachment", named.last());
    let headers = Headers { content_type: "application/octet-stream", disposition };
    Ok(sending::send(call, &row, headers).await?.with("X-Checksum-SHA256", row.sha256.clone()))
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (search, entry, answer) = call.authorize_with(Search::read(call), Search::query).await?;
    let Some(packages) = answer else { return empty_answers::reply(call, &search.page) };
    packages.reply(call, |row| Package::new(row, &entry))
}

/// The newest packages of a group's projects.
pub async fn list_in_group(call: &Call<'_>) -> Result<Reply> {
    let input = Search::read(call).map(|mut search| {
        search.page = search.page.reaching(MOST_FOUND);
        search
    });
    let (search, entry, answer) = call.authorize_with(input, Search::query_in_group).await?;
    let Some(packages) = answer else { return empty_answers::reply(call, &search.page) };
    packages.reply(call, |GroupPackageRow { package, project }| Package::in_group(package, &entry.of_project(project)))
}

pub async fn show(call: &Call<'_>, package_id: &str) -> Result<Reply> {
    let (_, entry, row) = call.authorize_with(path_id(package_id), |id| sql::one { id: *id }).await?;
    Ok(Reply::json(200, &Package::new(row.ok_or_else(Error::no_record)?, &entry)))
}

/// The oldest first.
pub async fn list_files(call: &Call<'_>, package_id: &str) -> Result<Reply> {
    let input = path_id(package_id).and_then(|package_id| Ok((package_id, call.page()?)));
    let query = |(package_id, page): &(i64, Page)| {
        let package_id = *package_id;
        (sql::one { id: package_id }, sql::files { package_id, page: page.clone() })
    };
    let (_, _, (package, files)) = call.authorize_with(input, query).await?;
    package.ok_or_else(Error::no_record)?;
    files.reply(call, PackageFile::new)
}

/// Deletes a package and its files.
pub async fn delete(call: &Call<'_>, package_id: &str) -> Result<Reply> {
    let query = |id: &i64| (files_sql::room {}, sql::one { id: *id }, sql::first_objects { package_id: *id });
    let (package_id, entry, (room, package, objects)) = call.authorize_with(path_id(package_id), query).await?;
    let (id, project_id) = (package.ok_or_else(Error::no_record)?.id, entry.resource.id);
    let chunk = [sql::remove_files { package_id, project_id }.into()];
    let last = [sql::remove_package { id, project_id }.into(), sql::file_left { package_id, project_id }.into()];
    chunks::run_in_chunks(call, Vec::new(), &chunk, 1, &last).await?;
    room.remove(call, objects).await;
    Ok(Reply::empty(204))
}

/// Deletes a file. The package stays.
pub async fn delete_file(call: &Call<'_>, package_id: &str, file_id: &str) -> Result<Reply> {
    let input = path_id(package_id).and_then(|package_id| Ok((package_id, path_id(file_id)?)));
    let query = |(package_id, id): &(i64, i64)| (files_sql::room {}, sql::object { id: *id, package_id: *package_id });
    let ((_, id), entry, (room, object)) = call.authorize_with(input, query).await?;
    let object = object.ok_or_else(Error::no_record)?;
    call.write_safely(sql::remove_file { id, project_id: entry.resource.id }).await?;
    room.remove(call, vec![object]).await;
    Ok(Reply::empty(204))
}
