//! Lists of issues (behaviour 6.1 and 13.2): what v3 and v4 share.
//!
//! An endpoint reads its parameters into a [`Filter`] and asks for the page and the total of a [`List`] in one round trip.

#[cfg(test)]
#[path = "../../../tests/unit/issues/lists/against_oracle/mod.rs"]
mod against_oracle;
mod days;
pub mod filter;
mod parameters;
mod query;
mod ranges;
mod statements;
pub mod v3;
pub mod v4;

use super::IssueRow;
use crate::call::{Call, Entry};
use crate::error::{Error, Result};
use crate::page::{Key, Page, Total};
use crate::params::Parameters;
use crate::store::{Row, Rows, Statement};
use filter::{Filter, Milestone, State};
use query::{MOST_PROJECTS, passed};
pub use statements::Whose;
use std::collections::BTreeSet;

/// Different labels that a list may be asked for.
const MOST_LABELS: usize = 50;

fn check_number(labels: &BTreeSet<String>) -> Result<()> {
    let too_many = || Error::framework(format!("labels are too many (maximum is {MOST_LABELS})"));
    if labels.len() > MOST_LABELS { Err(too_many()) } else { Ok(()) }
}

/// The parameter `state`.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum Kept {
    Opened,
    Closed,
    All,
}

impl Kept {
    fn state(self) -> Option<State> {
        match self {
            Kept::Opened => Some(State::Opened),
            Kept::Closed => Some(State::Closed),
            Kept::All => None,
        }
    }
}

#[derive(Debug)]
pub struct List {
    pub filter: Filter,
    pub page: Page,
    pub whose: Whose,
}

/// A page has no more bytes, but for one issue that is longer.
const MOST_BYTES: i64 = 4_000_000;

#[derive(Debug, Row)]
struct Listed {
    #[row(flatten)]
    issue: IssueRow,
    /// Whether the issue is in the list. The last one that was looked at is there even if it is not.
    fits: bool,
    /// Whether the look ended here, and there may be more behind it; or whether there is too much to sort.
    ends: bool,
    /// The bytes of the page up to the end of this one.
    until: i64,
}

#[derive(Debug, Row)]
struct Count {
    /// None: there are more than are counted.
    total: Option<i64>,
    #[row(default)]
    closed: Option<i64>,
    looked: i64,
}

impl Count {
    /// No row: the list is empty.
    fn read(call: &Call<'_>, rows: &Rows) -> Result<Count> {
        let count: Count = rows.first()?.unwrap_or(Count { total: Some(0), closed: None, looked: 0 });
        call.store.note_counted(count.looked.unsigned_abs());
        Ok(count)
    }
}

#[derive(Debug, Row)]
struct Width {
    is_wide: bool,
}

fn check_width(rows: &Rows) -> Result<()> {
    if rows.first::<Width>()?.is_some_and(|width| width.is_wide) {
        return Err(Error::framework(format!(
            "these are the issues of more than {MOST_PROJECTS} projects: ask for those of one"
        )));
    }
    Ok(())
}

#[derive(Debug)]
pub struct Found {
    pub rows: Vec<IssueRow>,
    pub total: Total,
    /// Of the next page.
    pub cursor: Option<String>,
}

impl List {
    /// The page, the total where the list has one, and whether the list may be read at all.
    fn statements(&self) -> Vec<Statement> {
        let own = match self.filter.milestone {
            Some(Milestone::Own(milestone_id)) => Some(query::totals::milestone { milestone_id }.into()),
            _ => None,
        };
        let width = self.filter.width(self.whose);
        let page = self.filter.page(&self.page, self.whose, false);
        [page].into_iter().chain(own).chain(width).chain(self.filter.total(self.whose)).collect()
    }

    /// The page in order. `is_sorted`: by a statement that sorts all. None: there is too much to sort.
    fn read(&self, rows: &Rows, is_sorted: bool) -> Result<Option<Found>> {
        let mut rows: Vec<Listed> = rows.all()?;
        if is_sorted && rows.first().is_some_and(|row| row.ends) {
            return Ok(None);
        }
        let is_cut = rows.len() > 1 && rows.pop_if(|row| row.until > MOST_BYTES).is_some();
        let by_update = self.filter.by_update;
        let position = |row: &IssueRow| [if by_update { row.updated_at } else { row.created_at }, row.id];
        let end = rows.last().filter(|row| row.ends || is_cut).map(|row| position(&row.issue));
        let mut rows: Vec<IssueRow> = rows.into_iter().filter(|row| row.fits).map(|row| row.issue).collect();
        let more = self.page.has_more(&mut rows);
        let end = if more { rows.last().map(position) } else { end };
        let end = match self.filter.by_day {
            Some(_) => end.map(|_| [passed(&self.page) + rows.len() as i64, 0]),
            None => end,
        };
        let cursor = end.and_then(|end| self.page.next(end.map(Key::Int)));
        Ok(Some(Found { rows, total: Total::More(end.is_some()), cursor }))
    }

    pub async fn find(&self, call: &Call<'_>, entry: &Entry) -> Result<Found> {
        let mut more = entry.more.iter();
        if matches!(self.filter.milestone, Some(Milestone::Own(_))) && more.next().is_none_or(Rows::is_empty)
        {
            return Err(Error::no_record());
        }
        if self.whose != Whose::Project {
            more.next().map_or(Ok(()), check_width)?;
        }
        let mut found = match self.read(&entry.rows, self.filter.is_sorted(self.whose))? {
            Some(found) => found,
            None => {
                let again = self.filter.page(&self.page, self.whose, true);
                let rows = call.authorize(again).await?.rows;
                self.read(&rows, false)?.ok_or_else(|| Error::Internal("too much to sort".to_owned()))?
            }
        };
        let count = more.next().map(|rows| Count::read(call, rows)).transpose()?;
        if let Some(total) = count.and_then(|count| count.total) {
            found.total = Total::Both(total, found.total.has_more());
        }
        Ok(found)
    }
}
