//! Labels in v4 (behaviour 13.2).

use super::colors::whole;
use super::sql::{self, LabelRef, LabelRow};
use super::{EditLabel, NewLabel, change, make, remove};
use crate::call::{Call, Resource};
use crate::constants::{Constant, Constants};
use crate::empty;
use crate::error::{Error, Result};
use crate::http::{Reply, escaped};
use crate::page::Page;
use crate::params::{Parameters, Patch};
use crate::policy::Action;
use crate::store::{Statement, Store};
use serde::Serialize;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Serialize)]
pub struct Label {
    id: i64,
    name: String,
    description: Option<String>,
    description_html: String,
    text_color: &'static str,
    color: String,
    #[serde(flatten)]
    counts: Option<Counts>,
    #[serde(flatten)]
    constant: Constants,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Counts {
    open_issues_count: i64,
    closed_issues_count: i64,
    open_merge_requests_count: i64,
}

const CONSTANT: Constants = Constants(&[
    (Constant::Bool(false), &["archived", "subscribed"]),
    (Constant::Null, &["priority"]),
    (Constant::Bool(true), &["is_project_label"]),
]);

impl Label {
    /// As issues show it: without counts.
    pub fn new(row: LabelRow) -> Label {
        Label {
            id: row.id,
            name: row.title,
            description_html: row.description.as_deref().map(escaped).unwrap_or_default(),
            description: row.description,
            text_color: text_color(&row.color),
            color: row.color,
            counts: None,
            constant: CONSTANT,
        }
    }

    pub fn counted(row: LabelRow, resource: &Resource) -> Label {
        let (open, closed) = row.counts(resource);
        let counts =
            Counts { open_issues_count: open, closed_issues_count: closed, open_merge_requests_count: 0 };
        Label { counts: Some(counts), ..Label::new(row) }
    }
}

/// What can be read on the color `#RRGGBB` or `#RGB`: white or black.
fn text_color(color: &str) -> &'static str {
    let digits = color.strip_prefix('#').unwrap_or_default();
    let each = if digits.len() == 3 { 1 } else { 2 };
    let channel = |at: usize| {
        let text = digits.get(at * each..(at + 1) * each).unwrap_or_default();
        i64::from_str_radix(text, 16).unwrap_or_default() * if each == 1 { 17 } else { 1 }
    };
    if channel(0) + channel(1) + channel(2) > 500 { "#1F1E24" } else { "#FFFFFF" }
}

/// Labels whole, by project and title, as which they are looked for.
pub async fn titled(
    store: &Store<'_>,
    named: BTreeSet<(i64, &String)>,
) -> Result<BTreeMap<(i64, String), Label>> {
    let rows: Vec<(i64, LabelRow)> = store.ask(sql::titled(json!(named).to_string())).await?.all()?;
    Ok(rows.into_iter().map(|(project_id, row)| ((project_id, row.title.clone()), Label::new(row))).collect())
}

/// Parameters of `GET /projects/:id/labels`.
#[derive(Debug, Parameters)]
struct Filter {
    with_counts: Option<bool>,
    search: Option<String>,
    /// No label is archived.
    archived: Option<bool>,
}

fn query((filter, page): &(Filter, Page)) -> Statement {
    match &filter.search {
        Some(text) => sql::search(page, &text.trim().to_ascii_lowercase()),
        None => sql::list(page, page.size),
    }
}

/// GET /projects/:id/labels
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter, call.page()?)));
    let ((filter, page), entered) = call.enter_with(id, Action::ReadLabels, input, query).await?;
    if filter.archived == Some(true) {
        return empty::reply(call, &page);
    }
    let mut rows: Vec<LabelRow> = entered.rows.all()?;
    let total = page.cut(&mut rows);
    let cursor = rows.last().and_then(|row| page.next([row.title.as_str().into()]));
    let counted = filter.with_counts == Some(true);
    let shown = |row| if counted { Label::counted(row, &entered.resource) } else { Label::new(row) };
    let labels: Vec<Label> = rows.into_iter().map(shown).collect();
    call.listing(&page, total, &[], cursor, &labels)
}

/// The label that a path names: by its id, or by its title.
fn named(text: &str) -> LabelRef {
    LabelRef { id: crate::call::path_id(text).ok(), title: Some(text.trim().to_owned()) }
}

/// GET /projects/:id/labels/:name
pub async fn show(call: &Call<'_>, id: &str, name: &str) -> Result<Reply> {
    let (_, entered) = call.enter_with(id, Action::ReadLabels, Ok(named(name)), sql::named).await?;
    let row: LabelRow = entered.rows.first()?.ok_or_else(|| Error::missing("Label"))?;
    Ok(Reply::json(200, &Label::new(row)))
}

/// POST /projects/:id/labels
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.creation::<NewLabel>();
    let input = input.map(|new| NewLabel { color: whole(&new.color).unwrap_or(new.color), ..new });
    let (row, _) = make(call, id, input).await?;
    Ok(Reply::json(201, &Label::new(row)))
}

/// Parameters of `PUT` and `DELETE` of labels: which one, where the path does not say so, and its changes.
#[derive(Debug, Parameters)]
struct Given {
    name: Option<String>,
    label_id: Option<i64>,
    new_name: Option<String>,
    color: Option<String>,
    #[serde(default)]
    description: Patch<String>,
}

impl Given {
    /// `path`: the label as the path names it.
    fn read(call: &Call<'_>, path: Option<&str>) -> Result<(EditLabel, LabelRef)> {
        let given = call.edit::<Given>()?;
        let label = match path {
            Some(text) => named(text),
            None => LabelRef { id: given.label_id, title: given.name.map(|name| name.trim().to_owned()) },
        };
        if label.id.is_none() && label.title.is_none() {
            call.params()?.refuse_blank(&["label_id", "name"])?;
            call.params()?.require_one_of(&["label_id", "name"])?;
        }
        let color = given.color.map(|color| whole(&color).unwrap_or(color));
        let Given { new_name, description, .. } = given;
        Ok((EditLabel { name: None, new_name, color, description, more: true }, label))
    }
}

/// PUT /projects/:id/labels
pub async fn update(call: &Call<'_>, id: &str) -> Result<Reply> {
    edit(call, id, None).await
}

/// PUT /projects/:id/labels/:name
pub async fn update_named(call: &Call<'_>, id: &str, name: &str) -> Result<Reply> {
    edit(call, id, Some(name)).await
}

async fn edit(call: &Call<'_>, id: &str, path: Option<&str>) -> Result<Reply> {
    let input = Given::read(call, path).and_then(|input| {
        call.params()?.require_one_of(&["new_name", "color", "description", "priority"])?;
        Ok(input)
    });
    let (row, _) = change(call, id, input).await?;
    Ok(Reply::json(200, &Label::new(row)))
}

/// DELETE /projects/:id/labels
pub async fn delete(call: &Call<'_>, id: &str) -> Result<Reply> {
    remove(call, id, Given::read(call, None).map(|(_, label)| label)).await?;
    Ok(Reply::empty(204))
}

/// DELETE /projects/:id/labels/:name
pub async fn delete_named(call: &Call<'_>, id: &str, name: &str) -> Result<Reply> {
    remove(call, id, Ok(named(name))).await?;
    Ok(Reply::empty(204))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_dark_on_light_colors() {
        for (color, text) in [("#428BCA", "#FFFFFF"), ("#FFF", "#1F1E24"), ("#000000", "#FFFFFF")] {
            assert_eq!(text_color(color), text, "{color}");
        }
    }
}
