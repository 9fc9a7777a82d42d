//! Labels of a project, in v3's shapes. They are few, so the list is whole unless a page is asked for.

mod colors;
pub mod entity;
pub mod sql;
pub mod v4;

use crate::call::{Call, Resource};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::page::{Page, Total};
use crate::params::{Parameters, Patch};
use crate::policy::Action;
use entity::Label;
use regex::Regex;
use sql::{LabelRef, LabelRow};
use std::sync::LazyLock;

/// GET /projects/:id/labels
pub async fn list(call: &Call<'_>, id: &str) -> Result<Reply> {
    let asked = call.asks_for_page();
    let page = call.page();
    let most = |page: &Page| if asked { page.size } else { sql::MOST_LABELS };
    let (page, entered) =
        call.enter_with(id, Action::ReadLabels, page, |page| sql::list(page, most(page))).await?;
    let mut rows: Vec<LabelRow> = entered.rows.all()?;
    let has_more = rows.len() as i64 > most(&page);
    rows.truncate(most(&page) as usize);
    let cursor = rows.last().and_then(|row| page.next([row.title.as_str().into()]));
    let labels: Vec<Label> = rows.into_iter().map(|row| Label::new(row, &entered.resource)).collect();
    if asked || has_more {
        call.listing(&page, Total::More(has_more), &[("id", id)], cursor, &labels)
    } else {
        Ok(Reply::json(200, &labels))
    }
}

/// GET /projects/:id/labels/:label_id, which is an id or a name (behaviour 6.9)
pub async fn show(call: &Call<'_>, id: &str, label_id: &str) -> Result<Reply> {
    let entered = call.enter(id, Action::ReadLabels, sql::one(label_id)).await?;
    let row: LabelRow = entered.rows.first()?.ok_or_else(|| Error::missing("Label"))?;
    Ok(Reply::json(200, &Label::new(row, &entered.resource)))
}

/// Parameters of `POST /projects/:id/labels`.
#[derive(Debug, Parameters)]
struct NewLabel {
    name: String,
    color: String,
    description: Option<String>,
}

/// POST /projects/:id/labels
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, resource) = make(call, id, call.creation()).await?;
    Ok(Reply::json(201, &Label::new(row, &resource)))
}

/// Makes a label of what was sent.
async fn make(call: &Call<'_>, id: &str, input: Result<NewLabel>) -> Result<(LabelRow, Resource)> {
    let query = |new: &NewLabel| sql::named(&LabelRef::titled(&new.name));
    let (new, entered) = call.enter_with(id, Action::ManageLabels, input, query).await?;
    let (name, description) = (new.name.trim(), new.description.as_deref());
    check(Some(name), Some(&new.color), description)?;
    let exists = || Error::Refused(409, "Label already exists".to_owned());
    if !entered.rows.is_empty() {
        return Err(exists());
    }
    let color = new.color.to_ascii_uppercase();
    let row = sql::create(&call.store, entered.resource.id, name, &color, description, call.now).await?;
    Ok((row.ok_or_else(exists)?, entered.resource))
}

/// Parameters of `PUT /projects/:id/labels`.
#[derive(Debug, Parameters)]
struct EditLabel {
    name: Option<String>,
    new_name: Option<String>,
    color: Option<String>,
    #[serde(default)]
    description: Patch<String>,
    /// Whether something else was sent, which is passed over.
    #[serde(skip)]
    more: bool,
}

/// PUT /projects/:id/labels
pub async fn update(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.edit::<EditLabel>().and_then(|edit| match edit.name.clone() {
        Some(name) if !name.trim().is_empty() => Ok((edit, LabelRef::titled(&name))),
        _ => Err(Error::not_given("name")),
    });
    let (row, resource) = change(call, id, input).await?;
    Ok(Reply::json(200, &Label::new(row, &resource)))
}

/// Changes a label; as it is then.
async fn change(
    call: &Call<'_>,
    id: &str,
    input: Result<(EditLabel, LabelRef)>,
) -> Result<(LabelRow, Resource)> {
    let ((edit, _), entered) =
        call.enter_with(id, Action::ManageLabels, input, |(_, label)| sql::named(label)).await?;
    let row: LabelRow = entered.rows.first()?.ok_or_else(|| Error::missing("Label"))?;
    if edit.new_name.is_none() && edit.color.is_none() && edit.description.is_keep() && !edit.more {
        return Err(Error::message(
            "400 (Bad request) Required parameters \"new_name\" or \"color\" missing",
        ));
    }
    let name = edit.new_name.as_deref().map(str::trim);
    check(name, edit.color.as_deref(), edit.description.set().map(String::as_str))?;
    let color = edit.color.map(|color| color.to_ascii_uppercase());
    let outcome = sql::update(&call.store, row.id, name, color.as_deref(), &edit.description).await;
    let row = outcome?.ok_or_else(|| Error::field("title", "has already been taken"))?;
    Ok((row, entered.resource))
}

/// Parameters of `DELETE /projects/:id/labels`.
#[derive(Debug, Parameters)]
struct DeleteLabel {
    name: String,
}

/// DELETE /projects/:id/labels
pub async fn delete(call: &Call<'_>, id: &str) -> Result<Reply> {
    let label = call.creation::<DeleteLabel>().map(|label| LabelRef::titled(&label.name));
    let (row, resource) = remove(call, id, label).await?;
    Ok(Reply::json(200, &Label::new(row, &resource)))
}

/// Deletes a label; as it was.
async fn remove(call: &Call<'_>, id: &str, label: Result<LabelRef>) -> Result<(LabelRow, Resource)> {
    let (_, entered) = call.enter_with(id, Action::ManageLabels, label, sql::named).await?;
    let Some(row) = entered.rows.first::<LabelRow>()? else {
        // who asks again for what was too large for one request
        sql::go_on(&call.store, entered.resource.id).await?;
        return Err(Error::missing("Label"));
    };
    sql::delete(&call.store, entered.resource.id, &row).await?;
    Ok((row, entered.resource))
}

/// A name without a comma, which would part it in two wherever names are listed; a color of three or six digits.
fn check(name: Option<&str>, color: Option<&str>, description: Option<&str>) -> Result<()> {
    static COLOR: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("^#(?:[0-9A-Fa-f]{3}){1,2}$").ok());
    let mut errors = ValidationErrors::default();
    if name.is_some_and(|name| name.is_empty() || name.contains(',')) {
        errors.add("title", "is invalid");
    }
    errors.check_length("description", description, 255);
    if color.is_some_and(|color| !COLOR.as_ref().is_some_and(|form| form.is_match(color))) {
        errors.add("color", "is invalid");
    }
    errors.result()
}
