//! Pages of lists: `page`, `per_page`, limits, and the paging headers (behaviour 5.3).

mod cursor;
pub mod listing;
pub use cursor::Key;

use crate::error::{Error, Result};
use crate::http::Request;
use crate::params::{Parameters, Params};
use crate::store::Value;
use cursor::{Cursor, LAST};
use std::mem::discriminant;

#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// From 1.
    pub number: i64,
    /// What the first page is called on the wire: 1, or 0.
    pub first: i64,
    /// From 1 to 100.
    pub size: i64,
    /// Of the list and its parameters, for its cursors.
    digest: i64,
    /// Whether the only paging header is the link to the next page.
    keyset: bool,
    /// Of the row before this page, if a cursor has them. Then no rows of the pages before are read.
    keys: Option<Vec<Key>>,
}

/// Which way an order goes: the parameter `sort`.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
pub enum Sort {
    Asc,
    Desc,
}

/// How long a list is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Total {
    /// Not known without counting. Whether a further page exists.
    More(bool),
    /// Not returned, though all may be on this page. Whether a further page exists.
    Untold(bool),
    /// The total, and whether a further page exists. Neither follows from the other: rows may come and go between both reads.
    Both(i64, bool),
}

impl Total {
    /// Whether a further page exists.
    pub fn has_more(self) -> bool {
        let (Total::More(more) | Total::Untold(more) | Total::Both(_, more)) = self;
        more
    }
}

/// The most rows that are passed over for a page that is asked for by its number alone.
const FARTHEST: i64 = 1_000_000;

impl Page {
    pub fn first() -> Page {
        Page { number: 1, first: 1, size: 1, digest: 0, keyset: false, keys: None }
    }

    /// Blank is absent, 0 or less is the default, over the limit is the limit; anything else is refused.
    pub fn from(request: &Request, params: &Params) -> Result<Page> {
        Page::counted_from(1, request, params)
    }

    /// The same where the first page has another number.
    pub fn counted_from(first: i64, request: &Request, params: &Params) -> Result<Page> {
        let (number, size) = (read(params, "page", whole), read(params, "per_page", whole));
        let cursor = read(params, "cursor", Cursor::read);
        let errors = [number.as_ref().err(), size.as_ref().err(), cursor.as_ref().err()];
        let errors: Vec<String> =
            errors.into_iter().flatten().map(|name| format!("{name} is invalid")).collect();
        let (Ok(number), Ok(size), Ok(cursor)) = (number, size, cursor) else {
            return Err(Error::framework(errors.join(", ")));
        };
        let number = number.map(|number| number.clamp(first, LAST) - first + 1);
        let size = size.filter(|size| *size > 0).unwrap_or(20).min(100);
        let digest = cursor::digest(request, params, size);
        let fits = |known: &Cursor| {
            !known.keys.is_empty()
                && known.digest == digest
                && number.is_none_or(|number| number == known.page)
        };
        let (number, keys) = match cursor.filter(fits) {
            Some(cursor) => (cursor.page, Some(cursor.keys)),
            None => (number.unwrap_or(1), None),
        };
        let page = Page { number, first, size, digest, keyset: false, keys };
        page.check_within(FARTHEST)?;
        Ok(page)
    }

    /// Refuses a page that is asked for by its number alone, behind more than `most` records.
    pub fn check_within(&self, most: i64) -> Result<()> {
        if self.keys.is_some() || self.offset() <= most {
            return Ok(());
        }
        let text =
            format!("page is beyond the first {most} records: follow the next link of the page before");
        Err(Error::framework(text))
    }

    /// The page of a list that may be read by `pagination=keyset`: then its answer has the address of the next page and
    /// no numbers of pages.
    pub fn or_keyset(self, params: &Params) -> Page {
        let keyset = params.text("pagination").is_some_and(|kind| kind == "keyset");
        Page { keyset, ..self }
    }

    /// Takes off the row beyond the page, which is there if a further page exists. With the total, if it is known.
    pub fn cut_counted<T>(&self, rows: &mut Vec<T>, count: Option<i64>) -> Total {
        let more = self.has_more(rows);
        count.map_or(Total::More(more), |count| Total::Both(count, more))
    }

    /// The same as a plain answer.
    pub fn has_more<T>(&self, rows: &mut Vec<T>) -> bool {
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        let more = rows.len() > size;
        rows.truncate(size);
        more
    }

    pub fn is_first(&self) -> bool {
        self.keys.is_none() && self.number == 1
    }

    /// How many rows come before this page.
    pub fn offset(&self) -> i64 {
        (self.number - 1).saturating_mul(self.size)
    }
}

/// A paging parameter that is neither absent nor blank; the error is its name.
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

/// An integer, or the whole part of a decimal number; beyond the range of integers, its end.
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
    /// The keys that the page's rows come after, and how many rows to pass over from there: those of the cursor and
    /// none, else the list's `beginning` and the rows of the pages before.
    pub fn begin<const N: usize>(&self, beginning: [Key; N]) -> ([Value; N], i64) {
        let fits = |keys: &&[Key; N]| {
            keys.iter().zip(&beginning).all(|(key, first)| discriminant(key) == discriminant(first))
        };
        let keys = self.keys.as_deref().and_then(|keys| keys.try_into().ok()).filter(fits);
        match keys {
            Some(keys) => (keys.clone().map(Value::from), 0),
            None => (beginning.map(Value::from), self.offset()),
        }
    }

    /// Of a list in order of ids: the id that it goes on after, and how many rows to pass over from there.
    pub fn after(&self) -> (Value, i64) {
        let ([id], offset) = self.begin([Key::Int(0)]);
        (id, offset)
    }

    /// The cursor of the page after this one, whose last row has these keys. None: the keys are too long for one, and
    /// the next page is found by its number.
    pub fn next<const N: usize>(&self, keys: [Key; N]) -> Option<String> {
        cursor::word(self.digest, self.number + 1, keys)
    }

    /// Whether this page was reached by a cursor.
    #[cfg(test)]
    pub fn follows(&self) -> bool {
        self.keys.is_some()
    }
}

#[cfg(test)]
#[path = "../tests/unit/page.rs"]
mod tests;
