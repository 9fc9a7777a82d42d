//! Labels in v3. The list is complete unless the request has `page` or `per_page`.

use super::{Counts, LabelChange, LabelRef, LabelRow, sql};
use crate::kernel::call::{Resource, path_id};
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
    let page = call.page_or_whole(MOST_UNPAGED_LABELS).map(Page::uncounted);
    let (_, entry, labels) = call.authorize_with(page, |page| sql::list { page: page.clone() }).await?;
    labels.reply_at(call, &[("id", &call.named())], |row| Label::new(row, &entry.resource))
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
