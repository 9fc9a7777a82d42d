use super::entity::Release;
use super::link::NewLink;
use super::writing::{Change, Draft, Milestones, remove};
use super::{ReleaseRow, absent, sql};
use crate::areas::markdown;
use crate::kernel::answers::page_address::segment;
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
use crate::kernel::params::Param;
use crate::kernel::params::scalar::Assets;
use crate::kernel::text::names::is_ref_name;
use crate::kernel::{Call, Entry, Error, Page, Parameters, Patch, PreparedQuery, Query, Reply, Result, instant};

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum Order {
    ReleasedAt,
    CreatedAt,
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    order_by: Option<Order>,
    sort: Option<Sort>,
    updated_after: Option<String>,
    updated_before: Option<String>,
    include_html_description: bool,
}

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct ShowParams {
    include_html_description: bool,
}

/// `html`: how many bytes of HTML the answer may still have, if it has any.
fn shown(row: ReleaseRow, call: &Call<'_>, entry: &Entry, html: Option<&mut usize>) -> Release {
    let release = Release::new(row, call, entry);
    match html {
        Some(left) => release.with_html(entry, left),
        None => release,
    }
}

struct Search {
    order: Order,
    sort: Sort,
    updated_after: Option<i64>,
    updated_before: Option<i64>,
    with_html: bool,
    page: Page,
}

impl Search {
    fn read(call: &Call<'_>) -> Result<Search> {
        let Filter { order_by, sort, updated_after, updated_before, include_html_description } = call.filters()?;
        Ok(Search {
            order: order_by.unwrap_or(Order::ReleasedAt),
            sort: sort.unwrap_or(Sort::Desc),
            updated_after: instant("updated_after", updated_after.as_deref())?,
            updated_before: instant("updated_before", updated_before.as_deref())?,
            with_html: include_html_description,
            page: call.page()?,
        })
    }

    fn query(&self) -> PreparedQuery<Listed<ReleaseRow>> {
        let Search { updated_after, updated_before, ref page, .. } = *self;
        let (ascending, page) = (self.sort == Sort::Asc, page.clone());
        match self.order {
            Order::ReleasedAt => sql::by_release { ascending, updated_after, updated_before, page }.prepare(),
            Order::CreatedAt => sql::by_creation { ascending, updated_after, updated_before, page }.prepare(),
        }
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (search, entry, releases) = call.authorize_with(Search::read(call), Search::query).await?;
    let mut html = search.with_html.then_some(markdown::MOST);
    releases.reply(call, |row| shown(row, call, &entry, html.as_mut()))
}

pub async fn show(call: &Call<'_>, tag: &str) -> Result<Reply> {
    let (ShowParams { include_html_description }, entry, row) =
        call.authorize_with(call.filters(), |_| sql::one { tag }).await?;
    let row = row.ok_or_else(|| Error::NotFound("404 Not Found".to_owned()))?;
    let mut html = include_html_description.then_some(markdown::MOST);
    Ok(Reply::json(200, &shown(row, call, &entry, html.as_mut())))
}

/// Bytes of a path below a release.
const LONGEST_SUFFIX: usize = 1024;

/// Redirects to the newest release, or to an address below it.
pub async fn latest(call: &Call<'_>, suffix: &str) -> Result<Reply> {
    let input = if suffix.len() > LONGEST_SUFFIX { Err(Error::no_record()) } else { Ok(()) };
    let ((), entry, latest) = call.authorize_with(input, |()| sql::latest {}).await?;
    let tag = latest.ok_or_else(|| Error::NotFound("404 Not Found".to_owned()))?;
    let rest = suffix.split('/').filter(|part| !part.is_empty()).map(|part| format!("/{}", segment(part)));
    let rest: String = rest.collect();
    let left_out = ["order_by=", "private_token=", "access_token="];
    let kept = |pair: &&str| !pair.is_empty() && !left_out.iter().any(|name| pair.starts_with(name));
    let query: Vec<&str> = call.request.query.split('&').filter(kept).collect();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let (base, id) = (&entry.links.base, entry.resource.id);
    Ok(Reply::found(format!("{base}/api/v4/projects/{id}/releases/{}{rest}{query}", segment(&tag))))
}

#[derive(Debug, Parameters)]
struct Creation {
    tag_name: Option<String>,
    name: Option<String>,
    description: Option<String>,
    released_at: Option<String>,
    milestones: Option<Vec<String>>,
    milestone_ids: Option<Vec<i64>>,
    assets: Option<Assets>,
    /// Accepted without effect: this server does not create tags.
    #[param(rename = "ref")]
    #[expect(dead_code, reason = "clients send it")]
    git_ref: Option<String>,
    #[expect(dead_code, reason = "clients send it")]
    tag_message: Option<String>,
}

fn time_of(text: Option<&str>) -> Result<Option<i64>> {
    instant("released_at", text)
}

impl Creation {
    fn read(call: &Call<'_>) -> Result<Draft> {
        let Creation { tag_name, name, description, released_at, milestones, milestone_ids, assets, .. } =
            call.creation()?;
        if tag_name.is_none() && !call.params()?.sent().contains_key("tag_name") {
            return Err(Error::framework("tag_name is missing"));
        }
        let tag = tag_name.filter(|tag| is_ref_name(tag) && tag != "HEAD" && tag != "permalink");
        let records = assets.unwrap_or_default().links;
        let links = records.iter().enumerate().map(|(at, record)| NewLink::of(record, at));
        Ok(Draft {
            tag: tag.ok_or_else(|| Error::message("Tag name invalid"))?,
            name,
            description,
            released_at: time_of(released_at.as_deref())?,
            milestones: Milestones::of(milestones, milestone_ids)?,
            links: links.collect::<Result<_>>()?,
        })
    }
}

fn reply(call: &Call<'_>, status: u16, row: ReleaseRow, entry: &Entry) -> Reply {
    Reply::json(status, &Release::new(row, call, entry))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let (draft, entry, facts) = call.authorize_with(Creation::read(call), Draft::query).await?;
    let row = draft.create(call, &entry, facts).await?;
    Ok(reply(call, 201, row, &entry))
}

#[derive(Debug, Parameters)]
struct Edit {
    name: Patch<String>,
    description: Patch<String>,
    released_at: Option<String>,
    milestones: Patch<Vec<String>>,
    milestone_ids: Patch<Vec<i64>>,
}

impl Edit {
    fn read(call: &Call<'_>) -> Result<Change> {
        let Edit { name, description, released_at, milestones, milestone_ids } = call.edit()?;
        let params = call.params()?;
        if params.lacks_all() {
            return Err(Error::message("params is empty"));
        }
        // null keeps a value, because some clients send null for what they do not change
        let is_null = |name: &str| params.sent().get(name) == Some(&Param::Null);
        fn given<T: Default>(patch: Patch<T>, is_null: bool) -> Option<T> {
            match patch {
                Patch::Set(value) => Some(value),
                Patch::Clear if !is_null => Some(T::default()),
                Patch::Clear | Patch::Keep => None,
            }
        }
        Ok(Change {
            name: given(name, is_null("name")),
            description: given(description, is_null("description")),
            released_at: time_of(released_at.as_deref())?,
            milestones: Milestones::of(
                given(milestones, is_null("milestones")),
                given(milestone_ids, is_null("milestone_ids")),
            )?,
        })
    }
}

pub async fn update(call: &Call<'_>, tag: &str) -> Result<Reply> {
    let query = |change: &Change| change.query(tag);
    let (change, entry, (facts, row)) = call.authorize_with(Edit::read(call), query).await?;
    let row = change.write(call, &entry, facts, row).await?;
    Ok(reply(call, 200, row, &entry))
}

/// Returns the release. The tag stays.
pub async fn delete(call: &Call<'_>, tag: &str) -> Result<Reply> {
    let query = (super::writing::facts(tag, None), sql::one { tag });
    let (entry, (facts, row)) = call.authorize(query).await?;
    remove(call, &entry, tag, facts).await?;
    Ok(reply(call, 200, row.ok_or_else(absent)?, &entry))
}
