//! Pages of lists: `page`, `per_page`, limits, and the paging headers (contract B 3.5).

use crate::error::{Error, Result};
use crate::http::{Reply, Request};
use crate::params::Params;
use form_urlencoded::Serializer;
use serde::Serialize;

/// Which page of a list is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// From 1.
    pub number: i64,
    /// What the first page is called on the wire: 1, or 0.
    pub first: i64,
    /// From 1 to 100.
    pub size: i64,
    /// Where the page before ended, as the `next` link told; spares the walk over all pages before.
    pub cursor: Option<String>,
}

/// How long a list is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Total {
    Known(i64),
    /// Not known without counting; whether a further page exists.
    More(bool),
    /// Both: while others write, the one does not tell the other.
    Both(i64, bool),
}

/// No client walks further, and every offset stays exact.
const LAST: i64 = 1_000_000_000;

impl Page {
    /// Blank is absent, 0 or less is the default, over the limit is the limit; other text is refused.
    pub fn from(params: &Params) -> Result<Page> {
        Page::counted_from(1, params)
    }

    /// The same where the first page has another number.
    pub fn counted_from(first: i64, params: &Params) -> Result<Page> {
        let number = |name: &str| match params.text(name) {
            Some(text) if !text.trim().is_empty() => {
                whole(text.trim()).ok_or_else(|| Error::invalid(name)).map(Some)
            }
            _ => Ok(None),
        };
        let (page, size) = match (number("page"), number("per_page")) {
            (Ok(page), Ok(size)) => (page, size),
            (Err(_), Err(_)) => return Err(Error::framework("page is invalid, per_page is invalid")),
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        Ok(Page {
            number: page.unwrap_or(first).clamp(first, LAST) - first + 1,
            first,
            size: size.filter(|size| *size > 0).unwrap_or(20).min(100),
            cursor: params.text("cursor").filter(|text| !text.is_empty()),
        })
    }

    /// Of a list in order of ids: the id that it goes on after, and how many rows to pass over from there.
    pub fn after(&self) -> (i64, i64) {
        match self.cursor.as_deref().and_then(|text| text.parse::<i64>().ok()) {
            Some(id) => (id.clamp(0, 1 << 53), 0),
            None => (0, self.offset()),
        }
    }

    /// Takes off the row beyond the page, which tells that there is a further one.
    pub fn cut<T>(&self, rows: &mut Vec<T>) -> Total {
        Total::More(self.goes_on(rows))
    }

    /// The same as a plain answer.
    pub fn goes_on<T>(&self, rows: &mut Vec<T>) -> bool {
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
        let reply = Reply::json(200, items)
            .with("X-Per-Page", size.to_string())
            .with("X-Page", (number - 1 + first).to_string());
        let (reply, last) = match self.total {
            Total::Known(total) | Total::Both(total, _) => {
                let pages = total / size + i64::from(total % size != 0);
                (
                    reply.with("X-Total", total.to_string()).with("X-Total-Pages", pages.to_string()),
                    Some(pages),
                )
            }
            Total::More(_) => (reply, None),
        };
        let more = match (self.total, last) {
            (Total::More(more) | Total::Both(_, more), _) => more,
            (_, Some(last)) => number < last,
            _ => false,
        };
        let next = more.then_some(number + 1);
        let previous = (number > 1).then_some(number - 1);
        let shown = |page: Option<i64>| page.map(|page| (page - 1 + first).to_string()).unwrap_or_default();
        reply
            .with("X-Next-Page", shown(next))
            .with("X-Prev-Page", shown(previous))
            .with("Link", self.links(previous, next, last))
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
        const SECRET: &[&str] = &["private_token", "access_token", "cursor"];
        let mut params = self.params.clone();
        self.path.iter().for_each(|(name, value)| params.set(name, value));
        params.set("page", &(page - 1 + self.page.first).to_string());
        params.set("per_page", &self.page.size.to_string());
        let mut pairs = params.pairs();
        pairs.retain(|(name, _)| !SECRET.contains(&name.as_str()));
        pairs.extend(cursor.map(|text| ("cursor".to_owned(), text.to_owned())));
        pairs.sort();
        let query = Serializer::new(String::new()).extend_pairs(pairs).finish();
        format!("{}{}?{query}", self.request.origin, self.request.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Result<Page> {
        Page::from(&Params::from_urlencoded(text).unwrap())
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
        assert_eq!(page("page=99999999999999999999").unwrap().number, LAST);
    }
}
