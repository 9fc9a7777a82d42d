//! Lists of branches and tags in v4, in several orders, by a part of the name.

use super::{RefRow, sql};
use crate::kernel::fold;
use crate::kernel::paging::{EVER, Key, Sort};
use crate::kernel::walk::{self, WalkRow, WalkTotal};
use crate::kernel::{Call, Entry, Error, Page, Parameters, PreparedQuery, Query, Reply, Result, Row};
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

    fn count(&self) -> PreparedQuery<Option<WalkTotal>> {
        let looks = walk::steps(&Page::to_count(), 0, self.search().is_some());
        sql::count { kind: self.kind, end: self.end(), search: self.search(), looks }.prepare()
    }

    /// A key before those of all rows.
    fn start(&self) -> [Key; 2] {
        match self.sort {
            Sort::Asc => [Key::Int(-EVER), "".into()],
            Sort::Desc => [Key::Int(EVER), self.end().as_str().into()],
        }
    }

    /// The key after which the list continues. After the exact match, it starts at the beginning.
    fn keys(&self, ListedRow { named, place }: &ListedRow) -> [Key; 2] {
        match self.order {
            Order::Version => [(*place).into(), "".into()],
            _ if self.exact().as_ref() == Some(&named.name) => self.start(),
            _ => [named.commit.committed_at.into(), named.name.as_str().into()],
        }
    }

    fn query(&self) -> PreparedQuery<Vec<WalkRow<ListedRow>>> {
        let Search { kind, order, sort, page, .. } = self;
        let (kind, end, search, exact, most) = (*kind, self.end(), self.search(), self.exact(), page.size + 1);
        if *order == Order::Version {
            let (([passed, _], skip), descends) = (page.begin([Key::Int(0), "".into()]), *sort == Sort::Desc);
            return sql::by_version { kind, end, search, exact, descends, most, passed, skip }.prepare();
        }
        let sort = format!("{}_{}", order.word(), sort.word());
        let ([at, name], skip) = page.begin(self.start());
        let (looks, follows) = (walk::steps(page, skip, search.is_some()), page.follows());
        sql::matching { kind, end, sort, at, name, search, exact, follows, looks, most, skip }.prepare()
    }
}

#[derive(Row)]
pub struct ListedRow {
    #[row(flatten)]
    named: RefRow,
    /// Place in the order of versions, from 1.
    #[row(default)]
    place: i64,
}

/// `shown` takes a row, the authorized request, and the address of the project's pages.
pub async fn list<T: Serialize>(
    call: &Call<'_>,
    input: Result<Search>,
    shown: impl Fn(RefRow, &Entry, &str) -> T,
) -> Result<Reply> {
    let query = |search: &Search| (search.query(), search.count());
    let (search, entry, (rows, total)) = call.authorize_with(input.and_then(Search::checked), query).await?;
    let walked = walk::page(rows, &search.page, |row| search.keys(row));
    let at = entry.resource.page(&entry.links);
    walked.with_count(total).reply(call, &search.page, |row| shown(row.named, &entry, &at))
}
