pub mod colors;
pub mod v3;
pub mod v4;

use crate::kernel::call::Resource;
use crate::kernel::chunks::run_in_chunks;
use crate::kernel::text::names::check_letters;
use crate::kernel::{Action, Call, Error, Parameters, Patch, PreparedQuery, Query, Result, Row, ValidationErrors};
use serde::Serialize;

edgeforge_row::statements!(mod sql: "src/areas/labels/labels.sql");

#[derive(Debug, Clone, Row)]
pub struct LabelRow {
    pub id: i64,
    pub project_id: i64,
    pub title: String,
    pub color: String,
    pub description: Option<String>,
    /// Only in v4. 0 is the highest.
    #[row(default)]
    pub priority: Option<i64>,
    pub opened: i64,
    pub closed: i64,
    pub opened_hidden: i64,
    pub closed_hidden: i64,
    /// Whether the caller follows it.
    #[row(default)]
    pub subscribed: bool,
}

/// The caller's own confidential issues with a label.
#[derive(Row)]
pub struct OwnConfidential {
    label_id: i64,
    opened: i64,
    closed: i64,
}

impl LabelRow {
    /// Counts the caller's own issues of these. `own`: by label.
    fn with_own(mut self, own: &[OwnConfidential]) -> LabelRow {
        let at = own.binary_search_by_key(&self.id, |own| own.label_id).ok();
        if let Some(OwnConfidential { opened, closed, .. }) = at.and_then(|at| own.get(at)) {
            self.opened += opened;
            self.closed += closed;
        }
        self
    }
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Counts {
    open_issues_count: i64,
    closed_issues_count: i64,
    open_merge_requests_count: i64,
}

impl Counts {
    /// Counts confidential issues only for callers who see all of them; v4 adds a caller's own. 0 if issues are disabled.
    fn new(row: &LabelRow, resource: &Resource) -> Counts {
        let shown = i64::from(resource.has_issues());
        let confidential = i64::from(resource.may(Action::ReadConfidentialIssues));
        Counts {
            open_issues_count: shown * (row.opened + confidential * row.opened_hidden),
            closed_issues_count: shown * (row.closed + confidential * row.closed_hidden),
            open_merge_requests_count: 0,
        }
    }
}

#[derive(Debug)]
struct LabelRef {
    id: Option<i64>,
    /// Used if no label has the id.
    title: Option<String>,
}

impl LabelRef {
    fn titled(title: &str) -> LabelRef {
        LabelRef { id: None, title: Some(title.trim().to_owned()) }
    }

    fn query(&self) -> PreparedQuery<Option<LabelRow>> {
        sql::one { id: self.id, title: self.title.as_deref() }.prepare()
    }
}

#[derive(Parameters)]
struct NewLabel {
    name: String,
    color: String,
    description: Option<String>,
}

#[derive(Parameters)]
struct LabelChange {
    #[param(rename = "new_name")]
    name: Option<String>,
    color: Option<String>,
    #[param(default)]
    description: Patch<String>,
}

#[derive(Parameters)]
struct PriorityParam {
    priority: Patch<i64>,
}

/// The new priority of a label. v3 has no priorities.
fn priority(call: &Call<'_>) -> Result<Patch<i64>> {
    let priority = if call.dialect.is_v4() { call.edit::<PriorityParam>()?.priority } else { Patch::Keep };
    match priority.set() {
        Some(..0) => Err(Error::field("priority", "must be greater than or equal to 0")),
        _ => Ok(priority),
    }
}

/// The input with the new priority of the label. The refusal of a faulty input does not name the priority as unread.
fn with_priority<T>(call: &Call<'_>, input: Result<T>) -> Result<(T, Patch<i64>)> {
    let priority = priority(call);
    input.and_then(|input| Ok((input, priority?)))
}

async fn create(call: &Call<'_>, input: Result<NewLabel>) -> Result<(LabelRow, Resource)> {
    let input = with_priority(call, input);
    let query = |(new, _): &(NewLabel, _)| LabelRef::titled(&new.name).query();
    let ((new, priority), entry, same) = call.authorize_with(input, query).await?;
    let (name, description) = (new.name.trim(), new.description.as_deref());
    check(Some(name), Some(&new.color), description)?;
    let exists = || Error::Refused(409, "Label already exists".to_owned());
    if same.is_some() {
        return Err(exists());
    }
    let project_id = entry.resource.id;
    let priority = priority.set().copied();
    let label = sql::create { project_id, title: name, color: new.color, description, priority, now: call.now };
    Ok((call.write(label).await?.ok_or_else(exists)?, entry.resource))
}

/// `must_change`: a request without a change is an error.
async fn update(
    call: &Call<'_>,
    input: Result<(LabelRef, LabelChange)>,
    must_change: bool,
) -> Result<(LabelRow, Resource)> {
    let input = with_priority(call, input);
    let (((_, LabelChange { name, color, description }), priority), entry, row) =
        call.authorize_with(input, |((label, _), _)| label.query()).await?;
    let row = row.ok_or_else(|| Error::missing("Label"))?;
    if must_change && name.is_none() && color.is_none() && description.is_keep() {
        return Err(Error::message("400 (Bad request) Required parameters \"new_name\" or \"color\" missing"));
    }
    let (name, text) = (name.as_deref().map(str::trim), description.set().map(String::as_str));
    check(name, color.as_deref(), text)?;
    let as_seen = call.expect_match(|| v4::tag(&row))?;
    let update = sql::update {
        id: row.id,
        title: name,
        color,
        keeps_description: description.is_keep(),
        description: text,
        keeps_priority: priority.is_keep(),
        priority: priority.set().copied(),
        as_seen,
        title_was: &row.title,
        color_was: &row.color,
        description_was: row.description.as_deref(),
        priority_was: row.priority,
    };
    let taken = || Error::field("title", "has already been taken");
    let outcome = if as_seen { call.write(update).await } else { call.write_safely(update).await };
    match outcome {
        Err(failure) if failure.is_duplicate() => Err(taken()),
        outcome => {
            let missing = || if as_seen { Error::changed() } else { Error::missing("Label") };
            let updated = outcome?.ok_or_else(missing)?;
            Ok((LabelRow { subscribed: row.subscribed, ..updated }, entry.resource))
        }
    }
}

/// Returns None if the caller follows the label already, or does not follow it.
async fn subscribe(call: &Call<'_>, label: &LabelRef, subscribed: bool) -> Result<Option<(LabelRow, Resource)>> {
    let (entry, row) = call.authorize(label.query()).await?;
    let mut row = row.ok_or_else(|| Error::missing("Label"))?;
    if row.subscribed == subscribed {
        return Ok(None);
    }
    let (label_id, user_id) = (row.id, entry.caller()?.user.id);
    let changed = if subscribed {
        call.write(sql::subscribe { label_id, user_id }).await?
    } else {
        call.write(sql::unsubscribe { label_id, user_id }).await?
    };
    row.subscribed = subscribed;
    Ok((!changed.is_empty()).then_some((row, entry.resource)))
}

/// Issues that lose a label in one statement. Each of them changes several rows.
const CHUNK: i64 = 40;

/// Returns the label as it was. One request removes it from a limited number of issues. The next deletion of a label
/// in the project continues.
async fn delete(call: &Call<'_>, label: Result<LabelRef>) -> Result<(LabelRow, Resource)> {
    let (_, entry, found) = call.authorize_with(label, LabelRef::query).await?;
    let (project_id, most) = (entry.resource.id, CHUNK);
    let hide = found.iter().map(|row| sql::hide { id: row.id }.into()).collect();
    let issues = |row: &LabelRow| row.opened + row.closed + row.opened_hidden + row.closed_hidden;
    let expected = found.as_ref().map_or(0, |row| issues(row) / CHUNK + 1);
    let take_off = [sql::take_off { project_id, most }.into()];
    let last = [
        sql::unsubscribe_all { project_id }.into(),
        sql::remove_hidden { project_id }.into(),
        sql::is_hidden_left { project_id }.into(),
    ];
    run_in_chunks(call, hide, &take_off, expected, &last).await?;
    Ok((found.ok_or_else(|| Error::missing("Label"))?, entry.resource))
}

/// A name has no comma, because lists separate names by commas. A color has three or six digits.
fn check(name: Option<&str>, color: Option<&str>, description: Option<&str>) -> Result<()> {
    let is_color =
        |digits: &str| matches!(digits.len(), 3 | 6) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let mut errors = ValidationErrors::default();
    if name.is_some_and(|name| name.is_empty() || name.contains(',')) {
        errors.add("title", "is invalid");
    }
    check_letters(&mut errors, "title", name);
    let lines = description.map(|text| text.replace(['\t', '\r', '\n'], ""));
    check_letters(&mut errors, "description", lines.as_deref());
    errors.check_length("description", description, 255);
    if color.is_some_and(|color| !color.strip_prefix('#').is_some_and(is_color)) {
        errors.add("color", "is invalid");
    }
    errors.result()
}
