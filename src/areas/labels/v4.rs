use super::colors::kept;
use super::{Counts, LabelChange, LabelRef, LabelRow, NewLabel, sql};
use crate::kernel::call::path_id;
use crate::kernel::empty_answers;
use crate::kernel::gather::Gather;
use crate::kernel::http::escaped;
use crate::kernel::lists::Listed;
use crate::kernel::paging::PAGE_BYTES;
use crate::kernel::store::Store;
use crate::kernel::text::fold::patterns;
use crate::kernel::{Call, Error, Page, Parameters, PreparedQuery, Query, Reply, Result};
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
    /// Always false.
    archived: bool,
    #[serde(flatten)]
    listed: Option<LabelDetails>,
}

/// Members of a label that a label inside of an issue lacks.
#[derive(Debug, Clone, Serialize)]
struct LabelDetails {
    #[serde(flatten)]
    counts: Option<Counts>,
    subscribed: bool,
    priority: Option<i64>,
    is_project_label: bool,
}

impl Label {
    /// A label in the form that issues have.
    pub fn new(row: LabelRow) -> Label {
        Label {
            id: row.id,
            name: row.title,
            description_html: row.description.as_deref().map(escaped).unwrap_or_default(),
            description: row.description,
            text_color: text_color(&row.color),
            color: row.color,
            archived: false,
            listed: None,
        }
    }

    fn whole(row: LabelRow, counts: Option<Counts>) -> Label {
        let LabelRow { subscribed, priority, .. } = row;
        let listed = LabelDetails { counts, subscribed, priority, is_project_label: true };
        Label { listed: Some(listed), ..Label::new(row) }
    }
}

/// White or black, whichever is readable on the color `#RRGGBB` or `#RGB`.
fn text_color(color: &str) -> &'static str {
    let digits = color.strip_prefix('#').unwrap_or_default();
    let each = if digits.len() == 3 { 1 } else { 2 };
    let channel = |at: usize| {
        let text = digits.get(at * each..(at + 1) * each).unwrap_or_default();
        i64::from_str_radix(text, 16).unwrap_or_default() * if each == 1 { 17 } else { 1 }
    };
    if channel(0) + channel(1) + channel(2) > 500 { "#1F1E24" } else { "#FFFFFF" }
}

/// Labels by project and title.
pub type WholeLabels = BTreeMap<(i64, String), Label>;

/// Different labels that a page of issues may have.
const MOST_OF_A_PAGE: usize = 2000;

/// Returns the labels of a page of issues, and how many of its issues fit into one answer with them. Each issue is given
/// by its project and the titles of its labels.
pub async fn of_page(store: &Store<'_>, issues: &[(i64, &BTreeSet<String>)]) -> Result<(WholeLabels, usize)> {
    let mut named = BTreeSet::new();
    let has_room = |(project_id, titles): &&(i64, &BTreeSet<String>)| {
        named.extend(titles.iter().map(|title| (*project_id, title.clone())));
        named.len() <= MOST_OF_A_PAGE
    };
    let most = issues.iter().take_while(has_room).count();
    let named = named.iter().take(MOST_OF_A_PAGE);
    let named = named.map(|(project_id, title)| json!({ "project_id": project_id, "title": title }));
    let rows = store.ask(sql::titled { named: json!(named.collect::<Vec<_>>()).to_string() }).await?;
    let labels: WholeLabels =
        rows.into_iter().map(|row| ((row.project_id, row.title.clone()), Label::new(row))).gather();
    let bytes: BTreeMap<_, usize> =
        labels.iter().map(|(key, label)| (key, serde_json::to_string(label).map_or(0, |text| text.len()))).gather();
    // a label counts once for each issue that has it
    let mut sum = 0;
    let fits = |(project_id, titles): &&(i64, &BTreeSet<String>)| {
        sum += titles.iter().filter_map(|title| bytes.get(&(*project_id, title.clone()))).sum::<usize>();
        sum as i64 <= PAGE_BYTES
    };
    let fitting = issues.iter().take(most).take_while(fits).count();
    Ok((labels, fitting.max(1)))
}

#[derive(Debug, Parameters)]
struct Filter {
    with_counts: Option<bool>,
    search: Option<String>,
    /// No label is archived, so `true` makes the list empty.
    archived: Option<bool>,
}

impl Filter {
    fn own(&self) -> Option<sql::own_confidential> {
        (self.with_counts == Some(true)).then_some(sql::own_confidential {})
    }

    fn query(&self, page: Page) -> PreparedQuery<Listed<LabelRow>> {
        match &self.search {
            Some(text) => sql::search { words: patterns(text.trim()), page }.prepare(),
            None => sql::list { page }.prepare(),
        }
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Filter>().and_then(|filter| Ok((filter, call.page()?)));
    let query = |(filter, page): &(Filter, Page)| (filter.query(page.clone()), filter.own());
    let ((filter, page), entry, (labels, own)) = call.authorize_with(input, query).await?;
    if filter.archived == Some(true) {
        return empty_answers::reply(call, &page);
    }
    let shown = |row: LabelRow| {
        let counts = own.as_ref().map(|own| Counts::new(&row.clone().with_own(own), &entry.resource));
        Label::whole(row, counts)
    };
    labels.reply(call, shown)
}

fn named(text: &str) -> LabelRef {
    LabelRef { id: path_id(text).ok(), title: Some(text.trim().to_owned()) }
}

pub async fn show(call: &Call<'_>, name: &str) -> Result<Reply> {
    let (_, row) = call.authorize(named(name).query()).await?;
    Ok(shown(row.ok_or_else(|| Error::missing("Label"))?))
}

fn shown(row: LabelRow) -> Reply {
    Reply::json(200, &Label::whole(row, None)).with_strong_tag()
}

/// The tag of the label in the answer of [`show`], for `If-Match`.
pub fn tag(row: &LabelRow) -> String {
    shown(row.clone()).header("ETag").unwrap_or_default().to_owned()
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let input: Result<NewLabel> = call.creation();
    let input = input.map(|new| NewLabel { color: kept(&new.color).unwrap_or(new.color), ..new });
    let (row, _) = super::create(call, input).await?;
    Ok(Reply::json(201, &Label::whole(row, None)))
}

pub async fn follow(call: &Call<'_>, name: &str, subscribed: bool) -> Result<Reply> {
    let changed = super::subscribe(call, &named(name), subscribed).await?;
    Ok(changed.map_or(Reply::empty(304), |(row, _)| Reply::json(201, &Label::whole(row, None))))
}

#[derive(Parameters)]
struct EditParams {
    name: Option<String>,
    label_id: Option<i64>,
    #[param(flatten)]
    change: LabelChange,
}

impl EditParams {
    fn read(call: &Call<'_>, path: Option<&str>) -> Result<(LabelRef, LabelChange)> {
        let EditParams { name, label_id, mut change } = call.edit()?;
        let label = match path {
            Some(text) => named(text),
            None => LabelRef { id: label_id, title: name.map(|name| name.trim().to_owned()) },
        };
        if label.id.is_none() && label.title.is_none() {
            call.params()?.refuse_blank(&["label_id", "name"])?;
            call.params()?.require_one_of(&["label_id", "name"])?;
        }
        change.color = change.color.map(|color| kept(&color).unwrap_or(color));
        Ok((label, change))
    }
}

/// `path`: the label, if the path names it.
pub async fn update(call: &Call<'_>, path: Option<&str>) -> Result<Reply> {
    let input = EditParams::read(call, path).and_then(|input| {
        call.params()?.require_one_of(&["new_name", "color", "description", "priority"])?;
        Ok(input)
    });
    let (row, _) = super::update(call, input, false).await?;
    Ok(Reply::json(200, &Label::whole(row, None)))
}

/// `path`: as of [`update`].
pub async fn delete(call: &Call<'_>, path: Option<&str>) -> Result<Reply> {
    let parameters = || EditParams::read(call, None).map(|(label, _)| label);
    super::delete(call, path.map_or_else(parameters, |name| Ok(named(name)))).await?;
    Ok(Reply::empty(204))
}

#[cfg(test)]
#[path = "../../../tests/unit/areas/labels/v4.rs"]
mod tests;
