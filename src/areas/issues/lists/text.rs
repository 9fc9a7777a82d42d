//! Puts the statements of a list together from the pieces that the request needs.

use super::filter::{Field, Filter, Labels, Scope};
use super::index_ranges::{Driver, ReadOrder};
use super::pieces::{Count, IssueListRow, ListPlace, Width, sql};
use crate::kernel::Statement;
use crate::kernel::policy;
use crate::kernel::sql::{Text, pieces};
use crate::kernel::store::Scope as Begins;
use serde_json::json;

/// The most titles of labels of which a list of many projects finds the rarest in each project.
const MOST_TITLES: usize = 2;
pub const MOST_PROJECTS: i64 = 1000;

impl Filter {
    /// The projects of the list.
    fn places(&self, whose: ListPlace) -> Text {
        Text::new(whose.scope())
            .piece("visible", whose.visible())
            .text("mine", if self.scope == Scope::AssignedToMe { "assignee_id" } else { "author_id" })
            .bind("active", self.active)
            .bind("confidential_level", policy::confidential_level())
            .bind("wide", MOST_PROJECTS + 1)
    }

    /// Adds the order of the list.
    fn ordered(&self, text: Text) -> Text {
        let is_up = self.ascending && self.by_field.is_none();
        let (way, beyond, within) = if is_up { ("asc", ">", "<=") } else { ("desc", "<", ">=") };
        let at = if self.by_update { "updated_at" } else { "created_at" };
        let toward = if self.ascending { "asc" } else { "desc" };
        text.text("at", at).text("toward", toward).text("way", way).text("beyond", beyond).text("within", within)
    }

    /// The index ranges of the list, and the conditions for their issues.
    pub fn text(&self, whose: ListPlace, driver: Driver, read: ReadOrder) -> Text {
        let most_titles = if whose == ListPlace::Project { usize::MAX } else { MOST_TITLES };
        let titles: Vec<&String> = match &self.labels {
            Some(Labels::AllOf(titles) | Labels::AnyOf(titles)) => titles.iter().take(most_titles).collect(),
            _ => Vec::new(),
        };
        let [key, step, ids] = driver.pieces();
        let [from, to] = self.span().ends();
        let mut text = self
            .ordered(self.places(whose))
            .bind("kinds", self.kinds(driver, read))
            .bind("titles", json!(titles).to_string())
            .bind("from", from)
            .bind("to", to)
            .piece("full_path", pieces::path_of_issue)
            .piece("key", key)
            .piece("step", step)
            .piece("ids", ids);
        let mut pieces = Vec::new();
        for condition in self.conditions() {
            pieces.push(condition.piece);
            text = condition.binds.into_iter().fold(text, |text, (name, value)| text.bind(name, value));
        }
        if pieces.is_empty() {
            return text.text("conditions", "1").text("lookup", "");
        }
        text.pieces("conditions", pieces, "\nand ").piece("lookup", sql::looked_up)
    }

    /// A page of all issues of some sections of a project.
    pub fn plain(&self) -> Text {
        let sections = self.sections();
        let has = |section: i64| sections.contains(&section);
        let hidden = match (has(2), has(3)) {
            (true, true) => Some((sql::all_hidden, "2, 3")),
            (true, false) => Some((sql::opened_hidden, "2")),
            (false, true) => Some((sql::closed_hidden, "3")),
            (false, false) => None,
        };
        let mut arms = Vec::new();
        arms.extend(has(0).then_some(sql::opened));
        arms.extend(has(1).then_some(sql::closed));
        arms.extend(hidden.map(|(arm, _)| arm));
        arms.extend(hidden.map(|_| sql::own_hidden));
        self.ordered(Text::new(Begins::Project))
            .text("full_path", "f.full_path")
            .pieces("arms", arms, "\nunion all\n")
            .text("sections", hidden.map_or("", |(_, sections)| sections))
    }

    pub fn too_wide(&self, whose: ListPlace) -> Statement {
        self.places(whose).statement::<Width>(sql::too_wide)
    }
}

/// How a page is read.
#[derive(Debug, Clone, Copy)]
pub enum Method {
    /// All issues of some sections of a project.
    Plain,
    ByCreation,
    ByUpdate,
    /// Whole ranges are sorted.
    Sorted,
    ByField(Field),
}

pub fn page(text: Text, method: Method) -> Statement {
    let (text, piece) = match method {
        Method::Plain => (text, sql::plain),
        Method::ByCreation => (text, sql::by_creation),
        Method::ByUpdate => (text, sql::by_update),
        Method::Sorted => (text, sql::sorted),
        Method::ByField(Field::Due) => (text.text("field", "i.due_date"), sql::by_field),
        Method::ByField(Field::MilestoneDue) => (text.piece("field", sql::milestone_day), sql::by_field),
        Method::ByField(Field::Title) => (text.piece("field", sql::title), sql::by_field),
    };
    text.statement::<IssueListRow>(piece)
}

/// `counters`: the view that has the numbers of the ranges.
pub fn count(text: Text, counters: Option<&'static str>, is_exact: bool) -> Statement {
    let text = match counters {
        Some(counters) => text.piece("known", sql::counter).text("counters", counters).piece("ids", sql::nowhere),
        None => text.piece("known", sql::nowhere),
    };
    let checked = if is_exact { sql::counted_by_range } else { sql::counted_by_ids };
    text.piece("checked", checked).statement::<Count>(sql::count)
}
