//! Lists of issues (behaviour 6.1 and 13.2). An endpoint gets the page and the total of a [`List`] in one round trip.

#[cfg(test)]
#[path = "../../../../tests/unit/areas/issues/lists/against_oracle/mod.rs"]
mod against_oracle;
mod conditions;
mod days;
pub mod filter;
mod index_ranges;
mod parameters;
mod pieces;
mod query;
mod text;
pub mod v3;
pub mod v4;

use super::IssueRow;
use crate::kernel::paging::{Key, PAGE_BYTES, Total};
use crate::kernel::store::Rows;
use crate::kernel::{Call, Error, Page, Query, Result, Statement};
use filter::{Filter, Milestone};
pub use pieces::ListPlace;
use pieces::{Count, IssueListRow, Width};
use query::passed;
use std::collections::BTreeSet;
use text::MOST_PROJECTS;

const MOST_LABELS_OF_FILTER: usize = 50;

fn check_number(labels: &BTreeSet<String>) -> Result<()> {
    let too_many = || Error::framework(format!("labels are too many (maximum is {MOST_LABELS_OF_FILTER})"));
    if labels.len() > MOST_LABELS_OF_FILTER { Err(too_many()) } else { Ok(()) }
}

#[derive(Debug)]
pub struct List {
    pub filter: Filter,
    pub page: Page,
    pub whose: ListPlace,
}

impl Count {
    fn read(call: &Call<'_>, rows: &Rows) -> Result<Count> {
        let count: Count = rows.first()?.unwrap_or(Count { total: Some(0), closed: None, looked: 0 });
        call.store.note_counted(count.looked.unsigned_abs());
        Ok(count)
    }
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
pub struct IssuePage {
    pub rows: Vec<IssueRow>,
    pub total: Total,
    pub cursor: Option<String>,
}

/// The statements of the page and, if the list needs them, of the milestone, the width and the total.
type ListQuery = (Statement, Option<Statement>, Option<Statement>, Option<Statement>);

impl List {
    fn new(filter: Filter, page: Page, whose: ListPlace) -> List {
        let page = filter.within_reach(page, whose);
        List { filter, page, whose }
    }

    fn query(&self) -> ListQuery {
        let own = match self.filter.milestone {
            Some(Milestone::Own(milestone_id)) => Some(query::totals::milestone { milestone_id }.into()),
            _ => None,
        };
        let width = self.filter.width(self.whose);
        let page = self.filter.page(&self.page, self.whose, false);
        (page, own, width, self.filter.total(self.whose))
    }

    /// `is_sorted`: the statement sorts the whole list. Returns None if there is too much to sort.
    fn read(&self, rows: &Rows, is_sorted: bool) -> Result<Option<IssuePage>> {
        let mut rows: Vec<IssueListRow> = rows.all()?;
        if is_sorted && rows.first().is_some_and(|row| row.ends) {
            return Ok(None);
        }
        let is_cut = rows.len() > 1 && rows.pop_if(|row| row.until > PAGE_BYTES).is_some();
        let end = rows.last().filter(|row| row.ends || is_cut).map(|row| self.position(&row.issue));
        let mut rows: Vec<IssueRow> = rows.into_iter().filter(|row| row.fits).map(|row| row.issue).collect();
        let more = self.page.has_more(&mut rows);
        let end = if more { rows.last().map(|row| self.position(row)) } else { end };
        let cursor = end.and_then(|end| self.cursor(end, rows.len()));
        Ok(Some(IssuePage { rows, total: Total::More(end.is_some()), cursor }))
    }

    fn position(&self, row: &IssueRow) -> [i64; 2] {
        [if self.filter.by_update { row.updated_at } else { row.created_at }, row.id]
    }

    /// The cursor after a page of so many issues that ends at `position`.
    fn cursor(&self, position: [i64; 2], issues: usize) -> Option<String> {
        let end = match self.filter.by_field {
            Some(_) => [passed(&self.page) + issues as i64, 0],
            None => position,
        };
        self.page.next(&end.map(Key::Int))
    }

    /// Ends the page after `keep` issues. The others are on the next page.
    fn cut(&self, found: &mut IssuePage, keep: usize) {
        if found.rows.len() <= keep {
            return;
        }
        found.rows.truncate(keep);
        found.cursor = found.rows.last().and_then(|row| self.cursor(self.position(row), keep));
        found.total = found.total.with_more(true);
    }

    async fn find(
        &self,
        call: &Call<'_>,
        (page, milestone, width, total): <ListQuery as Query>::Answer,
    ) -> Result<IssuePage> {
        if milestone.is_some_and(|milestone| milestone.is_empty()) {
            return Err(Error::no_record());
        }
        width.as_ref().map_or(Ok(()), check_width)?;
        let mut found = match self.read(&page, self.filter.is_sorted(self.whose))? {
            Some(found) => found,
            None => {
                let again = self.filter.page(&self.page, self.whose, true);
                let (_, rows) = call.authorize(again).await?;
                self.read(&rows, false)?
                    .ok_or_else(|| Error::Internal("a merged list returned too much to sort".to_owned()))?
            }
        };
        let count = total.map(|rows| Count::read(call, &rows)).transpose()?;
        let most = self.filter.most_by_field(self.whose);
        let is_whole = |total: &i64| self.filter.by_field.is_none() || *total <= most;
        if let Some(total) = count.and_then(|count| count.total).filter(is_whole) {
            found.total = Total::Both(total, found.total.has_more());
        }
        Ok(found)
    }
}
