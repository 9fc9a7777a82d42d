//! The page of a list that a `.sql` file declares (`-- list:`, `src/kernel/sql.rs`), as it was read, and its answer.

mod query;

use crate::kernel::call::Call;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::paging::{Key, Page, Total};
use crate::kernel::store::{Answers, Column, Failure, Members, Row, Tree, WrongColumns};
pub use query::{Bind, ListQuery, MOST_LOOKED_AT, RowCount, SentList, TotalOf};
use serde::Serialize;

/// The answer of a statement that counts a list. `total` is null if it is unknown. `counted`: rows read for it.
#[derive(Debug, Default, Clone, Copy, Row)]
pub struct ListTotal {
    pub total: Option<i64>,
    pub counted: i64,
}

impl ListTotal {
    /// A number that cost no rows.
    pub fn of(total: i64) -> ListTotal {
        ListTotal { total: Some(total), counted: 0 }
    }
}

/// A row of a list.
pub struct ListRow<T> {
    pub row: T,
    /// The column `listed`: whether the row is on the page, whether the page ends after it, and its keys. A statement that
    /// returns the total has it in place of the first 1.
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

/// What the column `listed` of all rows says of a page. It is no part of [`Listed`], so that the wasm has it once and not
/// for each type of rows.
struct Marks {
    /// Whether each row is on the page.
    fit: Vec<bool>,
    /// Of the rows on the page.
    keys: Vec<Vec<Key>>,
    has_more: bool,
    cursor: Option<String>,
    total: Option<i64>,
}

impl Marks {
    fn of(listed: &[Vec<Key>], page: &Page) -> Marks {
        let size = usize::try_from(page.most()).unwrap_or(usize::MAX);
        let (mut fit, mut of_rows, mut end, mut has_more, mut total) = (Vec::new(), Vec::new(), None, false, None);
        for listed in listed {
            let [fits, ends, keys @ ..] = listed.as_slice() else {
                fit.push(false);
                continue;
            };
            if *ends == Key::Int(1) {
                end = Some(keys.to_vec());
            }
            let of_match = if let Key::Int(number @ 1..) = fits { Some(*number) } else { None };
            total = total.or(of_match);
            let (is_match, has_room) = (of_match.is_some(), of_rows.len() < size);
            fit.push(is_match && has_room);
            match (is_match, has_room) {
                (true, true) => of_rows.push(keys.to_vec()),
                (true, false) => has_more = true,
                (false, _) => {}
            }
        }
        let last = if has_more { of_rows.last() } else { end.as_ref() };
        let cursor = last.and_then(|keys| page.next(keys));
        Marks { fit, keys: of_rows, has_more: has_more || end.is_some(), cursor, total }
    }
}

/// A page of a list as it was read.
pub struct Listed<T> {
    page: Page,
    pub rows: Vec<T>,
    /// The keys of each row.
    keys: Vec<Vec<Key>>,
    /// None if the statement that counts has no row.
    pub count: Option<ListTotal>,
    pub has_more: bool,
    pub cursor: Option<String>,
    /// Of a page with rows, if its statement returns the total.
    pub total: Option<i64>,
    /// Why it may lack rows.
    part: Option<&'static str>,
}

impl<T: Row> Listed<T> {
    pub fn read((page, is_counted): SentList, answers: &mut Answers) -> std::result::Result<Listed<T>, Failure> {
        let rows = answers.next_rows().all()?;
        let count = if is_counted { answers.next_rows().first()? } else { None };
        Ok(Listed { count, ..Listed::of(rows, page) })
    }
}

impl<T> Listed<T> {
    pub fn of(listed: Vec<ListRow<T>>, page: Page) -> Listed<T> {
        let (mut rows, mut marks) = (Vec::with_capacity(listed.len()), Vec::with_capacity(listed.len()));
        for ListRow { row, listed } in listed {
            rows.push(row);
            marks.push(listed);
        }
        let Marks { fit, keys, has_more, cursor, total } = Marks::of(&marks, &page);
        let mut fit = fit.into_iter();
        rows.retain(|_| fit.next() == Some(true));
        Listed { page, rows, keys, count: None, has_more, cursor, total, part: None }
    }

    /// A page, by its number, of a list that is known whole.
    pub fn whole(rows: Vec<T>, page: Page) -> Listed<T> {
        let number = |count: i64| usize::try_from(count).unwrap_or(usize::MAX);
        let (skip, size) = (number(page.offset()), number(page.size));
        let has_more = rows.len() > skip.saturating_add(size);
        let count = page.is_counted().then(|| ListTotal::of(rows.len() as i64));
        Listed {
            rows: rows.into_iter().skip(skip).take(size).collect(),
            count,
            has_more,
            ..Listed::of(Vec::new(), page)
        }
    }

    /// Without a query the list is empty.
    pub fn or_empty(listed: Option<Listed<T>>, page: Page) -> Listed<T> {
        listed.unwrap_or_else(|| Listed::whole(Vec::new(), page))
    }

    /// The error if the statement that counts has no row.
    pub fn or_missing(self, error: impl FnOnce() -> Error) -> Result<Listed<T>> {
        if self.count.is_none() && self.page.is_counted() { Err(error()) } else { Ok(self) }
    }

    /// Ends the page after `most` of its rows, at least one.
    pub fn cut(&mut self, most: usize) {
        let end = most.checked_sub(1).and_then(|last| self.keys.get(last));
        if let Some(end) = end.filter(|_| most < self.rows.len()) {
            self.cursor = self.page.next(end);
            self.has_more = true;
            self.rows.truncate(most);
        }
    }

    /// `why`: the list may lack rows, so it has no total, and `X-Hint` states this.
    pub fn of_part(self, why: Option<&'static str>) -> Listed<T> {
        Listed { part: why, ..self }
    }

    pub fn with_count(self, count: Option<ListTotal>) -> Listed<T> {
        Listed { count, ..self }
    }

    /// `path`: as in [`Call::listing`].
    pub fn reply_at<S: Serialize>(
        self,
        call: &Call<'_>,
        path: &[(&str, &str)],
        shown: impl FnMut(T) -> S,
    ) -> Result<Reply> {
        let Listed { page, rows, count, has_more, cursor, part, .. } = self;
        let counted = count.as_ref().map_or(0, |count| count.counted.unsigned_abs());
        call.store.note_counted(counted);
        let total = count.and_then(|count| count.total);
        let total = match total {
            _ if part.is_some() => Total::Hidden(has_more),
            Some(total) => Total::Both(total, has_more),
            None => Total::More(has_more),
        };
        let items: Vec<S> = rows.into_iter().map(shown).collect();
        if page.is_whole() && !has_more {
            return Ok(Reply::json(200, &items));
        }
        let reply = call.listing(&page, total, path, cursor, &items)?;
        Ok(if let Some(why) = part { reply.with("X-Hint", why) } else { reply })
    }

    pub fn reply<S: Serialize>(self, call: &Call<'_>, shown: impl FnMut(T) -> S) -> Result<Reply> {
        self.reply_at(call, &[], shown)
    }

    pub fn map(self, change: impl FnMut(T) -> T) -> Listed<T> {
        Listed { rows: self.rows.into_iter().map(change).collect(), ..self }
    }
}
