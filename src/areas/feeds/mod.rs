//! Atom feeds of a project's issues and commits (behaviour 14.8), also at GitLab's addresses outside of the API.

mod atom;

use crate::areas::commits::CommitRow;
use crate::areas::commits::history::{Bounds, CommitPage, Listing};
use crate::kernel::answers::page_address::in_path;
use crate::kernel::http::Request;
use crate::kernel::text::title::title;
use crate::kernel::time;
use crate::kernel::{Call, Error, Page, Reply, Result, Row};
use atom::{Entry, Feed};
use edgeforge_wire::text::cut;

edgeforge_row::statements!(mod sql: "src/areas/feeds/feeds.sql");

const ENTRIES: i64 = 20;
/// Bytes to which a text is cut.
const CUT: usize = 8_192;

#[derive(Debug, Row)]
struct IssueRow {
    iid: i64,
    title: String,
    description: Option<String>,
    author: String,
    created_at: i64,
    updated_at: i64,
}

impl IssueRow {
    /// `issues`: the address of the page of issues.
    fn entry(self, issues: &str) -> Entry {
        Entry {
            address: format!("{issues}/{}", self.iid),
            title: self.title,
            published: time::utc(self.created_at),
            updated: time::utc(self.updated_at),
            author: self.author,
            text: self.description.unwrap_or_default(),
        }
    }
}

pub async fn issues(call: &Call<'_>) -> Result<Reply> {
    let (entry, rows) = call.authorize(sql::issues {}).await?;
    if !entry.resource.has_issues() {
        return Err(Error::FORBIDDEN);
    }
    let address = format!("{}/-/issues", entry.resource.page(&entry.links));
    let entries = rows.into_iter().map(|row| row.entry(&address)).collect();
    let title = format!("{} issues", entry.resource.full_path);
    Ok(Feed { title, own: format!("{address}.atom"), address, entries }.reply())
}

/// `home`: the address of the project.
fn commit_entry(row: CommitRow, home: &str) -> Entry {
    let updated = time::utc(row.committed_at.saturating_mul(1000));
    Entry {
        address: format!("{home}/-/commit/{}", row.sha),
        title: title(&row.message),
        published: updated.clone(),
        updated,
        text: cut(&row.message, CUT).to_owned(),
        author: row.author_name,
    }
}

pub async fn commits(call: &Call<'_>, git_ref: &str) -> Result<Reply> {
    let mut page = Page::first();
    page.size = ENTRIES;
    let query = Listing { name: Some(git_ref), ..Listing::default() }.query(&page)?;
    let (entry, rows) = call.authorize(query).await?;
    let listed = CommitPage::read(&rows, None, Bounds::default(), &page)?;
    if listed.commits.is_empty() {
        return Err(Error::missing("Commit"));
    }
    let home = entry.resource.page(&entry.links);
    let entries = listed.commits.into_iter().map(|row| commit_entry(row, &home)).collect();
    let address = format!("{home}/-/commits/{}", in_path(git_ref));
    let title = format!("{}:{git_ref} commits", entry.resource.full_path);
    Ok(Feed { title, own: format!("{address}?format=atom"), address, entries }.reply())
}

/// The request to the API that an address of GitLab's stands for: `/NAMESPACE/PROJECT/-/issues.atom` or
/// `/NAMESPACE/PROJECT/-/commits/REF?format=atom`.
pub fn request_in_api(request: &Request) -> Option<Request> {
    let (project, place) = request.path.strip_prefix('/')?.split_once("/-/")?;
    let is_whole = project.contains('/') && project.split('/').all(|name| !name.is_empty());
    if !is_whole || project.starts_with("api/") {
        return None;
    }
    let pairs = request.query.split('&');
    let is_format = |pair: &&str| *pair == "format=atom";
    let feed = match place.strip_prefix("commits/") {
        None if place == "issues.atom" => "issues.atom".to_owned(),
        Some(git_ref) if !git_ref.is_empty() && pairs.clone().any(|pair| is_format(&pair)) => {
            format!("{}/commits.atom", git_ref.replace('/', "%2F"))
        }
        _ => return None,
    };
    let path = format!("/api/v4/projects/{}/feeds/{feed}", project.replace('/', "%2F"));
    let query = pairs.filter(|pair| !is_format(pair)).collect::<Vec<_>>().join("&");
    Some(Request { path, query, ..request.clone() })
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/feeds.rs"]
mod tests;
