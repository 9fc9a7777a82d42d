//! Labels in v3. The list is complete unless the request has `page` or `per_page`.

use super::{Counts, LabelChange, LabelRef, LabelRow, sql};
use crate::kernel::call::{Resource, path_id};
use crate::kernel::paging::Total;
use crate::kernel::{Call, Error, Page, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Label {
    name: String,
    color: String,
    description: Option<String>,
    #[serde(flatten)]
    counts: Counts,
    subscribed: bool,
}

impl Label {
    fn new(row: LabelRow, resource: &Resource) -> Label {
        let counts = Counts::new(&row, resource);
        let LabelRow { title: name, color, description, subscribed, .. } = row;
        Label { name, color, description, counts, subscribed }
    }
}

const MOST_UNPAGED_LABELS: i64 = 5000;

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let is_paged = call.asks_for_page();
    let most = |page: &Page| if is_paged { page.size } else { MOST_UNPAGED_LABELS };
    let query = |page: &Page| {
        let ([after], skip) = page.begin(["".into()]);
        sql::list { after, most: most(page) + 1, skip }
    };
    let (page, entry, rows) = call.authorize_with(call.page(), query).await?;
    let has_more = rows.len() as i64 > most(&page);
    let shown = rows.into_iter().take(most(&page) as usize).map(|listed| listed.row).collect();
    reply(call, &page, (is_paged || has_more).then_some(has_more), shown, &entry.resource)
}

/// `has_more`: None for a whole list.
fn reply(
    call: &Call<'_>,
    page: &Page,
    has_more: Option<bool>,
    rows: Vec<LabelRow>,
    project: &Resource,
) -> Result<Reply> {
    let cursor = rows.last().and_then(|row| page.next([row.title.as_str().into()]));
    let labels: Vec<Label> = rows.into_iter().map(|row| Label::new(row, project)).collect();
    match has_more {
        Some(has_more) => call.listing(page, Total::More(has_more), &[("id", &call.named())], cursor, &labels),
        None => Ok(Reply::json(200, &labels)),
    }
}

/// `label_id`: an id or a name (behaviour 6.9).
pub async fn show(call: &Call<'_>, label_id: &str) -> Result<Reply> {
    let (entry, row) = call.authorize(named(label_id).query()).await?;
    Ok(Reply::json(200, &Label::new(row.ok_or_else(|| Error::missing("Label"))?, &entry.resource)))
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let (row, resource) = super::create(call, call.creation()).await?;
    Ok(Reply::json(201, &Label::new(row, &resource)))
}

fn named(label_id: &str) -> LabelRef {
    LabelRef { id: path_id(label_id).ok(), title: Some(label_id.to_owned()) }
}

pub async fn follow(call: &Call<'_>, label_id: &str, subscribed: bool) -> Result<Reply> {
    let changed = super::subscribe(call, &named(label_id), subscribed).await?;
    let status = if subscribed { 201 } else { 200 };
    Ok(changed.map_or(Reply::empty(304), |(row, resource)| Reply::json(status, &Label::new(row, &resource))))
}

#[derive(Parameters)]
struct Edit {
    name: Option<String>,
    #[param(flatten)]
    change: LabelChange,
}

pub async fn update(call: &Call<'_>) -> Result<Reply> {
    let input = call.edit().and_then(|Edit { name, change }| {
        let name = name.filter(|name| !name.trim().is_empty()).ok_or_else(|| Error::not_given("name"))?;
        Ok((LabelRef::titled(&name), change))
    });
    let (row, resource) = super::update(call, input, true).await?;
    Ok(Reply::json(200, &Label::new(row, &resource)))
}

#[derive(Debug, Parameters)]
struct Deletion {
    name: String,
}

pub async fn delete(call: &Call<'_>) -> Result<Reply> {
    let label = call.creation::<Deletion>().map(|label| LabelRef::titled(&label.name));
    let (row, resource) = super::delete(call, label).await?;
    Ok(Reply::json(200, &Label::new(row, &resource)))
}
