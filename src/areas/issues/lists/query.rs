use super::filter::{Filter, Labels};
use super::index_ranges::{Driver, ReadOrder};
use super::pieces::ListPlace;
use super::text::{self, Method};
use crate::kernel::paging::{EVER, Key};
use crate::kernel::store::Value;
use crate::kernel::{Page, Statement};
use serde_json::json;

edgeforge_row::statements!(pub(super) mod totals: "src/areas/issues/lists/totals.sql");

/// Issues that a page reads beyond its size. Few in tests, so that pages end early.
const LOOK: i64 = if cfg!(test) { 3 } else { 1000 };
/// The same for a list by update, if its narrow ranges have too many issues to sort.
const WIDE_LOOK: i64 = 5 * LOOK;
const MOST_SORTED: i64 = if cfg!(test) { 40 } else { 5000 };
/// Issues that a page with a number reads, or a total without a counter, with one filter.
pub const MOST_COUNTED: i64 = 10_000;
/// The same for a list of many projects.
const MOST_COUNTED_WIDELY: i64 = 4000;
/// The same for a total in v4, of a list of many projects with filters that have no index.
const FEW_COUNTED: i64 = 1000;
/// The same for a search, and for a page of a search beyond its size. A search reads descriptions.
const MOST_SEARCHED: i64 = 300;
/// The most issues of a list by a field.
const MOST_BY_FIELD: i64 = 1000;

impl Filter {
    /// The keys before the first row, and the time where the list ends.
    pub fn beginning(&self) -> ([Key; 2], i64) {
        let [from, to] = self.span().ends();
        let goes_up = self.ascending && self.by_field.is_none();
        if goes_up { ([from, 0].map(Key::Int), to) } else { ([to, EVER].map(Key::Int), from) }
    }

    /// How many times as much as one filter the check of an issue costs. One filter costs up to 18 rows for a page and
    /// its total.
    fn weight(&self) -> i64 {
        let words = self.search.as_ref().map_or(0, |search| search.words().len());
        let labels = match &self.labels {
            Some(Labels::AllOf(titles) | Labels::AnyOf(titles)) => titles.len(),
            // these read a label and its title
            Some(Labels::None | Labels::Any) => 2,
            None => 0,
        };
        let milestones = [&self.milestone, &self.not.milestone].into_iter().flatten().count();
        let reactions = usize::from(self.reaction.is_some());
        // one of these costs as much as any other filter
        let further = (labels + self.not.labels.len() + milestones + reactions).saturating_sub(1);
        (words.max(1) + further) as i64
    }

    /// Issues that a total without a counter reads, and a page with a number.
    fn most_looked(&self, whose: ListPlace) -> i64 {
        let most = match whose {
            _ if self.search.is_some() => MOST_SEARCHED,
            ListPlace::Project => MOST_COUNTED,
            ListPlace::Group | ListPlace::Caller | ListPlace::Anywhere => MOST_COUNTED_WIDELY,
        };
        // a list by update may read issues twice: if there are too many to sort, it reads all of them in order
        let times = if self.by_update && (self.labels.is_some() || self.milestone.is_some()) { 2 } else { 1 };
        most / (self.weight() * times)
    }

    /// Issues that a list by a field reads: of many projects fewer if each is checked against many filters.
    pub fn most_by_field(&self, whose: ListPlace) -> i64 {
        if whose == ListPlace::Project { MOST_BY_FIELD } else { MOST_BY_FIELD / self.weight() }
    }

    /// Issues that a page reads beyond its size.
    fn extra(&self, is_again: bool) -> i64 {
        let look = if is_again { WIDE_LOOK } else { LOOK };
        (if self.search.is_some() { look.min(MOST_SEARCHED) } else { look }) / self.weight()
    }

    /// Limits how many issues the page may skip to those that a page reads.
    pub fn within_reach(&self, page: Page, whose: ListPlace) -> Page {
        if self.is_plain(whose) { page } else { page.reaching(self.most_looked(whose)) }
    }

    /// Whether the list has all issues of some sections of a project.
    fn is_plain(&self, whose: ListPlace) -> bool {
        let driver = self.driver(whose);
        whose == ListPlace::Project && driver == Driver::Project && self.is_exact(driver)
    }

    pub fn is_sorted(&self, whose: ListPlace) -> bool {
        let driver = self.driver(whose);
        self.by_field.is_none() && (driver == Driver::Numbers || (self.by_update && driver != Driver::Project))
    }

    /// `is_again`: the first statement returned that there is too much to sort.
    pub fn page(&self, page: &Page, whose: ListPlace, is_again: bool) -> Statement {
        let driver = self.driver(whose);
        let (beginning, until) = self.beginning();
        let ([at, id], skip) = match self.by_field {
            None => page.begin(beginning),
            Some(_) => (beginning.map(Value::from), passed(page)),
        };
        let sign = if self.ascending { 1 } else { -1 };
        let signed = |value: &Value| match value {
            Value::Int(number) => Value::Int(sign * number),
            other => other.clone(),
        };
        let method = self.method(whose, is_again);
        let look = match method {
            Method::ByField(_) => self.most_by_field(whose),
            _ if page.follows() && !self.full => page.size + 1 + self.extra(is_again),
            // the same for all pages by their numbers, so that these have all matches among so many issues
            _ => page.size + 1 + self.most_looked(whose).max(self.extra(is_again)),
        };
        let text = match (method, driver) {
            (Method::Plain, _) => self.plain(),
            // merges the ranges of the projects
            (Method::ByUpdate, _) => self.text(whose, Driver::Project, ReadOrder::AsSets),
            (Method::Sorted, _) => self.text(whose, driver, ReadOrder::AsSets),
            (_, Driver::Numbers) => self.text(whose, Driver::Project, ReadOrder::InOrder),
            _ => self.text(whose, driver, ReadOrder::InOrder),
        };
        let is_sorted = matches!(method, Method::Sorted);
        let text = text
            .bind("after_rank", signed(&at))
            .bind("after_id", if is_sorted { signed(&id) } else { id })
            .bind("after_at", at)
            .bind("bound", MOST_SORTED + 1)
            .bind("look", look)
            .bind("most", page.size + 1)
            .bind("sign", sign)
            .bind("skip", skip)
            .bind("passed", if page.follows() { skip } else { (skip - page.size).max(0) })
            .bind("until", until);
        text::page(text, method)
    }

    fn method(&self, whose: ListPlace, is_again: bool) -> Method {
        match self.by_field {
            Some(field) => Method::ByField(field),
            None if !is_again && self.is_sorted(whose) => Method::Sorted,
            None if self.is_plain(whose) && !self.sections().is_empty() => Method::Plain,
            None if self.by_update => Method::ByUpdate,
            None => Method::ByCreation,
        }
    }

    /// The total. For a list by a field it counts all matches, also those beyond [`MOST_BY_FIELD`]. In v4, a list of
    /// many projects counts fewer issues if each is checked against a filter.
    pub fn total(&self, whose: ListPlace) -> Option<Statement> {
        if self.by_field.is_some() {
            return Filter { by_field: None, ..self.clone() }.total(whose);
        }
        let driver = self.driver(whose);
        if whose == ListPlace::Project && driver == Driver::Project && self.is_counted(driver) {
            let sections = json!(self.sections()).to_string();
            return Some(totals::of_project { sections }.into());
        }
        let is_narrow = whose == ListPlace::Project || driver == Driver::Numbers || self.is_exact(driver);
        Some(self.count(whose, if self.full || is_narrow { MOST_COUNTED } else { FEW_COUNTED }))
    }

    /// Returns a row `total`, `closed`, `looked`. `most` limits the issues that it reads.
    pub fn count(&self, whose: ListPlace, most: i64) -> Statement {
        let most = most.min(self.most_looked(whose));
        let driver = self.driver(whose);
        let by_counter = self.is_counted(driver);
        let counters = by_counter.then_some(match driver {
            Driver::Label => "label_totals",
            Driver::Milestone => "milestone_totals",
            _ => "project_totals",
        });
        let text = self.text(whose, driver, ReadOrder::AsSets).bind("bound", if by_counter { EVER } else { most + 1 });
        text::count(text, counters, self.is_exact(driver))
    }

    pub fn width(&self, whose: ListPlace) -> Option<Statement> {
        (whose != ListPlace::Project).then(|| self.too_wide(whose))
    }
}

/// The number of issues before this page of a list by a field. The cursor holds that number.
pub fn passed(page: &Page) -> i64 {
    match page.begin([Key::Int(0), Key::Int(0)]) {
        ([Value::Int(number), _], skipped) => number.max(0).saturating_add(skipped),
        _ => 0,
    }
}
