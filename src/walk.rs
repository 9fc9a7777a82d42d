//! Lists with filters that no index answers. A page looks at no more than so many rows in the order of the list; where it is
//! not full by then, it ends early, and its `next` goes on behind the last row that was looked at (behaviour 13.4).

use crate::error::{Error, Result};
use crate::page::{Key, Page, Total};
use crate::time;

/// Rows that a page with such filters looks at, of each range that they come from.
const MOST: i64 = 500;

/// How many rows to look at. `is_filtered`: whether some of them may not be on the page.
pub fn steps(page: &Page, offset: i64, is_filtered: bool) -> i64 {
    let reached = offset + page.size + 1;
    if is_filtered { reached.max(MOST) } else { reached }
}

/// Takes off the row beyond the page; how long the list is and where the next page begins. `key`: where a row stands.
/// `end`: where the walk ended, if there is more behind it. A list whose end is on its first page has a known length.
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
        None if page.number == 1 => (Total::Both(i64::try_from(rows.len()).unwrap_or_default(), false), None),
        None => (Total::More(false), None),
    }
}

/// A time that a filter names, in milliseconds since 1970. A `+` that came unencoded is a blank.
pub fn instant(name: &str, text: Option<&str>) -> Result<Option<i64>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let mended = || text.rsplit_once(' ').and_then(|(time, zone)| time::read(&format!("{time}+{zone}")));
    time::read(text).or_else(mended).map(Some).ok_or_else(|| Error::invalid(name))
}
