//! Lists of issues (behaviour 6.1 and 13.2). An endpoint gets the page and the total of a [`List`] in one round trip.
//! The statements are put together from the pieces of `lists.sql` that the filter and the plan need.

#[cfg(test)]
#[path = "../../../../tests/unit/areas/issues/lists/against_oracle/mod.rs"]
mod against_oracle;
mod by_words;
pub mod filter;
mod parameters;
mod plan;
mod search;
pub mod v3;
pub mod v4;

use super::IssueRow;
use crate::kernel::lists::{ListRow, ListTotal, Listed};
use crate::kernel::paging::{EVER, Key, Sort};
use crate::kernel::policy;
use crate::kernel::sql::{Text, pieces};
use crate::kernel::store::{Rows, Scope as Begins};
use crate::kernel::{Call, Error, Page, Parameters, Query, Result, Row, Statement};
use by_words::SearchState;
use filter::{Driver, Field, Filter, Labels, Milestone, Scope, State, sql};
pub use plan::ListPlace;
use plan::{FEW_COUNTED, List, MOST_COUNTED, MOST_PROJECTS, MOST_TITLES, ReadOrder};
use serde_json::json;
use std::collections::BTreeSet;
use std::iter::once;

const MOST_LABELS: usize = 50;

/// The parameters of a list that both APIs take under one name. What labels and milestones mean differs.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct CommonParams {
    state: Option<State>,
    pub labels: BTreeSet<String>,
    pub milestone: Option<String>,
    sort: Option<Sort>,
}

impl CommonParams {
    pub fn filter(&self) -> Filter {
        Filter { state: self.state, ascending: self.sort == Some(Sort::Asc), ..Filter::default() }
    }
}

fn check_number(labels: &BTreeSet<String>) -> Result<()> {
    let too_many = || Error::framework(format!("labels are too many (maximum is {MOST_LABELS})"));
    if labels.len() > MOST_LABELS { Err(too_many()) } else { Ok(()) }
}

#[derive(Debug, Default, Clone, Copy, Row)]
pub struct Count {
    #[row(flatten)]
    pub all: ListTotal,
    #[row(default)]
    pub closed: Option<i64>,
    /// Whether the list spans more projects than it reads.
    #[row(default)]
    pub is_wide: bool,
}

impl Count {
    fn read(rows: &Rows) -> Result<Count> {
        let count: Count = rows.first()?.unwrap_or(Count { all: ListTotal::of(0), ..Count::default() });
        refuse_wide(count.is_wide).map(|()| count)
    }
}

fn refuse_wide(is_wide: bool) -> Result<()> {
    let text = || format!("these are the issues of more than {MOST_PROJECTS} projects: ask for those of one");
    if is_wide { Err(Error::framework(text())) } else { Ok(()) }
}

/// The statements of the page, of the total, unless the page has none, of the milestone that the route names, and of the
/// [`SearchState`], if the list has a search.
type ListQuery = (Statement, Option<Statement>, Option<Statement>, Option<Statement>);

impl List {
    fn query(&self) -> ListQuery {
        let own = match self.filter.milestone {
            Some(Milestone::Own(milestone_id)) => Some(sql::milestone { milestone_id }.into()),
            _ => None,
        };
        let state = || self.text(Driver::Words, ReadOrder::AsSets).statement::<SearchState>(sql::state_of_search);
        let total = (self.page.is_counted() && !self.has_total()).then(|| self.total());
        (self.page(0), total, own, (self.driver() == Driver::Words).then(state))
    }

    fn read(&self, page: &Rows, count: Option<Count>) -> Result<Listed<IssueRow>> {
        let rows: Vec<ListRow<IssueRow>> = page.all()?;
        let most = self.most_by_field();
        let is_whole = |total: &i64| self.filter.by_field.is_none() || *total <= most;
        let count = count.map(|count| ListTotal { total: count.all.total.filter(is_whole), ..count.all });
        Ok(Listed::of(rows, self.page.clone()).with_count(count))
    }

    async fn find(
        &self,
        call: &Call<'_>,
        (page, total, milestone, state): <ListQuery as Query>::Answer,
    ) -> Result<Listed<IssueRow>> {
        if milestone.is_some_and(|milestone| milestone.is_empty()) {
            return Err(Error::no_record());
        }
        let state = state.map(|rows| rows.first::<SearchState>()).transpose()?.flatten();
        refuse_wide(state.as_ref().is_some_and(|state| state.is_wide))?;
        let is_indexed = state.is_none_or(|state| state.is_whole);
        let count = total.map(|rows| Count::read(&rows)).transpose()?;
        let (mut attempt, mut found) = (0, self.read(&page, count)?);
        while self.is_too_long(attempt, &found) || (attempt == 0 && !is_indexed) {
            attempt += 1;
            let (_, page) = call.authorize(self.page(attempt)).await?;
            found = self.reaching(attempt).read(&page, count)?;
        }
        if self.has_total() && self.page.is_counted() {
            let is_empty = self.page.is_first() && !found.has_more;
            found.count = Some(match found.total.or(is_empty.then_some(0)) {
                // too many to be sorted are too many to be counted
                _ if attempt > 0 => ListTotal::default(),
                Some(total) => ListTotal::of(total),
                None => Count::read(&call.authorize(self.total()).await?.1)?.all,
            });
        }
        Ok(found)
    }

    /// Whether the statement of this attempt found too much to sort: it has returned one row, which ends the page.
    fn is_too_long(&self, attempt: usize, found: &Listed<IssueRow>) -> bool {
        attempt < self.sorted_drivers().len() && found.rows.is_empty() && found.has_more
    }

    /// A page that merges its ranges for a search reaches less far.
    fn reaching(&self, attempt: usize) -> List {
        let is_merged = attempt == self.sorted_drivers().len();
        let reach = if is_merged { self.most_merged() } else { self.most_looked() };
        List { page: self.page.clone().reaching(reach), ..self.clone() }
    }

    /// The statement of the page. `attempt`: how many statements found too much to sort.
    pub fn page(&self, attempt: usize) -> Statement {
        use ReadOrder::{AsSets, InOrder};
        let (driver, by_field) = (self.merged_driver(), self.filter.by_field);
        let sorted = self.sorted_drivers().get(attempt).copied();
        let (text, piece) = match (by_field, sorted) {
            (Some(_), _) => (self.text(driver, InOrder), sql::by_field),
            (None, Some(driver)) => (self.text(driver, AsSets), sql::sorted),
            (None, None) if self.is_plain() && !self.filter.sections().is_empty() => (self.plain(), sql::plain),
            // merges the ranges of the projects
            (None, None) if self.filter.by_update => (self.text(Driver::Project, AsSets), sql::by_update),
            (None, None) if driver == Driver::Numbers => (self.text(Driver::Project, InOrder), sql::by_creation),
            (None, None) => (self.text(driver, InOrder), sql::by_creation),
        };
        let text = match by_field {
            None => text.piece("keys", sql::time_and_id),
            Some(Field::Due) => text.text("field", "i.due_date").text("keys", "number"),
            Some(Field::MilestoneDue) => text.piece("field", sql::milestone_day).text("keys", "number"),
            Some(Field::Title) => text.piece("field", sql::title).text("keys", "number"),
        };
        let [from, to] = self.span().ends();
        let (first, until) = if self.goes_up() { ([from, 0], to) } else { ([to, EVER], from) };
        let first = first.map(Key::Int).to_vec();
        let (after, skip) = if by_field.is_some() { (first, self.passed()) } else { self.page.starts(first) };
        let Page { size, .. } = self.page;
        text.bind("after_id", after.get(1).cloned())
            .bind("after_at", after.first().cloned())
            .bind("bound", sorted.map_or(0, |driver| self.most_sorted(driver) + 1))
            .piece("members", sorted.map_or(sql::nothing, Driver::members))
            .piece("sum", if sorted == Some(Driver::Words) { sql::sum } else { sql::always })
            .bind("look", if by_field.is_some() { self.most_by_field() } else { self.looked(attempt > 0) })
            .bind("most", size + 1)
            .bind("skip", skip)
            .bind("passed", if self.page.follows() { skip } else { (skip - size).max(0) })
            .bind("until", until)
            .statement::<ListRow<IssueRow>>(piece)
    }

    /// The total. For a list by a field it counts all matches, also those beyond [`MOST_BY_FIELD`]. In v4, a list of
    /// many projects counts fewer issues if each is checked against a filter.
    pub fn total(&self) -> Statement {
        let (driver, in_project) = (self.driver(), self.whose == ListPlace::Project);
        if in_project && driver == Driver::Project && self.is_counted(driver) {
            return sql::count_of_project { sections: json!(self.filter.sections()).to_string() }.into();
        }
        let is_narrow = in_project || matches!(driver, Driver::Numbers | Driver::Words) || self.is_exact(driver);
        self.count(if self.filter.full || is_narrow { MOST_COUNTED } else { FEW_COUNTED })
    }

    /// Returns a [`Count`]. `most` limits the issues that it reads.
    pub fn count(&self, most: i64) -> Statement {
        let driver = self.driver();
        let by_counter = self.is_counted(driver);
        let counters = match driver {
            Driver::Label => "label_totals",
            Driver::Milestone => "milestone_totals",
            _ => "project_totals",
        };
        let (known, members) = if by_counter { (sql::counter, sql::nothing) } else { (sql::nothing, driver.members()) };
        self.text(driver, ReadOrder::AsSets)
            .bind("bound", if by_counter { EVER } else { most.min(self.most_looked()) + 1 })
            .text("counters", counters)
            .piece("is_known", if driver == Driver::Words { pieces::is_index_whole } else { sql::always })
            .piece("known", known)
            .piece("members", members)
            .piece("checked", if self.is_exact(driver) { sql::counted_by_range } else { sql::counted_by_ids })
            .statement::<Count>(sql::count)
    }

    /// Adds the order of the list.
    fn ordered(&self, text: Text) -> Text {
        let (way, beyond, within) = if self.goes_up() { ("asc", ">", "<=") } else { ("desc", "<", ">=") };
        let at = if self.filter.by_update { "updated_at" } else { "created_at" };
        let toward = if self.filter.ascending { "asc" } else { "desc" };
        text.text("at", at).text("toward", toward).text("way", way).text("beyond", beyond).text("within", within)
    }

    /// The index ranges of the list, and the conditions for their issues.
    pub fn text(&self, driver: Driver, read: ReadOrder) -> Text {
        let filter = &self.filter;
        let most_titles = if self.whose == ListPlace::Project { usize::MAX } else { MOST_TITLES };
        let titles: Vec<&String> = match &filter.labels {
            Some(Labels::AllOf(titles) | Labels::AnyOf(titles)) => titles.iter().take(most_titles).collect(),
            _ => Vec::new(),
        };
        let (scope, visible) = self.whose.pieces();
        let [key, range] = driver.pieces(read);
        let (id, table) = if driver == Driver::Label { ("issue_id", "issue_labels") } else { ("id", "issues") };
        let [from, to] = self.span().ends();
        let mut text = self
            .ordered(Text::new(scope))
            .piece("visible", visible)
            .text("mine", if filter.scope == Scope::AssignedToMe { "assignee_id" } else { "author_id" })
            .bind("active", filter.active)
            .bind("confidential_level", policy::confidential_level())
            .bind("wide", MOST_PROJECTS + 1)
            .bind("kinds", if driver == Driver::Words { self.kinds_of_words() } else { self.kinds(driver, read) })
            .bind("read", if driver == Driver::Words { self.most_merged() } else { EVER })
            .bind("titles", json!(titles).to_string())
            .bind("from", from)
            .bind("to", to)
            .piece("full_path", pieces::path_of_issue)
            .piece("key", key)
            .piece("range", range)
            .text("id", id)
            .text("table", table);
        let mut pieces = Vec::new();
        if driver == Driver::Words {
            pieces.push(sql::in_section);
            text = text
                .bind("sections", json!(filter.sections()).to_string())
                .bind("asked", filter.search.as_ref().map(|search| search.asked().text));
        }
        let search = filter.search_condition(driver == Driver::Words);
        for condition in filter.conditions().into_iter().chain(search) {
            pieces.push(condition.piece);
            text = condition.binds.into_iter().fold(text, |text, (name, value)| text.bind(name, value));
        }
        if pieces.is_empty() {
            return text.text("conditions", "1").text("lookup", "");
        }
        text.pieces("conditions", pieces, "\nand ").piece("lookup", sql::looked_up)
    }

    /// The ranges of each project for the piece `ranges`, as JSON: kind, section, reads, by_user. `reads`: 1 for a range
    /// only in projects where the caller sees all confidential issues, 0 only in the others, null in all.
    fn kinds(&self, driver: Driver, read: ReadOrder) -> String {
        let is_caller = matches!(driver, Driver::Author(true) | Driver::Assignee(true));
        let in_order = read == ReadOrder::InOrder;
        let kinds = self.filter.sections().into_iter().flat_map(|section| {
            let is_open = section < 2 || (is_caller && in_order);
            let own: &[&str] = match in_order {
                _ if is_open => &[],
                true => &["author", "assigned"],
                false => &["own"],
            };
            let whole = json!(["", section, (!is_open).then_some(1), i64::from(is_caller)]);
            once(whole).chain(own.iter().map(move |kind| json!([kind, section, 0, 1])))
        });
        json!(kinds.collect::<Vec<_>>()).to_string()
    }

    /// A page of all issues of some sections of a project.
    pub fn plain(&self) -> Text {
        let sections = self.filter.sections();
        let has = |section: i64| sections.contains(&section);
        let hidden = match (has(2), has(3)) {
            (true, true) => Some((sql::all_hidden, "2, 3")),
            (true, false) => Some((sql::opened_hidden, "2")),
            (false, true) => Some((sql::closed_hidden, "3")),
            (false, false) => None,
        };
        let open = [has(0).then_some(sql::opened), has(1).then_some(sql::closed)];
        let arms = open.into_iter().chain([hidden.map(|(arm, _)| arm), hidden.map(|_| sql::own_hidden)]);
        self.ordered(Text::new(Begins::Project))
            .text("full_path", "f.full_path")
            .pieces("arms", arms.flatten().collect(), "\nunion all\n")
            .text("sections", hidden.map_or("", |(_, sections)| sections))
    }
}
