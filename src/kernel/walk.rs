//! Lists with filters that no index answers. A page reads a limited number of rows. If it is not full by
//! then, it ends early, and its `next` continues after the last row that was read (behaviour 13.4).

use crate::kernel::call::Call;
use crate::kernel::error::{Error, Result};
use crate::kernel::http::Reply;
use crate::kernel::paging::{Key, Page, Total};
use crate::kernel::sql::{of_columns, pieces};
use crate::kernel::store::{Column, Members, PreparedQuery, Query, Row, Tree, WrongColumns};
use crate::kernel::time;
use serde::Serialize;

/// Rows that a filtered page reads if it has no cursor, including the rows that it skips. The first page reads as many,
/// so that the pages by their numbers have all matches among these rows.
const MOST: i64 = 10_000;

/// Rows that a filtered page reads beyond its size if it has a cursor, and a total.
const BESIDE: i64 = 1000;

/// How many rows to read. `is_filtered`: rows may be left out of the page.
pub fn steps(page: &Page, offset: i64, is_filtered: bool) -> i64 {
    let reached = offset + page.size + 1;
    match is_filtered {
        false => reached,
        true if page.follows() || page.counts() => reached + BESIDE,
        true => reached.max(MOST),
    }
}

/// A row with two more columns, which lists without filters leave out.
pub struct WalkRow<T> {
    pub row: T,
    /// Whether the row is on the page. Default: true.
    fits: bool,
    /// Whether the page ends early after this row. Such a row is returned even if it does not fit.
    ends: bool,
}

impl<T: Row> Column for WalkRow<T> {
    fn read(from: Tree<'_>, wrong: &WrongColumns) -> WalkRow<T> {
        let mut from = Members::of(from, wrong);
        let row = T::read_members(&mut from);
        let ends = from.optional("ends");
        let fits = !from.has("fits") || from.optional("fits");
        WalkRow { row, fits, ends }
    }

    fn columns(text: &str) -> Vec<&'static str> {
        let Some(mut columns) = T::columns() else { return Vec::new() };
        columns.extend(text.contains("ends").then_some("[ends]"));
        columns.extend(text.contains("fits").then_some("[fits]"));
        columns
    }
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

/// The rows of a page and the total.
pub type CountedRows<T> = (Vec<WalkRow<T>>, Option<WalkTotal>);

/// The same for a list that may be read without its total: then the outer option is None.
pub type ListAnswer<T> = (Vec<WalkRow<T>>, Option<Option<WalkTotal>>);

/// The rows of a page, and the total of its list. `list` makes the statement of any page.
pub fn counted<T: 'static>(
    page: &Page,
    list: impl Fn(&Page) -> PreparedQuery<Vec<WalkRow<T>>>,
) -> PreparedQuery<CountedRows<T>> {
    (list(page), count(list(&Page::to_count()))).prepare()
}

/// The total of a list, for its page [`Page::to_count`].
pub fn count<T>(list: PreparedQuery<Vec<WalkRow<T>>>) -> PreparedQuery<Option<WalkTotal>> {
    let counting = |text: &str| {
        let text = of_columns(text);
        let begin = if text.contains(" as fits") { pieces::number_that_fits } else { pieces::number_of };
        begin.around(text)
    };
    list.rewritten(counting, |answers| answers.next_rows().first())
}

/// The rows of a page. `key`: the sort key of a row.
pub fn page<T, const N: usize>(rows: Vec<WalkRow<T>>, page: &Page, key: impl Fn(&T) -> [Key; N]) -> WalkPage<T> {
    let (mut listed, mut end) = (Vec::new(), None);
    for WalkRow { row, fits, ends } in rows {
        if ends {
            end = Some(key(&row));
        }
        if fits {
            listed.push(row);
        }
    }
    let (total, cursor) = cut(page, &mut listed, end, key);
    WalkPage { rows: listed, total, cursor, counted: 0 }
}

pub struct WalkPage<T> {
    rows: Vec<T>,
    total: Total,
    cursor: Option<String>,
    /// Rows that were read for the total.
    counted: u64,
}

impl<T> WalkPage<T> {
    pub fn map(self, change: impl FnMut(T) -> T) -> WalkPage<T> {
        WalkPage { rows: self.rows.into_iter().map(change).collect(), ..self }
    }

    /// Adds the total from a statement of its own.
    pub fn with_count(self, count: Option<WalkTotal>) -> WalkPage<T> {
        let Some(WalkTotal { total, counted }) = count else { return self };
        let total = total.map_or(self.total, |count| Total::Both(count, self.total.has_more()));
        WalkPage { total, counted: counted.unsigned_abs(), ..self }
    }

    pub fn reply_at<S: Serialize>(
        self,
        call: &Call<'_>,
        page: &Page,
        path: &[(&str, &str)],
        shown: impl FnMut(T) -> S,
    ) -> Result<Reply> {
        call.store.note_counted(self.counted);
        let items: Vec<S> = self.rows.into_iter().map(shown).collect();
        call.listing(page, self.total, path, self.cursor, &items)
    }

    pub fn reply<S: Serialize>(self, call: &Call<'_>, page: &Page, shown: impl FnMut(T) -> S) -> Result<Reply> {
        self.reply_at(call, page, &[], shown)
    }
}

/// Removes the row beyond the page. Returns whether there is a next page, and its cursor. `end`: the sort key after
/// which the page ended early.
pub fn cut<T, const N: usize>(
    page: &Page,
    rows: &mut Vec<T>,
    end: Option<[Key; N]>,
    key: impl Fn(&T) -> [Key; N],
) -> (Total, Option<String>) {
    if page.has_more(rows) {
        return (Total::More(true), rows.last().and_then(|row| page.next(key(row))));
    }
    match end {
        Some(end) => (Total::More(true), page.next(end)),
        None => (Total::More(false), None),
    }
}

/// Reads a time in milliseconds since 1970. A `+` that was not encoded arrives as a blank.
pub fn instant(name: &str, text: Option<&str>) -> Result<Option<i64>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let with_plus = || text.rsplit_once(' ').and_then(|(time, zone)| time::read(&format!("{time}+{zone}")));
    time::read(text).or_else(with_plus).map(Some).ok_or_else(|| Error::invalid(name))
}
