//! Links of a release, which clients call its assets.

use super::entity::Link;
use super::link::{MOST, NewLink, refuse};
use super::{Facts, LinkRow, sql, writing};
use crate::areas::contents::file::in_header;
use crate::areas::events;
use crate::kernel::call::path_number;
use crate::kernel::empty_answers;
use crate::kernel::{Action, Call, Entry, Error, Page, Parameters, PreparedQuery, Query, Reply, Result};

fn shown(row: LinkRow, tag: &str, entry: &Entry) -> Link {
    Link::new(row, Some(tag), &entry.resource.page(&entry.links))
}

/// 404 if the tag has no release. A guest who may not see tags gets an empty list instead, which does not show which
/// tags have releases.
pub async fn list(call: &Call<'_>, tag: &str) -> Result<Reply> {
    let query = |page: &Page| sql::links { tag, page: page.clone() };
    let (page, entry, links) = call.authorize_with(call.page(), query).await?;
    match links.or_missing(Error::no_record) {
        Err(_) if !entry.resource.may(Action::ReadCommits) => empty_answers::reply(call, &page),
        links => links?.reply(call, |row| shown(row, tag, &entry)),
    }
}

pub async fn show(call: &Call<'_>, tag: &str, link_id: &str) -> Result<Reply> {
    let query = |link_id: &i64| sql::link { tag, link_id: *link_id };
    let (_, entry, row) = call.authorize_with(path_number("link_id", link_id), query).await?;
    Ok(Reply::json(200, &shown(row.ok_or_else(Error::no_record)?, tag, &entry)))
}

/// Redirects to the address of the link with this path.
pub async fn download(call: &Call<'_>, tag: &str, path: &str) -> Result<Reply> {
    let (_, row) = call.authorize(sql::linked { tag, filepath: format!("/{path}") }).await?;
    Ok(Reply::found(in_header(&row.ok_or_else(Error::no_record)?.link.url)))
}

#[derive(Debug, Parameters, Clone, Copy)]
enum Kind {
    Other,
    Runbook,
    Image,
    Package,
}

#[derive(Debug, Parameters)]
struct Creation {
    name: String,
    url: String,
    direct_asset_path: Option<String>,
    filepath: Option<String>,
    link_type: Option<Kind>,
}

impl Creation {
    fn link(self) -> NewLink {
        let Creation { name, url, direct_asset_path, filepath, link_type } = self;
        let link_type = link_type.unwrap_or_default().word().to_owned();
        NewLink { name, url, filepath: direct_asset_path.or(filepath), link_type }
    }
}

/// `others`: the other links of the release.
fn check(link: &NewLink, others: &[LinkRow]) -> Result<()> {
    refuse(link.flaws().into_iter().chain(link.taken(others)).collect())
}

/// Answers with the row of `step`, which is an update of the release.
async fn write(
    call: &Call<'_>,
    entry: &Entry,
    tag: &str,
    release_id: i64,
    step: impl Query<Answer = Option<LinkRow>>,
) -> Result<Reply> {
    let touch = sql::touch { id: release_id, project_id: entry.resource.id, now: call.now };
    let status = if call.request.method == "POST" { 201 } else { 200 };
    let taken = |failure: crate::kernel::store::Failure| match failure.is_duplicate() {
        true => Error::bad_request(serde_json::json!({ "message": ["Name has already been taken"] })),
        false => failure.into(),
    };
    let event = events::release(call, entry, tag, "update")?;
    let (row, ..) = call.write((step, touch, event)).await.map_err(taken)?;
    let row = row.ok_or_else(|| Error::message(format!("400 Bad request - A release has at most {MOST} links")))?;
    Ok(Reply::json(status, &shown(row, tag, entry)))
}

pub async fn create(call: &Call<'_>, tag: &str) -> Result<Reply> {
    let query = |_: &Creation| (writing::facts(tag, None), sql::linked_before { tag, link_id: None::<i64> });
    let (creation, entry, (facts, others)) = call.authorize_with(call.creation::<Creation>(), query).await?;
    let release_id = facts.existing()?;
    let link = creation.link();
    check(&link, &others)?;
    let NewLink { name, url, filepath, link_type } = link;
    let project_id = entry.resource.id;
    let step = sql::add_link { release_id, project_id, name, url, filepath, link_type };
    write(call, &entry, tag, release_id, step).await
}

#[derive(Debug, Parameters)]
struct Edit {
    name: Option<String>,
    url: Option<String>,
    direct_asset_path: Option<String>,
    filepath: Option<String>,
    link_type: Option<Kind>,
}

impl Edit {
    fn read(call: &Call<'_>) -> Result<Edit> {
        let edit: Edit = call.edit()?;
        call.params()?.require_one_of(&["name", "url"])?;
        call.params()?.refuse_blank(&["name", "url"])?;
        Ok(edit)
    }

    fn of(self, row: NewLink) -> NewLink {
        NewLink {
            name: self.name.unwrap_or(row.name),
            url: self.url.unwrap_or(row.url),
            filepath: self.direct_asset_path.or(self.filepath).or(row.filepath),
            link_type: self.link_type.map_or(row.link_type, |kind| kind.word().to_owned()),
        }
    }
}

/// What decides about a write, the other links of the release, and the link.
fn query(tag: &str, link_id: i64) -> PreparedQuery<(Facts, Vec<LinkRow>, Option<LinkRow>)> {
    (writing::facts(tag, None), sql::linked_before { tag, link_id }, sql::link { tag, link_id }).prepare()
}

/// The release and its link.
fn found(facts: Facts, row: Option<LinkRow>) -> Result<(i64, LinkRow)> {
    let release_id = facts.release_id.ok_or_else(Error::no_record)?;
    Ok((release_id, row.ok_or_else(Error::no_record)?))
}

pub async fn update(call: &Call<'_>, tag: &str, link_id: &str) -> Result<Reply> {
    let input = path_number("link_id", link_id).and_then(|link_id| Ok((link_id, Edit::read(call)?)));
    let ((link_id, edit), entry, (facts, others, row)) =
        call.authorize_with(input, |(link_id, _)| query(tag, *link_id)).await?;
    let (release_id, row) = found(facts, row)?;
    let link = edit.of(row.link.clone());
    if link == row.link {
        return Ok(Reply::json(200, &shown(row, tag, &entry)));
    }
    check(&link, &others)?;
    let NewLink { name, url, filepath, link_type } = link;
    let project_id = entry.resource.id;
    let step = sql::change_link { link_id, project_id, name, url, filepath, link_type };
    write(call, &entry, tag, release_id, step).await
}

/// Returns the link.
pub async fn remove(call: &Call<'_>, tag: &str, link_id: &str) -> Result<Reply> {
    let input = path_number("link_id", link_id);
    let (link_id, entry, (facts, _, row)) = call.authorize_with(input, |link_id| query(tag, *link_id)).await?;
    let (release_id, row) = found(facts, row)?;
    let touch = sql::touch { id: release_id, project_id: entry.resource.id, now: call.now };
    let event = events::release(call, &entry, tag, "update")?;
    call.write((sql::remove_link { link_id, project_id: entry.resource.id }, touch, event)).await?;
    Ok(Reply::json(200, &shown(row, tag, &entry)))
}
