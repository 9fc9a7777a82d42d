//! Labels of a project: what v3 and v4 share.

mod colors;
pub mod v3;
pub mod v4;

use crate::call::{Call, Resource};
use crate::chunks::run_in_chunks;
use crate::error::{Error, Result, ValidationErrors};
use crate::params::Patch;
use crate::policy::Action;
use crate::store::{Row, Statement, Store};
use regex::Regex;
use std::sync::LazyLock;

mod sql {
    use crate::sql::{impl_sql, include_sql};
    include_sql!("src/labels/labels.sql");
}

/// A row of the view `label_rows`.
#[derive(Debug, Row)]
pub struct LabelRow {
    pub id: i64,
    pub project_id: i64,
    pub title: String,
    pub color: String,
    pub description: Option<String>,
    pub opened: i64,
    pub closed: i64,
    pub opened_hidden: i64,
    pub closed_hidden: i64,
}

impl LabelRow {
    /// How many open and closed issues bear it. Confidential ones count only for those who see all of them, and none where
    /// issues are switched off.
    pub fn counts(&self, resource: &Resource) -> (i64, i64) {
        let shown = i64::from(resource.has_issues());
        let confidential = i64::from(resource.may(Action::ReadConfidentialIssues));
        (
            shown * (self.opened + confidential * self.opened_hidden),
            shown * (self.closed + confidential * self.closed_hidden),
        )
    }
}

/// A label as a request names it.
#[derive(Debug)]
struct LabelRef {
    id: Option<i64>,
    /// If there is none of that id.
    title: Option<String>,
}

impl LabelRef {
    fn titled(title: &str) -> LabelRef {
        LabelRef { id: None, title: Some(title.trim().to_owned()) }
    }

    fn query(&self) -> Statement {
        sql::one { id: self.id, title: self.title.as_deref() }.into()
    }
}

/// A label to be made.
struct NewLabel {
    name: String,
    color: String,
    description: Option<String>,
}

/// What changes of a label.
struct LabelChange {
    name: Option<String>,
    color: Option<String>,
    description: Patch<String>,
    /// Whether the request is refused because it says nothing that could change. After 404.
    changes_nothing: bool,
}

/// Makes a label.
async fn create(call: &Call<'_>, input: Result<NewLabel>) -> Result<(LabelRow, Resource)> {
    let (new, entry) = call.authorize_with(input, |new| LabelRef::titled(&new.name).query()).await?;
    let (name, description) = (new.name.trim(), new.description.as_deref());
    check(Some(name), Some(&new.color), description)?;
    let exists = || Error::Refused(409, "Label already exists".to_owned());
    if !entry.rows.is_empty() {
        return Err(exists());
    }
    let (color, project_id) = (new.color.to_ascii_uppercase(), entry.resource.id);
    let label = sql::create { project_id, title: name, color, description, now: call.now };
    let row = call.store.run(label).await?.first()?;
    Ok((row.ok_or_else(exists)?, entry.resource))
}

/// Changes a label and returns it as it is then.
async fn update(call: &Call<'_>, input: Result<(LabelRef, LabelChange)>) -> Result<(LabelRow, Resource)> {
    let ((_, change), entry) = call.authorize_with(input, |(label, _)| label.query()).await?;
    let row: LabelRow = entry.rows.first()?.ok_or_else(|| Error::missing("Label"))?;
    let LabelChange { name, color, description, changes_nothing } = change;
    if changes_nothing {
        return Err(Error::message(
            "400 (Bad request) Required parameters \"new_name\" or \"color\" missing",
        ));
    }
    let (name, text) = (name.as_deref().map(str::trim), description.set().map(String::as_str));
    check(name, color.as_deref(), text)?;
    let color = color.map(|color| color.to_ascii_uppercase());
    let keeps_description = description.is_keep();
    let update = sql::update { id: row.id, title: name, color, keeps_description, description: text };
    let taken = || Error::field("title", "has already been taken");
    match call.store.ask(update).await {
        Err(failure) if failure.is_constraint() => Err(taken()),
        outcome => Ok((outcome?.first()?.ok_or_else(taken)?, entry.resource)),
    }
}

/// How many issues one statement takes a label off: each changes some rows of lists.
const CHUNK: i64 = 40;

/// Deletes a label and returns it as it was. It comes off the issues that bear it as far as one request goes; the next
/// deletion of a label in the project goes on.
async fn delete(call: &Call<'_>, label: Result<LabelRef>) -> Result<(LabelRow, Resource)> {
    let (_, entry) = call.authorize_with(label, LabelRef::query).await?;
    let project_id = entry.resource.id;
    let Some(row) = entry.rows.first::<LabelRow>()? else {
        remove_hidden(&call.store, project_id, Vec::new(), 0).await?;
        return Err(Error::missing("Label"));
    };
    let issues = row.opened + row.closed + row.opened_hidden + row.closed_hidden;
    let hide = vec![sql::hide { id: row.id }.into()];
    remove_hidden(&call.store, project_id, hide, issues / CHUNK + 1).await?;
    Ok((row, entry.resource))
}

async fn remove_hidden(
    store: &Store<'_>,
    project_id: i64,
    first: Vec<Statement>,
    expected: i64,
) -> Result<()> {
    let last = [sql::remove_hidden { project_id }.into(), sql::is_hidden_left { project_id }.into()];
    run_in_chunks(store, first, &sql::take_off { project_id, most: CHUNK }.into(), expected, &last).await
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
