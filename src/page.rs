//! Pages of lists: `page`, `per_page`, limits, and the paging headers (behaviour 5.3).

mod cursor;
pub use cursor::Key;

use crate::dialect::Dialect;
use crate::error::{Error, Result};
use crate::http::{Reply, Request};
use crate::params::Params;
use crate::store::{Rows, Statement};
use cursor::Cursor;
use form_urlencoded::Serializer;
use serde::Serialize;

/// A list's statement that leaves long rows out: in the place of each comes [`CUT`]. A hundred rows that are not long have
/// less than 4 MB; an instance of the Worker has 128 MB for all that it does at once. Where a row was long, the list is
/// asked for again by [`ending_early`], which few pages need: its running sum costs rows read.
macro_rules! bounded {
    ($($statement:expr),+ $(,)?) => {
        concat!("select iif(octet_length(v) <= 39000, v, '\"cut\"') as v from (", $($statement),+, ")")
    };
}
pub(crate) use bounded;

/// How it begins.
const BOUNDED: &str = bounded!("").split_at(bounded!("").len() - 1).0;

/// A row that did not fit an answer.
const CUT: &str = "\"cut\"";

/// Whether it is a list's.
pub fn is_bounded(statement: &Statement) -> bool {
    statement.sql.starts_with(BOUNDED)
}

/// The list's statement whose rows come as long as they have 4 MB together, and short ones behind them, which may tell a
/// total. No row has 2 MB, so every page has one. None: no row was left out.
pub fn ending_early(statement: &Statement, rows: &Rows) -> Option<Statement> {
    let list = statement.sql.strip_prefix(BOUNDED)?;
    let sql = format!(
        "select iif(bytes <= 4000000 or octet_length(v) < 300, v, '\"cut\"') as v from (
  select v, sum(octet_length(v)) over (rows unbounded preceding) as bytes from ({list})"
    );
    let is_long = rows.0.iter().any(|row| row == CUT);
    is_long.then(|| Statement { sql: sql.into(), binds: statement.binds.clone() })
}

/// Takes away what did not fit, and all items behind it: whether there was such a row.
pub fn end_early(rows: &mut Vec<String>) -> bool {
    let Some(end) = rows.iter().position(|row| row == CUT) else { return false };
    let rest = rows.split_off(end);
    rows.extend(rest.into_iter().filter(|row| row.starts_with("{\"total\":")));
    true
}

/// Which page of a list is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// From 1.
    pub number: i64,
    /// What the first page is called on the wire: 1, or 0.
    pub first: i64,
    /// From 1 to 100.
    pub size: i64,
    /// What the list was asked for, for its cursors.
    digest: i64,
    /// Whether the answer says nothing but where the next page is.
    keyset: bool,
    /// Of the row before this page, where a cursor told them; they spare the walk over all pages before.
    keys: Option<Vec<Key>>,
}

/// How long a list is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Total {
    /// Not known without counting; whether a further page exists.
    More(bool),
    /// Both: while others write, the one does not tell the other.
    Both(i64, bool),
}

/// Page numbers beyond this are this one: every offset stays exact.
const LAST: i64 = 1_000_000_000;

/// Rows that are passed over for a page that is asked for by its number alone.
const FARTHEST: i64 = 1_000_000;

impl Page {
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
        if page.keys.is_none() && page.offset() > FARTHEST {
            return Err(Error::framework(format!(
                "page is beyond the first {FARTHEST} records: follow the next link of the page before"
            )));
        }
        Ok(page)
    }

    /// The page of a list that may be read by `pagination=keyset`: then its answer has the address of the next page and
    /// no numbers of pages.
    pub fn or_keyset(self, params: &Params) -> Page {
        let keyset = params.text("pagination").is_some_and(|kind| kind == "keyset");
        Page { keyset, ..self }
    }

    /// Takes off the row beyond the page, which tells that there is a further one.
    pub fn cut<T>(&self, rows: &mut Vec<T>) -> Total {
        Total::More(self.has_more(rows))
    }

    /// The same where a counter knows how many there are; none: it does not.
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

/// A list's page on its way out.
pub struct Listing<'a> {
    pub request: &'a Request,
    pub dialect: Dialect,
    pub params: &'a Params,
    pub page: &'a Page,
    pub total: Total,
    /// Values of the path's placeholders, repeated in the links as the original did.
    pub path: &'a [(&'a str, &'a str)],
    /// The cursor of the next page, if the list has cursors.
    pub next_cursor: Option<String>,
}

impl Listing<'_> {
    /// The items with the paging headers.
    pub fn reply<T: Serialize>(&self, items: &[T]) -> Reply {
        let Page { number, first, size, .. } = *self.page;
        if self.page.keyset {
            return self.keyset_reply(items);
        }
        let reply = Reply::json(200, items)
            .with("X-Per-Page", size.to_string())
            .with("X-Page", (number - 1 + first).to_string());
        let (reply, last) = match self.total {
            Total::Both(total, _) => {
                let pages = if total == 0 {
                    self.dialect.pages_of_nothing()
                } else {
                    total / size + i64::from(total % size != 0)
                };
                (
                    reply.with("X-Total", total.to_string()).with("X-Total-Pages", pages.to_string()),
                    Some(pages),
                )
            }
            Total::More(_) => (reply, None),
        };
        let (Total::More(more) | Total::Both(_, more)) = self.total;
        let next = more.then_some(number + 1);
        let previous = (number > 1).then_some(number - 1);
        let shown = |page: Option<i64>| page.map(|page| (page - 1 + first).to_string()).unwrap_or_default();
        reply
            .with("X-Next-Page", shown(next))
            .with("X-Prev-Page", shown(previous))
            .with("Link", self.links(previous, next, last))
    }

    /// The items with the address of the next page, if there is one.
    fn keyset_reply<T: Serialize>(&self, items: &[T]) -> Reply {
        let reply = Reply::json(200, items);
        let (Total::More(more) | Total::Both(_, more)) = self.total;
        match self.next_cursor.as_deref().filter(|_| more) {
            Some(cursor) => {
                let mut params = self.repeated();
                params.set("cursor", cursor);
                reply.with("Link", format!("<{}>; rel=\"next\"", self.address_of(&params)))
            }
            None => reply,
        }
    }

    fn links(&self, previous: Option<i64>, next: Option<i64>, last: Option<i64>) -> String {
        let relations = [("prev", previous), ("next", next), ("first", Some(1)), ("last", last)];
        let link = |(relation, page): (&str, Option<i64>)| {
            let cursor = if relation == "next" { self.next_cursor.as_deref() } else { None };
            Some(format!("<{}>; rel=\"{relation}\"", self.address(page?, cursor)))
        };
        relations.into_iter().filter_map(link).collect::<Vec<_>>().join(", ")
    }

    fn address(&self, page: i64, cursor: Option<&str>) -> String {
        let mut params = self.repeated();
        params.set("page", &(page - 1 + self.page.first).to_string());
        params.set("per_page", &self.page.size.to_string());
        cursor.into_iter().for_each(|text| params.set("cursor", text));
        self.address_of(&params)
    }

    /// The request's parameters as far as links repeat them.
    fn repeated(&self) -> Params {
        let mut params = self.params.without(&["private_token", "access_token", "cursor"]);
        self.path.iter().for_each(|(name, value)| params.set(name, value));
        params
    }

    fn address_of(&self, params: &Params) -> String {
        let query = Serializer::new(String::new()).extend_pairs(params.pairs()).finish();
        format!("{}{}?{query}", self.request.origin, self.request.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Result<Page> {
        Page::from(&Request::default(), &Params::from_urlencoded(text).unwrap())
    }

    #[test]
    fn defaults_and_limits() {
        for (text, number, size) in [
            ("", 1, 20),
            ("page=0&per_page=0", 1, 20),
            ("page=-3&per_page=101", 1, 100),
            ("page=1.9&per_page=", 1, 20),
        ] {
            let page = page(text).unwrap();
            assert_eq!((page.number, page.size), (number, size), "{text}");
        }
    }

    #[test]
    fn a_page_that_is_no_number_is_refused() {
        assert_eq!(page("page=x").unwrap_err(), Error::framework("page is invalid"));
        assert_eq!(
            page("page=x&per_page=y").unwrap_err(),
            Error::framework("page is invalid, per_page is invalid")
        );
        for list in ["page[]=1", "page[a]=1", "page[]=x"] {
            assert_eq!(page(list).unwrap_err(), Error::framework("page is invalid"), "{list}");
        }
        assert_eq!(
            page("per_page[]=x&cursor=-").unwrap_err(),
            Error::framework("per_page is invalid, cursor is invalid")
        );
    }

    #[test]
    fn a_page_behind_a_million_rows_is_refused() {
        let refused = Error::framework(
            "page is beyond the first 1000000 records: follow the next link of the page before",
        );
        assert_eq!(page("page=10001&per_page=100").unwrap().offset(), 1_000_000);
        for far in ["page=10002&per_page=100", "page=50002", "page=99999999999999999999"] {
            assert_eq!(page(far).unwrap_err(), refused, "{far}");
        }
    }
}
