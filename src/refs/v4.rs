//! Branches and tags in v4 (behaviour 13.3).

use super::entity::short;
use super::pages::{self, Order, Part, Search};
use super::sql::{self, RefRow};
use crate::call::{Call, Resource, Visited};
use crate::commits::v4::entity::{Commit, With, page_of};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Page, Sort, Total};
use crate::params::Parameters;
use crate::policy::{Access, Action};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

const BRANCHES: &str = "refs/heads/";
const TAGS: &str = "refs/tags/";

#[derive(Debug, Serialize)]
struct Branch {
    name: String,
    commit: Commit,
    /// Whether the default branch contains the tip of this other one.
    merged: bool,
    protected: bool,
    developers_can_push: bool,
    developers_can_merge: bool,
    can_push: bool,
    default: bool,
    web_url: String,
}

impl Branch {
    /// `page`: the address of the project's pages. `protection`: 0 none, 1 developers push, 2 full.
    fn new(row: RefRow, resource: &Resource, page: &str, protection: i64) -> Branch {
        let name = short(&row.name, BRANCHES);
        let main = resource.default_branch.as_deref();
        let default = main == Some(name.as_str());
        let protected = protection > 0 && default;
        let developers_can_push = protected && protection == 1;
        let least = if protected && !developers_can_push { Access::Master } else { Access::Developer };
        Branch {
            merged: !default && main.is_some() && row.branch.as_deref() == main,
            protected,
            developers_can_push,
            developers_can_merge: false,
            can_push: resource.access >= least,
            default,
            web_url: format!("{page}/-/tree/{}", in_path(&name)),
            commit: Commit::new(row.commit, page, With::default()),
            name,
        }
    }
}

/// A branch's name in an address: slashes stay.
fn in_path(name: &str) -> String {
    const ESCAPED: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');
    utf8_percent_encode(name, ESCAPED).to_string()
}

#[derive(Debug, Serialize)]
struct Tag {
    name: String,
    /// Null unless it is annotated.
    message: Option<String>,
    /// The hash of the annotated tag itself, else of its commit.
    target: String,
    commit: Commit,
    /// Release notes are not kept here.
    release: Option<()>,
    protected: bool,
    /// When it was annotated is not kept.
    created_at: Option<()>,
}

impl Tag {
    fn new(row: RefRow, page: &str) -> Tag {
        Tag {
            name: short(&row.name, TAGS),
            target: row.tag_sha.unwrap_or_else(|| row.commit.sha.clone()),
            message: row.tag_message,
            commit: Commit::new(row.commit, page, With::default()),
            release: None,
            protected: false,
            created_at: None,
        }
    }
}

/// Parameters of `GET /projects/:id/repository/branches`.
#[derive(Parameters, Default)]
#[param(default)]
struct ListBranches {
    search: Option<String>,
    regex: Option<String>,
    sort: Option<SortBranches>,
}

#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "snake_case")]
enum SortBranches {
    NameAsc,
    UpdatedAsc,
    UpdatedDesc,
}

impl ListBranches {
    fn order(&self) -> Result<Order> {
        if self.regex.is_some() {
            return Err(Error::framework("regex is not supported"));
        }
        Ok(match self.sort.unwrap_or(SortBranches::NameAsc) {
            SortBranches::NameAsc => Order::Name(Sort::Asc),
            SortBranches::UpdatedAsc => Order::Updated(Sort::Asc),
            SortBranches::UpdatedDesc => Order::Updated(Sort::Desc),
        })
    }
}

/// GET /projects/:id/repository/branches
pub async fn branches(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.filters::<ListBranches>().and_then(|params| {
        let search = Search { kind: BRANCHES, order: params.order()?, search: params.search };
        Ok((search, call.page()?))
    });
    answer(call, id, input, |row, visited, page, protection| {
        Branch::new(row, &visited.resource, page, protection)
    })
    .await
}

/// Parameters of `GET /projects/:id/repository/tags`.
#[derive(Parameters, Default)]
#[param(default)]
struct ListTags {
    search: Option<String>,
    order_by: Option<OrderTags>,
    sort: Option<Sort>,
}

#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "lowercase")]
enum OrderTags {
    Name,
    Updated,
    Version,
}

/// GET /projects/:id/repository/tags
pub async fn tags(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.filters::<ListTags>().and_then(|params| {
        let sort = params.sort.unwrap_or(Sort::Desc);
        let order = match params.order_by.unwrap_or(OrderTags::Updated) {
            OrderTags::Name => Order::Name(sort),
            OrderTags::Updated => Order::Updated(sort),
            OrderTags::Version => Order::Version(sort),
        };
        Ok((Search { kind: TAGS, order, search: params.search }, call.page()?))
    });
    answer(call, id, input, |row, _, page, _| Tag::new(row, page)).await
}

/// A page of refs. `shown`: of a row, who asks, the address of the project's pages, and the setting
/// default_branch_protection.
async fn answer<T: Serialize>(
    call: &Call<'_>,
    id: &str,
    input: Result<(Search, Page)>,
    shown: impl Fn(RefRow, &Visited, &str, i64) -> T,
) -> Result<Reply> {
    let ((search, page), mut visited) =
        call.visit_with(id, Action::ReadCommits, input, |(search, page)| pages::query(search, page)).await?;
    let protection = visited.rows.shift()?.unwrap_or_default();
    let (mut rows, mut end) = (Vec::new(), None);
    for part in visited.rows.all()? {
        match part {
            Part::Ref(row) => rows.push(*row),
            Part::End(keys) => end = keys,
        }
    }
    let more = page.has_more(&mut rows);
    let last = rows.last().map(|row| (row.name.clone(), row.commit.committed_at));
    // where the search ended before the page was full, the next one goes on behind what it looked at
    let behind = if more || call.is_cut.get() { last } else { end };
    let has_more = behind.is_some();
    let cursor = behind.and_then(|keys| search.order.next(&page, keys));
    let at = page_of(&visited.resource, &visited.links);
    let items: Vec<T> = rows.into_iter().map(|row| shown(row, &visited, &at, protection)).collect();
    call.listing(&page, Total::More(has_more), &[], cursor, &items)
}

/// Parameters of `GET /projects/:id/repository/commits/:sha/refs`.
#[derive(Parameters)]
struct ContainingParams {
    #[param(rename = "type")]
    kind: Option<Kind>,
}

#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "lowercase")]
enum Kind {
    Branch,
    Tag,
    All,
}

/// A branch or tag by its name.
#[derive(Serialize)]
struct Named {
    #[serde(rename = "type")]
    kind: &'static str,
    name: String,
}

impl Named {
    fn new(name: &str) -> Named {
        match name.strip_prefix(BRANCHES) {
            Some(branch) => Named { kind: "branch", name: branch.to_owned() },
            None => Named { kind: "tag", name: short(name, TAGS) },
        }
    }
}

impl ContainingParams {
    /// How the names of such refs begin.
    fn prefix(&self) -> &'static str {
        match self.kind {
            Some(Kind::Branch) => BRANCHES,
            Some(Kind::Tag) => TAGS,
            Some(Kind::All) | None => "",
        }
    }
}

/// GET /projects/:id/repository/commits/:sha/refs: the branches and tags that contain the commit.
pub async fn containing(call: &Call<'_>, id: &str, sha: &str) -> Result<Reply> {
    let input = call.filters::<ContainingParams>().and_then(|params| Ok((params.prefix(), call.page()?)));
    let query = |(kind, page): &(&str, Page)| pages::containing(sha, kind, page);
    let ((_, page), mut visited) = call.visit_with(id, Action::ReadCommits, input, query).await?;
    visited.rows.shift::<String>()?.ok_or_else(|| Error::missing("Commit"))?;
    let mut names: Vec<String> = visited.rows.all()?;
    let more = page.has_more(&mut names);
    let cursor = names.last().and_then(|name| page.next([name.as_str().into()]));
    let refs: Vec<Named> = names.iter().map(|name| Named::new(name)).collect();
    call.listing(&page, Total::More(more), &[], cursor, &refs)
}

/// GET /projects/:id/repository/branches/:branch
pub async fn branch(call: &Call<'_>, id: &str, name: &str) -> Result<Reply> {
    let mut visited = call.visit(id, Action::ReadCommits, sql::one(BRANCHES, name)).await?;
    let protection = visited.rows.shift()?.unwrap_or_default();
    let row = visited.rows.first()?.ok_or_else(|| Error::missing("Branch"))?;
    let page = page_of(&visited.resource, &visited.links);
    Ok(Reply::json(200, &Branch::new(row, &visited.resource, &page, protection)))
}

/// GET /projects/:id/repository/tags/:tag
pub async fn tag(call: &Call<'_>, id: &str, name: &str) -> Result<Reply> {
    let mut visited = call.visit(id, Action::ReadCommits, sql::one(TAGS, name)).await?;
    visited.rows.drop_first();
    let row = visited.rows.first()?.ok_or_else(|| Error::missing("Tag"))?;
    Ok(Reply::json(200, &Tag::new(row, &page_of(&visited.resource, &visited.links))))
}
