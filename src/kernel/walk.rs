//! Lists with filters that no index answers. A page reads a limited number of rows. If it is not full by
//! then, it ends early, and its `next` continues after the last row that was read (behaviour 13.4).

use crate::kernel::call::Call;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::paging::{Key, Page, Total};
use crate::kernel::store::{Answers, Column, Failure, Members, Row, Scope, Statement, Tree, Value, WrongColumns};
use serde::Serialize;
use std::borrow::Cow;

/// Rows that a filtered page reads if it has no cursor, including the rows that it skips. The first page reads as many,
/// so that the pages by their numbers have all matches among these rows.
pub const MOST: i64 = 10_000;

/// Rows that a filtered page reads beyond its size if it has a cursor, and a total.
const BESIDE: i64 = 1000;

/// How many rows to look at, at most `most` for the first page. `is_filtered`: rows may be left out of the page.
fn steps(page: &Page, offset: i64, is_filtered: bool, most: i64) -> i64 {
    let reached = offset + page.most() + 1;
    let looked = match is_filtered {
        false => reached,
        true if page.counts() => Page::to_count().size + 1 + BESIDE,
        true if page.follows() => reached + BESIDE,
        true => most,
    };
    looked.min(most).max(reached)
}

/// `total` is null if it is unknown. `counted`: rows read for it.
#[derive(Debug, Row)]
pub struct WalkTotal {
    pub total: Option<i64>,
    counted: i64,
}

impl WalkTotal {
    /// Of a list that was read whole.
    pub fn of<T>(rows: &[T]) -> WalkTotal {
        WalkTotal { total: i64::try_from(rows.len()).ok(), counted: 0 }
    }
}

/// A value that a list's statement takes.
#[derive(Debug, Clone, Copy)]
pub enum Bind {
    /// One of the caller's, by its place.
    Own(usize),
    /// One of the keys behind which the page begins.
    After(usize),
    /// The least value of the first key that a row behind the page before has.
    From,
    /// The greatest.
    To,
    /// The most rows of the page, with one of the next.
    Most,
    /// The rows of the pages before.
    Skip,
    /// The most rows that are looked at ([`steps`]).
    Looks,
}

/// What counts the rows of a list.
pub enum TotalOf {
    /// The list's own rows.
    Rows(RowCount),
    /// A statement of its own, which knows the number otherwise.
    Statement(Statement),
    Nothing,
}

/// The statement that counts the rows of a list.
pub struct RowCount {
    pub name: &'static str,
    pub sql: Cow<'static, str>,
    pub binds: &'static [Bind],
    pub order: ListOrder,
    /// The most rows that it counts.
    pub most: i64,
}

/// For each key whether it is a text, and whether they ascend.
pub type ListOrder = (&'static [bool], bool);

/// A list of a `.sql` file, for one page.
pub struct ListQuery {
    pub name: &'static str,
    pub scope: Scope,
    pub page: Page,
    pub order: ListOrder,
    /// The most rows that a filtered page without a cursor looks at.
    pub looks: i64,
    /// The places of the values that are null if the list is not filtered.
    pub filters: &'static [usize],
    pub values: Vec<Value>,
    pub sql: Cow<'static, str>,
    pub binds: &'static [Bind],
    pub total: TotalOf,
}

/// What reads the answer: the page, and whether the total was asked for.
pub type ListShape = (Page, bool);

impl ListQuery {
    pub fn add_to(self, batch: &mut Vec<Statement>) -> ListShape {
        let total = match &self.total {
            _ if !self.page.is_counted() => None,
            TotalOf::Nothing => None,
            TotalOf::Statement(statement) => Some(statement.clone()),
            TotalOf::Rows(RowCount { name, sql, binds, order, most }) => {
                let binds = self.values_of(binds, *order, &Page::to_count_up_to(*most));
                Some(self.statement(name, sql.clone(), binds))
            }
        };
        let is_counted = total.is_some();
        let binds = self.values_of(self.binds, self.order, &self.page);
        batch.push(self.statement(self.name, self.sql.clone(), binds));
        batch.extend(total);
        (self.page, is_counted)
    }

    fn statement(&self, name: &'static str, sql: Cow<'static, str>, binds: Vec<Value>) -> Statement {
        Statement { sql, binds, name, scope: self.scope, writes_events: false }
    }

    fn values_of(&self, binds: &[Bind], (keys, ascending): ListOrder, page: &Page) -> Vec<Value> {
        let (after, skip) = page.starts(keys, ascending);
        let [lowest, highest] = [true, false].map(|ascending| Page::beginning(keys, ascending));
        let first = |keys: &[Key]| keys.first().cloned().map(Value::from);
        let is_filtered = self.filters.iter().any(|at| self.values.get(*at).is_some_and(|value| *value != Value::Null));
        let value = |bind: &Bind| match *bind {
            Bind::Own(at) => self.values.get(at).cloned(),
            Bind::After(at) => after.get(at).cloned().map(Value::from),
            Bind::From => first(if ascending { &after } else { &lowest }),
            Bind::To => first(if ascending { &highest } else { &after }),
            Bind::Most => Some((page.most() + 1).into()),
            Bind::Skip => Some(skip.into()),
            Bind::Looks => Some(steps(page, skip, is_filtered, self.looks).into()),
        };
        binds.iter().map(|bind| value(bind).unwrap_or(Value::Null)).collect()
    }
}

/// A row of a list.
pub struct ListRow<T> {
    row: T,
    /// The column `listed`: whether the row is on the page, whether the page ends after it, and its keys.
    listed: Vec<Key>,
}

impl<T: Row> Column for ListRow<T> {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> ListRow<T> {
        let mut from = Members::of(from, wrong);
        let row = T::read_members(&mut from);
        ListRow { row, listed: from.column("listed") }
    }

    fn crossing() -> Vec<&'static str> {
        let Some(mut columns) = T::columns() else { return Vec::new() };
        columns.push("[listed]");
        columns
    }
}

/// A page of a list as it was read.
pub struct Listed<T> {
    page: Page,
    pub rows: Vec<T>,
    /// None if the statement that counts has no row.
    count: Option<WalkTotal>,
    has_more: bool,
    cursor: Option<String>,
}

impl<T: Row> Listed<T> {
    pub fn read((page, is_counted): ListShape, answers: &mut Answers) -> std::result::Result<Listed<T>, Failure> {
        let rows = answers.next_rows().all()?;
        let count = if is_counted { answers.next_rows().first()? } else { None };
        Ok(Listed { count, ..Listed::of(rows, page) })
    }
}

impl<T> Listed<T> {
    pub fn of(listed: Vec<ListRow<T>>, page: Page) -> Listed<T> {
        let (mut rows, mut end, mut last) = (Vec::new(), None, None);
        let size = usize::try_from(page.most()).unwrap_or(usize::MAX);
        let mut has_more = false;
        for ListRow { row, listed } in listed {
            let [fits, ends, keys @ ..] = listed.as_slice() else { continue };
            if *ends == Key::Int(1) {
                end = Some(keys.to_vec());
            }
            if *fits == Key::Int(1) && rows.len() < size {
                last = Some(keys.to_vec());
                rows.push(row);
            } else if *fits == Key::Int(1) {
                has_more = true;
            }
        }
        let cursor = if has_more { last } else { end.clone() };
        let has_more = has_more || end.is_some();
        let cursor = cursor.and_then(|keys| page.next_after(&keys));
        Listed { page, rows, count: None, has_more, cursor }
    }

    /// Of a list that was read whole and fits on its first page.
    pub fn whole(rows: Vec<T>, page: Page) -> Listed<T> {
        let total = page.is_counted().then(|| WalkTotal::of(&rows));
        let rows = if page.is_first() { rows } else { Vec::new() };
        Listed { rows, count: total, has_more: false, cursor: None, page }
    }

    /// Without a query the list is empty.
    pub fn or_empty(listed: Option<Listed<T>>, page: Page) -> Listed<T> {
        listed.unwrap_or_else(|| Listed::of(Vec::new(), page))
    }

    /// The error if the statement that counts has no row.
    pub fn or_missing(self, error: impl FnOnce() -> Error) -> Result<Listed<T>> {
        if self.count.is_none() && self.page.is_counted() { Err(error()) } else { Ok(self) }
    }

    pub fn with_count(self, count: Option<WalkTotal>) -> Listed<T> {
        Listed { count, ..self }
    }

    /// `path`: as in [`Call::listing`].
    pub fn reply_at<S: Serialize>(
        self,
        call: &Call<'_>,
        path: &[(&str, &str)],
        shown: impl FnMut(T) -> S,
    ) -> Result<Reply> {
        let Listed { page, rows, count, has_more, cursor } = self;
        let counted = count.as_ref().map_or(0, |count| count.counted.unsigned_abs());
        call.store.note_counted(counted);
        let total = count.and_then(|count| count.total);
        let total = total.map_or(Total::More(has_more), |total| Total::Both(total, has_more));
        let items: Vec<S> = rows.into_iter().map(shown).collect();
        if page.is_whole() && !has_more {
            return Ok(Reply::json(200, &items));
        }
        call.listing(&page, total, path, cursor, &items)
    }

    pub fn reply<S: Serialize>(self, call: &Call<'_>, shown: impl FnMut(T) -> S) -> Result<Reply> {
        self.reply_at(call, &[], shown)
    }

    pub fn map(self, change: impl FnMut(T) -> T) -> Listed<T> {
        Listed { rows: self.rows.into_iter().map(change).collect(), ..self }
    }
}
