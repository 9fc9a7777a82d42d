//! Lists of branches and tags in v4, in several orders, by a part of the name.

use super::{RefRow, sql};
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
use crate::kernel::text::fold;
use crate::kernel::{Call, Entry, Error, Page, Parameters, PreparedQuery, Query, Reply, Result};
use serde::Serialize;
use serde_json::json;

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
pub enum Order {
    Name,
    /// By the committer date.
    Updated,
    /// By the numbers in the name. Pages are found by the number of tags before them, because no index has this order.
    Version,
}

pub struct Search {
    /// `refs/heads/` or `refs/tags/`.
    pub kind: &'static str,
    pub order: Order,
    pub sort: Sort,
    /// A part of the name. ASCII letters match in any case. `^` matches the start of the name, `$` the end, `*` any
    /// text.
    pub text: Option<String>,
    pub page: Page,
}

const MOST_STARS: usize = 9;

impl Search {
    fn checked(self) -> Result<Search> {
        let stars = self.text.iter().flat_map(|text| text.matches('*')).count();
        if stars > MOST_STARS {
            return Err(Error::framework(format!("search has too many stars (maximum is {MOST_STARS})")));
        }
        Ok(self)
    }

    /// The parts of the text in lower case, with a line feed instead of `^` or `$`, as a JSON array. For a short text
    /// with letters that are not ASCII, a pattern of GLOB as a JSON string.
    fn search(&self) -> Option<String> {
        let text = self.text.as_deref().unwrap_or_default().to_ascii_lowercase();
        let (start, rest) = text.strip_prefix('^').map_or(("", text.as_str()), |rest| ("\n", rest));
        let (end, part) = rest.strip_suffix('$').map_or(("", rest), |rest| ("\n", rest));
        if let Some(pattern) = fold::glob(part, [start, end].map(str::is_empty)).filter(|_| !text.is_ascii()) {
            return Some(json!(pattern).to_string());
        }
        let whole = format!("{start}{part}{end}");
        let parts: Vec<&str> = whole.split('*').filter(|part| !part.is_empty()).collect();
        part.contains(|letter| letter != '*').then(|| json!(parts).to_string())
    }

    /// The whole name of the branch or tag that has exactly the text as its name. It comes first in the list.
    fn exact(&self) -> Option<String> {
        self.text.as_deref().map(|text| format!("{}{text}", self.kind))
    }

    /// The end of the names of this kind: `0` is the next character after the slash.
    fn end(&self) -> String {
        format!("{}0", self.kind.trim_end_matches('/'))
    }

    fn query(&self) -> PreparedQuery<Listed<RefRow>> {
        let Search { kind, order, sort, ref page, .. } = *self;
        let (end, search, exact, page) = (self.end(), self.search(), self.exact(), page.clone());
        let (ascending, follows) = (sort == Sort::Asc, page.follows());
        match order {
            Order::Name => sql::by_name { ascending, kind, end, search, exact, follows, page }.prepare(),
            Order::Updated => sql::by_date { ascending, kind, end, search, exact, follows, page }.prepare(),
            Order::Version => sql::by_version { descends: !ascending, kind, end, search, exact, page }.prepare(),
        }
    }
}

/// `shown` takes a row, the authorized request, and the address of the project's pages.
pub async fn list<T: Serialize>(
    call: &Call<'_>,
    input: Result<Search>,
    shown: impl Fn(RefRow, &Entry, &str) -> T,
) -> Result<Reply> {
    let (_, entry, refs) = call.authorize_with(input.and_then(Search::checked), Search::query).await?;
    let at = entry.resource.page(&entry.links);
    refs.reply(call, |row| shown(row, &entry, &at))
}
