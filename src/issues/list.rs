//! Lists of issues: filters, orders, pages and totals. Every list is one statement whose cost is its page's.
//!
//! An endpoint reads its parameters into a [`Filter`] and its [`Page`], makes the [`statement`], sends it with authorization, and
//! reads the rows into a [`Listed`]:
//!
//! ```ignore
//! let filter = Filter { labels: Some(Labels::AllOf(titles)), active: true, ..Filter::default() };
//! let question = list::statement(&filter, &page, Whose::Group);
//! let entered = call.enter_group(id, Action::ReadIssues, Ok(question)).await?;
//! let found = Listed::from(&entered.rows)?.finish(&filter, &page, call.is_cut.get())?; // in one project: Listed::in_project(&rows, &place)
//! let items: Vec<MyForm> = found.rows.into_iter().map(..).collect();
//! call.listing(&page, found.total, path, found.cursor, &items)
//! ```
//!
//! The same texts serve a caller without a token. [`statistics`] makes a statement behind the same authorization, whose rows
//! [`Listed::counts`] reads.
//!
//! Of what a list finds by an index (see [`Filter`]) a page reads its own rows, and the total is exact: from counters, or
//! counted up to 10,000, else unknown. Where something else is asked for, too, a page looks at 150 issues and 2.5 for each that
//! it may hold, and ends early with a cursor where too few of them meet the filter; the total is known if the first page is the
//! whole list. A page that is asked for by its number alone passes over what it finds among as many as its number needs.

use super::entity::Issue;
pub use super::filter::Whose;
use super::filter::{Day, Filter, Labels, Milestone, Scope, State};
use super::pages;
use super::question::{END, MOST_COUNTED, MOST_PROJECTS};
use super::sql::IssueRow;
use crate::call::{Call, Links, Resource};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Key, Page, Sort, Total};
use crate::params::Parameters;
use crate::store::{Row, Rows, Statement, Value, sql};
use crate::time;
use std::collections::BTreeSet;

/// Different labels that a list may be asked for: each is looked for by itself.
const MOST_LABELS: usize = 50;

/// Issues that a page looks at beside 2.5 for each that it may hold; few in tests, so that pages end early.
const LOOKED_AT: i64 = if cfg!(test) { 3 } else { 150 };

/// Issues that are sorted by a day.
const MOST_SORTED: i64 = 1000;

/// Parameters of the issue lists.
#[derive(Debug, Parameters, Default)]
#[param(default)]
struct ListIssues {
    state: Option<Kept>,
    labels: Option<BTreeSet<String>>,
    milestone: Option<String>,
    iid: Option<BTreeSet<i64>>,
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum Kept {
    Opened,
    Closed,
    All,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "snake_case")]
enum OrderBy {
    CreatedAt,
    UpdatedAt,
}

/// Filters and page of a list. A filter without a value is none; a list of more than one project passes over numbers.
pub fn read(call: &Call<'_>, whose: Whose) -> Result<(Filter, Page)> {
    let given: ListIssues = call.filters()?;
    let titles = given.labels.filter(|titles| !titles.is_empty());
    if titles.as_ref().is_some_and(|titles| titles.len() > MOST_LABELS) {
        return Err(Error::framework(format!("labels are too many (maximum is {MOST_LABELS})")));
    }
    let mut filter = Filter {
        state: match given.state {
            Some(Kept::Opened) => Some(State::Opened),
            Some(Kept::Closed) => Some(State::Closed),
            Some(Kept::All) | None => None,
        },
        scope: if whose == Whose::Caller { Scope::CreatedByMe } else { Scope::All },
        labels: titles.map(|titles| match whose {
            _ if titles.iter().eq(["No Label"]) => Labels::None,
            Whose::Group => Labels::AllOf(titles),
            Whose::Project | Whose::Caller => Labels::AnyOf(titles),
        }),
        milestone: given.milestone.map(|title| match title.as_str() {
            "No Milestone" => Milestone::None,
            _ => Milestone::Titled(title),
        }),
        iids: given.iid.filter(|numbers| !numbers.is_empty()),
        by_update: given.order_by == Some(OrderBy::UpdatedAt),
        ascending: given.sort == Some(Sort::Asc),
        full: true,
        ..Filter::default()
    };
    if whose != Whose::Project {
        pass_over_numbers(call, &mut filter)?;
    }
    Ok((filter, call.page()?))
}

fn pass_over_numbers(call: &Call<'_>, filter: &mut Filter) -> Result<()> {
    call.params()?.pass_over("iid");
    filter.iids = None;
    Ok(())
}

/// Filters and page of the list of one milestone.
pub fn read_of_milestone(call: &Call<'_>, milestone_id: i64) -> Result<(Filter, Page)> {
    let (mut filter, page) = read(call, Whose::Project)?;
    pass_over_numbers(call, &mut filter)?;
    filter.milestone = Some(Milestone::Own(milestone_id));
    Ok((filter, page))
}

/// One row of a list's answer.
#[derive(Debug, Row)]
enum Part {
    Issue(Box<IssueRow>),
    Total(Length),
}

/// How long a list is.
#[derive(Debug, Row, Default)]
struct Length {
    /// None: it was not counted to the end.
    count: Option<i64>,
    /// How many of these are closed; only where they were counted.
    closed: Option<i64>,
    /// Where the search for the page ended before it was full.
    last: Option<String>,
    /// Whether there is a further page.
    more: bool,
    /// How many rows were read to count.
    counted: u64,
    /// Whether it is of more projects than are read of.
    wide: bool,
    /// Whether there is what it is a list of.
    exists: bool,
}

/// What a list's statement found.
#[derive(Debug, Default)]
pub struct Listed {
    issues: Vec<IssueRow>,
    length: Length,
}

/// A page of a list as its answer shows it.
#[derive(Debug)]
pub struct Found {
    /// In order.
    pub rows: Vec<IssueRow>,
    pub total: Total,
    /// Of the next page.
    pub cursor: Option<String>,
}

/// How many issues there are of a list, each None beyond 10,000 where no counter knows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counts {
    pub all: Option<i64>,
    pub opened: Option<i64>,
    pub closed: Option<i64>,
}

impl Listed {
    pub fn from(rows: &Rows) -> Result<Listed> {
        let mut listed = Listed::default();
        for part in rows.all()? {
            match part {
                Part::Issue(row) => listed.issues.push(*row),
                Part::Total(length) => listed.length = length,
            }
        }
        Ok(listed)
    }

    /// The list of one project: empty where its issues are switched off.
    pub fn in_project(rows: &Rows, resource: &Resource) -> Result<Listed> {
        let mut listed = Listed::from(rows)?;
        if !resource.has_issues() {
            let exists = listed.length.exists;
            listed = Listed {
                issues: Vec::new(),
                length: Length { count: Some(0), closed: Some(0), exists, ..Length::default() },
            };
        }
        Ok(listed)
    }

    /// Whether there is what it is a list of.
    pub fn exists(&self) -> bool {
        self.length.exists
    }

    /// Rows that were read for the total alone.
    pub fn counted(&self) -> u64 {
        self.length.counted
    }

    /// What [`statistics`] found.
    pub fn counts(&self) -> Counts {
        let all = self.length.count;
        let closed = all.and(self.length.closed);
        Counts { all, closed, opened: all.zip(closed).map(|(all, closed)| all - closed) }
    }

    /// The page in order, its total and the cursor behind it. A list of all that somebody sees is refused where that is more
    /// than a thousand projects. `is_cut`: the rows had to end early, so the next page begins behind the last that is left.
    pub fn finish(self, filter: &Filter, page: &Page, is_cut: bool) -> Result<Found> {
        let Length { count, more, last, wide, .. } = self.length;
        if wide {
            return Err(Error::framework(format!(
                "these are the issues of more than {MOST_PROJECTS} projects: ask for those of a project or a group"
            )));
        }
        let way = if filter.ascending { 1 } else { -1 };
        let mut rows = self.issues;
        rows.sort_by_key(|row| position(filter, row).map(|key| way * key));
        // days are sorted among what is looked at, which therefore has no further page
        let last = last.as_deref().filter(|_| !is_cut && filter.by_day.is_none());
        let last = last.and_then(|text| read_position(text, filter.way()));
        let more = more || is_cut || last.is_some();
        let end = last.or_else(|| rows.last().map(|row| position(filter, row)));
        let end = match filter.by_day {
            None => end,
            Some(_) => Some([passed(page).saturating_add(rows.len() as i64), 0]),
        };
        let cursor = end.filter(|_| more).and_then(|end| page.next(end.map(Key::Int)));
        let total = count.map_or(Total::More(more), |count| Total::Both(count, more));
        Ok(Found { rows, total, cursor })
    }

    pub fn reply(
        self,
        call: &Call<'_>,
        filter: &Filter,
        page: &Page,
        path: &[(&str, &str)],
        links: &Links,
    ) -> Result<Reply> {
        call.store.note_counted(self.counted());
        let Found { rows, total, cursor } = self.finish(filter, page, call.is_cut.get())?;
        let issues: Vec<Issue> = rows.into_iter().map(|row| Issue::new(row, links)).collect();
        call.listing(page, total, path, cursor, &issues)
    }
}

/// Where a row stands in the list's order: its time or day, and its id.
fn position(filter: &Filter, row: &IssueRow) -> [i64; 2] {
    let day = |text: &Option<String>| {
        let day = text.as_deref().and_then(time::read);
        // the last in either direction
        day.unwrap_or(if filter.ascending { END } else { -END })
    };
    let at = match filter.by_day {
        Some(Day::Due) => day(&row.due_date),
        Some(Day::MilestoneDue) => {
            day(&row.milestone.as_ref().and_then(|milestone| milestone.due_date.clone()))
        }
        None if filter.by_update => row.updated_at,
        None => row.created_at,
    };
    [at, row.id]
}

/// The time and the id of a position as statements write it. `way`: that of the list.
fn read_position(text: &str, way: i64) -> Option<[i64; 2]> {
    let (at, rest) = text.split_at_checked(17)?;
    let (id, _) = rest.split_at_checked(17)?;
    let number = |text: &str| text.parse::<i64>().ok().map(|number| way * (number - END));
    Some([number(at)?, number(id)?])
}

/// How many issues of a list that is sorted by a day come before a page: its cursor holds that number.
fn passed(page: &Page) -> i64 {
    match page.begin([Key::Int(0), Key::Int(0)]) {
        ([Value::Int(number), _], skipped) => number.max(0).saturating_add(skipped),
        _ => 0,
    }
}

/// A list's statement.
pub fn statement(filter: &Filter, page: &Page, whose: Whose) -> Statement {
    let beginning = filter.beginning();
    let (place, skipped) = match filter.by_day {
        None => page.begin(beginning),
        Some(_) => (beginning.map(Value::from), passed(page)),
    };
    let most = (LOOKED_AT + page.size * 5 / 2 + skipped * 5).min(MOST_COUNTED);
    let most = if filter.by_day.is_some() { MOST_SORTED } else { most };
    let question = filter.question(whose, most, page.is_first(), false);
    let [at, id] = place;
    sql!(text(filter, whose), question.to_string(), at, id, skipped, page.size)
}

/// The statement that counts a list's issues by state, whatever state the filter keeps.
pub fn statistics(filter: &Filter, whose: Whose) -> Statement {
    let filter = Filter { state: None, by_day: None, ..filter.clone() };
    let [at, id] = filter.beginning();
    let question = filter.question(whose, MOST_COUNTED + 1, true, true);
    sql!(text(&filter, whose), question.to_string(), at, id, 0, MOST_COUNTED)
}

fn text(filter: &Filter, whose: Whose) -> &'static str {
    match whose {
        Whose::Project if filter.numbered(whose) => pages::NUMBERED,
        Whose::Project if filter.searched(whose) => pages::SEARCHED_IN_PROJECT,
        Whose::Group if filter.searched(whose) => pages::SEARCHED_IN_GROUP,
        Whose::Caller if filter.searched(whose) => pages::SEARCHED_OF_CALLER,
        Whose::Project => pages::OF_PROJECT,
        Whose::Group => pages::OF_GROUP,
        Whose::Caller => pages::OF_CALLER,
    }
}
