//! Lists with filters that no index answers. A page looks at no more than so many rows in the order of the list; where it is
//! not full by then, it ends early, and its `next` goes on behind the last row that was looked at (behaviour 13.4).

use crate::call::Call;
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::page::{Key, Page, Total};
use crate::store::{Column, Members, Row, Rows, Tree, Wrong};
use crate::time;
use serde::Serialize;

/// Rows that a page looks at that is asked for by its number alone: what it passes over is found among them.
const MOST: i64 = 10_000;

/// Rows that a page looks at beside those that it may hold, where some of them may not be on it: so many that a search finds
/// what there is on all but the largest servers, whose clients follow `next`.
const BESIDE: i64 = 1000;

/// How many rows to look at. `is_filtered`: some of them may not be on the page.
pub fn steps(page: &Page, offset: i64, is_filtered: bool) -> i64 {
    let reached = offset + page.size + 1;
    match (is_filtered, offset) {
        (false, _) => reached,
        (true, 0) => reached + BESIDE,
        (true, _) => reached.max(MOST),
    }
}

/// A row of a list that looks at a bounded number of rows: its own columns, and two more, which a list without filters may
/// leave out.
struct Looked<T> {
    row: T,
    /// `fits`: whether the row is on the page. The row at which the look ended is there even if it is not.
    fits: bool,
    /// `ends`: whether the look ended at this row, and there may be more behind it.
    ends: bool,
}

impl<T: Row> Column for Looked<T> {
    fn read(from: Tree<'_>, wrong: &Wrong) -> Looked<T> {
        let mut from = Members::of(from, wrong);
        let row = T::read_members(&mut from);
        let fits = !from.has("fits") || from.optional("fits");
        Looked { row, fits, ends: from.optional("ends") }
    }
}

/// How long a list is, if that is known, and how many rows were read to count it.
#[derive(Debug, Row)]
struct Count {
    total: Option<i64>,
    counted: i64,
}

/// Reads a page of plain rows, some of which may have the columns `fits` and `ends`. `key`: where a row stands in the order
/// of the list.
pub fn page<T: Row, const N: usize>(
    rows: &Rows,
    page: &Page,
    key: impl Fn(&T) -> [Key; N],
) -> Result<Walked<T>> {
    let (mut listed, mut end) = (Vec::new(), None);
    for Looked { row, fits, ends } in rows.all()? {
        if ends {
            end = Some(key(&row));
        }
        if fits {
            listed.push(row);
        }
    }
    let (total, cursor) = cut(page, &mut listed, end, key);
    Ok(Walked { rows: listed, total, cursor, counted: 0 })
}

pub struct Walked<T> {
    rows: Vec<T>,
    total: Total,
    /// Of the next page.
    cursor: Option<String>,
    counted: u64,
}

impl<T> Walked<T> {
    /// With the total that a statement of its own counted: one row with the columns `total` and `counted`, or none.
    pub fn with_total(self, rows: &Rows) -> Result<Walked<T>> {
        let Some(Count { total, counted }) = rows.first()? else { return Ok(self) };
        let total = total.map_or(self.total, |count| Total::Both(count, self.total.has_more()));
        Ok(Walked { total, counted: counted.unsigned_abs(), ..self })
    }

    /// [`Walked::reply`] whose links repeat these values of the path.
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

    /// The page as the reply, each row in the form that `shown` gives it.
    pub fn reply<S: Serialize>(
        self,
        call: &Call<'_>,
        page: &Page,
        shown: impl FnMut(T) -> S,
    ) -> Result<Reply> {
        call.store.note_counted(self.counted);
        let items: Vec<S> = self.rows.into_iter().map(shown).collect();
        call.listing(page, self.total, &[], self.cursor, &items)
    }
}

/// Takes off the row beyond the page; how long the list is and where the next page begins. `key`: where a row stands.
/// `end`: where the walk ended, if there is more behind it.
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

/// A time that a filter names, in milliseconds since 1970. A `+` that came unencoded is a blank.
pub fn instant(name: &str, text: Option<&str>) -> Result<Option<i64>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let mended = || text.rsplit_once(' ').and_then(|(time, zone)| time::read(&format!("{time}+{zone}")));
    time::read(text).or_else(mended).map(Some).ok_or_else(|| Error::invalid(name))
}
