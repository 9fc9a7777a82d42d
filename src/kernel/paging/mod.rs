//! Pages of lists (behaviour 5.3).

mod cursor;
pub mod listing;
pub use cursor::Key;

use crate::kernel::error::{Error, Result};
use crate::kernel::http::Request;
use crate::kernel::params::{Parameters, Params};
use crate::kernel::route::Route;
use crate::kernel::sql::pieces::page_bytes;
use cursor::{Cursor, LAST};
use serde_json::json;
use std::mem::discriminant;

#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// From 1.
    pub number: i64,
    /// The number of the first page in requests and answers: 1 or 0.
    pub first: i64,
    /// From 1 to 100.
    pub size: i64,
    digest: i64,
    /// Whether the link to the next page is the only paging header.
    keyset: bool,
    has_total: bool,
    /// The most rows of a list that is returned whole, in place of the size.
    whole: Option<i64>,
    /// The sort key of the last row of the page before. None if the request has no valid cursor.
    keys: Option<Vec<Key>>,
    /// The most rows that are skipped without a cursor.
    reach: i64,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
pub enum Sort {
    Asc,
    Desc,
}

/// The total of a list, if it is known. The flag is true if there is a next page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Total {
    /// Without a total.
    More(bool),
    /// Without a total, even if all rows are on this page.
    Hidden(bool),
    /// With the total. Both come from separate queries, so they may disagree.
    Both(i64, bool),
}

impl Total {
    pub fn with_more(self, more: bool) -> Total {
        match self {
            Total::More(_) => Total::More(more),
            Total::Hidden(_) => Total::Hidden(more),
            Total::Both(total, _) => Total::Both(total, more),
        }
    }

    pub fn has_more(self) -> bool {
        let (Total::More(more) | Total::Hidden(more) | Total::Both(_, more)) = self;
        more
    }
}

/// The most rows that are skipped for a page without a cursor, unless the list has a lower limit.
const FARTHEST: i64 = 50_000;

/// Bytes of a page of long texts, as in statements. A record alone may be longer.
pub const PAGE_BYTES: i64 = match i64::from_str_radix(page_bytes.text(), 10) {
    Ok(bytes) => bytes,
    Err(_) => 0,
};

/// Greater than every id and time.
pub const EVER: i64 = 1 << 53;

/// Greater than every text that a list is sorted by.
const LAST_TEXT: &str = "\u{10ffff}";

/// The most rows that are skipped for a page of a search: each page searches the same records again.
pub const MOST_FOUND: i64 = 1000;

impl Page {
    pub fn first() -> Page {
        Page {
            number: 1,
            first: 1,
            size: 1,
            digest: 0,
            keyset: false,
            has_total: true,
            whole: None,
            keys: None,
            reach: FARTHEST,
        }
    }

    /// Blank is absent, 0 or less is the default, and a size over 100 is 100. Any other bad value is 400.
    pub fn from(request: &Request, route: &Route, params: &Params) -> Result<Page> {
        Page::counted_from(1, request, route, params)
    }

    /// The same for a list whose first page has the number `first`.
    pub fn counted_from(first: i64, request: &Request, route: &Route, params: &Params) -> Result<Page> {
        let (number, size) = (read(params, "page", whole), read(params, "per_page", whole));
        let cursor = read(params, "cursor", Cursor::read);
        let errors = [number.as_ref().err(), size.as_ref().err(), cursor.as_ref().err()];
        let errors: Vec<String> = errors.into_iter().flatten().map(|name| format!("{name} is invalid")).collect();
        let (Ok(number), Ok(size), Ok(cursor)) = (number, size, cursor) else {
            return Err(Error::framework(errors.join(", ")));
        };
        let number = number.map(|number| number.clamp(first, LAST) - first + 1);
        let size = size.filter(|size| *size > 0).unwrap_or(20).min(100);
        let digest = cursor::digest(request, route, params, size);
        let fits = |known: &Cursor| {
            !known.keys.is_empty() && known.digest == digest && number.is_none_or(|number| number == known.page)
        };
        let (number, keys) = match cursor.filter(fits) {
            Some(cursor) => (cursor.page, Some(cursor.keys)),
            None => (number.unwrap_or(1), None),
        };
        Ok(Page { number, first, size, digest, keys, ..Page::first() })
    }

    /// The page of a list that skips at most `most` rows.
    pub fn reaching(self, most: i64) -> Page {
        Page { reach: self.reach.min(most), ..self }
    }

    /// Whether more rows come before the page than may be skipped. Then the answer is an empty page if the list ends
    /// before it, and otherwise 400.
    pub fn is_beyond(&self) -> bool {
        self.keys.is_none() && self.offset() > self.reach
    }

    /// 400 unless the list is known to end before the page. `count`: the rows that were read.
    pub fn past_the_end(&self, total: Total, count: i64) -> Result<()> {
        let is_past = match total {
            Total::Both(total, _) => total <= self.offset(),
            Total::More(more) | Total::Hidden(more) => count == 0 && !more,
        };
        if is_past { Ok(()) } else { Err(beyond(self.reach)) }
    }

    /// With `pagination=keyset`, the answer has the link to the next page and no page numbers.
    pub fn or_keyset(self, params: &Params) -> Page {
        let keyset = params.text("pagination").is_some_and(|kind| kind == "keyset");
        Page { keyset, ..self }
    }

    pub fn before(&self) -> Page {
        Page { number: self.number - 1, ..self.clone() }
    }

    /// Whether the page has only a number, and others come before it.
    pub fn skips(&self) -> bool {
        self.keys.is_none() && self.number > 1
    }

    pub fn is_first(&self) -> bool {
        self.keys.is_none() && self.number == 1
    }

    pub fn offset(&self) -> i64 {
        (self.number - 1).saturating_mul(self.size)
    }
}

fn beyond(most: i64) -> Error {
    refused(format!("page is beyond the first {most} records: follow the next link of the page before"))
}

/// The page before has fewer rows than `per_page`, and the number does not tell how many.
pub fn behind_early_end() -> Error {
    refused("the page before ends early: follow its next link".to_owned())
}

fn refused(error: String) -> Error {
    let hint = "Link has rel=\"next\" on each page but the last. Its cursor leads to the end of every list.";
    Error::hinted(json!({ "error": error }), hint.to_owned())
}

/// None if the parameter is absent or blank. The error is the parameter's name.
fn read<T>(
    params: &Params,
    name: &'static str,
    reading: impl Fn(&str) -> Option<T>,
) -> std::result::Result<Option<T>, &'static str> {
    if !params.has(name) {
        return Ok(None);
    }
    params.text(name).and_then(|text| reading(text.trim())).map(Some).ok_or(name)
}

/// Reads an integer or decimal number and drops the fraction. Numbers beyond 64 bits become the nearest one.
fn whole(text: &str) -> Option<i64> {
    let (integer, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = integer.strip_prefix(['-', '+']).unwrap_or(integer);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(digits) || !is_number(fraction) {
        return None;
    }
    let end = if integer.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(integer.parse().unwrap_or(end))
}

impl Page {
    /// The keys behind which the page begins, and how many rows to skip from there. Without a cursor these are
    /// `beginning` and the number of rows on the pages before, or `reach` if that is less.
    pub fn starts(&self, beginning: Vec<Key>) -> (Vec<Key>, i64) {
        let is_alike = |(key, first): (&Key, &Key)| discriminant(key) == discriminant(first);
        let fits = |keys: &&Vec<Key>| keys.len() == beginning.len() && keys.iter().zip(&beginning).all(is_alike);
        match self.keys.as_ref().filter(fits) {
            Some(keys) => (keys.clone(), 0),
            None => (beginning, self.offset().min(self.reach)),
        }
    }

    /// Keys before those of every row.
    pub fn beginning(are_texts: &[bool], ascending: bool) -> Vec<Key> {
        let first = |is_text: &bool| match (*is_text, ascending) {
            (false, true) => Key::Int(-EVER),
            (false, false) => Key::Int(EVER),
            (true, true) => Key::Text(String::new()),
            (true, false) => Key::Text(LAST_TEXT.to_owned()),
        };
        are_texts.iter().map(first).collect()
    }

    /// None if the cursor would be too long. The next page then has only a number.
    pub fn next(&self, keys: &[Key]) -> Option<String> {
        cursor::word(self.digest, self.number + 1, keys)
    }

    /// The page of a list by id that begins behind this one, without a total.
    pub fn behind(self, id: i64) -> Page {
        Page { keys: Some(vec![Key::Int(id)]), ..self.uncounted() }
    }

    /// The first rows of a list that is returned whole if it has at most so many.
    pub fn whole_up_to(self, most: i64) -> Page {
        Page { whole: Some(most), ..self }
    }

    pub fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// The most rows of the answer.
    pub fn most(&self) -> i64 {
        self.whole.unwrap_or(self.size)
    }

    /// The same page of a list without a total.
    pub fn uncounted(self) -> Page {
        Page { has_total: false, ..self }
    }

    /// Whether the answer has page numbers, and a total.
    pub fn is_counted(&self) -> bool {
        self.has_total && !self.keyset
    }

    /// Whether the page has a cursor.
    pub fn follows(&self) -> bool {
        self.keys.is_some()
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/kernel/paging.rs"]
mod tests;
