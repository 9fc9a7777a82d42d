use super::{BRANCHES, RefRow, TAGS, short, sql};
use crate::areas::commits;
use crate::areas::commits::v4::{Commit, CommitExtras};
use crate::areas::releases::v3::Release;
use crate::kernel::call::{Call, Entry, Resource};
use crate::kernel::error::{Error, Result};
use crate::kernel::fold;
use crate::kernel::http::Reply;
use crate::kernel::paging::{EVER, Key, Page, Sort, Total};
use crate::kernel::params::Parameters;
use crate::kernel::policy::Access;
use crate::kernel::store::{PreparedQuery, Query, Row};
use crate::kernel::walk::{self, WalkRow, WalkTotal};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use serde_json::json;

#[derive(Debug, Serialize)]
struct Branch {
    name: String,
    commit: Commit,
    /// Whether the default branch contains the commit. Always false for the default branch itself.
    merged: bool,
    protected: bool,
    developers_can_push: bool,
    developers_can_merge: bool,
    can_push: bool,
    default: bool,
    web_url: String,
}

impl Branch {
    fn new(row: RefRow, resource: &Resource, page: &str) -> Branch {
        let name = short(&row.name, BRANCHES);
        let main = resource.default_branch.as_deref();
        let default = main == Some(name.as_str());
        let protected = row.protection > 0 && default;
        let developers_can_push = protected && row.protection == 1;
        let least = if protected && !developers_can_push { Access::Master } else { Access::Developer };
        Branch {
            merged: !default && main.is_some() && row.branch.as_deref() == main,
            protected,
            developers_can_push,
            developers_can_merge: false,
            can_push: resource.access >= least,
            default,
            web_url: format!("{page}/-/tree/{}", in_path(&name)),
            commit: Commit::new(row.commit, page, CommitExtras::default()),
            name,
        }
    }
}

pub fn in_path(name: &str) -> String {
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');
    utf8_percent_encode(name, ESCAPED).to_string()
}

#[derive(Debug, Serialize)]
struct Tag {
    name: String,
    message: Option<String>,
    /// The hash of an annotated tag, otherwise of its commit.
    target: String,
    commit: Commit,
    release: Option<Release>,
    protected: bool,
    created_at: Option<()>,
}

impl Tag {
    fn new(mut row: RefRow, page: &str) -> Tag {
        Tag {
            release: row.release(),
            name: short(&row.name, TAGS),
            target: row.tag_sha.unwrap_or_else(|| row.commit.sha.clone()),
            // git ends the text of a tag by a newline
            message: row.tag_message.map(|text| text.trim_end_matches('\n').to_owned()),
            commit: Commit::new(row.commit, page, CommitExtras::default()),
            protected: false,
            created_at: None,
        }
    }
}

#[derive(Parameters)]
struct ListBranches {
    search: Option<String>,
    regex: Option<String>,
    sort: Option<SortBranches>,
}

#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "snake_case")]
enum SortBranches {
    NameAsc,
    UpdatedAsc,
    UpdatedDesc,
}

pub async fn branches(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListBranches>().and_then(|params| {
        if params.regex.is_some() {
            return Err(Error::framework("regex is not supported"));
        }
        let order = match params.sort.unwrap_or(SortBranches::NameAsc) {
            SortBranches::NameAsc => Order::Name(Sort::Asc),
            SortBranches::UpdatedAsc => Order::Updated(Sort::Asc),
            SortBranches::UpdatedDesc => Order::Updated(Sort::Desc),
        };
        Ok(Search { kind: BRANCHES, order, text: params.search, page: call.page()? })
    });
    list(call, input, |row, entry, page| Branch::new(row, &entry.resource, page)).await
}

#[derive(Parameters)]
struct ListTags {
    search: Option<String>,
    order_by: Option<OrderTags>,
    sort: Option<Sort>,
}

#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "lowercase")]
enum OrderTags {
    Name,
    Updated,
    Version,
}

pub async fn tags(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListTags>().and_then(|params| {
        let sort = params.sort.unwrap_or(Sort::Desc);
        let order = match params.order_by.unwrap_or(OrderTags::Updated) {
            OrderTags::Name => Order::Name(sort),
            OrderTags::Updated => Order::Updated(sort),
            OrderTags::Version => Order::Version(sort),
        };
        Ok(Search { kind: TAGS, order, text: params.search, page: call.page()? })
    });
    list(call, input, |row, _, page| Tag::new(row, page)).await
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Order {
    Name(Sort),
    /// By the committer date.
    Updated(Sort),
    /// By the numbers in the name. Pages are found by the number of tags before them, because no index has this order.
    Version(Sort),
}

struct Search {
    /// `refs/heads/` or `refs/tags/`.
    kind: &'static str,
    order: Order,
    /// A part of the name. ASCII letters match in any case. `^` matches the start of the name, `$` the end, `*` any
    /// text.
    text: Option<String>,
    page: Page,
}

/// The most parts between stars. The rest of a longer text is one part with stars in it, which no name contains.
const MOST_PARTS: usize = 10;

impl Search {
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
        let parts: Vec<&str> = whole.splitn(MOST_PARTS, '*').filter(|part| !part.is_empty()).collect();
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
        match self.order {
            Order::Name(Sort::Asc) | Order::Updated(Sort::Asc) => [Key::Int(-EVER), "".into()],
            _ => [Key::Int(EVER), self.end().as_str().into()],
        }
    }

    /// The key after which the list continues. After the exact match, it starts at the beginning.
    fn keys(&self, ListedRow { named, place }: &ListedRow) -> [Key; 2] {
        match self.order {
            Order::Version(_) => [(*place).into(), "".into()],
            _ if self.exact().as_ref() == Some(&named.name) => self.start(),
            _ => [named.commit.committed_at.into(), named.name.as_str().into()],
        }
    }

    fn query(&self) -> PreparedQuery<Vec<WalkRow<ListedRow>>> {
        let Search { kind, order, page, .. } = self;
        let (kind, search, exact, most) = (*kind, self.search(), self.exact(), page.size + 1);
        let end = self.end();
        let sort = match order {
            Order::Version(direction) => {
                let ([passed, _], skip) = page.begin([Key::Int(0), "".into()]);
                let descends = *direction == Sort::Desc;
                return sql::by_version { kind, end, search, exact, descends, most, passed, skip }.prepare();
            }
            Order::Name(Sort::Asc) => "name_asc",
            Order::Name(Sort::Desc) => "name_desc",
            Order::Updated(Sort::Asc) => "updated_asc",
            Order::Updated(Sort::Desc) => "updated_desc",
        };
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
async fn list<T: Serialize>(
    call: &Call<'_>,
    input: Result<Search>,
    shown: impl Fn(RefRow, &Entry, &str) -> T,
) -> Result<Reply> {
    let query = |search: &Search| (search.query(), search.count());
    let (search, entry, (rows, total)) = call.authorize_with(input, query).await?;
    let walked = walk::page(rows, &search.page, |row| search.keys(row));
    let at = entry.resource.page(&entry.links);
    walked.with_count(total).reply(call, &search.page, |row| shown(row.named, &entry, &at))
}

#[derive(Parameters)]
struct ContainingParams {
    #[param(rename = "type")]
    kind: Option<Kind>,
}

#[derive(Parameters, Clone, Copy)]
#[param(rename_all = "lowercase")]
enum Kind {
    Branch,
    Tag,
    All,
}

#[derive(Serialize)]
struct TypedName {
    #[serde(rename = "type")]
    kind: &'static str,
    name: String,
}

impl TypedName {
    fn new(name: &str) -> TypedName {
        match name.strip_prefix(BRANCHES) {
            Some(branch) => TypedName { kind: "branch", name: branch.to_owned() },
            None => TypedName { kind: "tag", name: short(name, TAGS) },
        }
    }
}

impl ContainingParams {
    fn prefix(&self) -> &'static str {
        match self.kind {
            Some(Kind::Branch) => BRANCHES,
            Some(Kind::Tag) => TAGS,
            Some(Kind::All) | None => "",
        }
    }
}

#[derive(Row)]
pub struct Name {
    name: Option<String>,
    /// The number of names in the whole list.
    total: i64,
}

impl Name {
    /// The total, and the names of the page.
    fn read(rows: Vec<Name>) -> (i64, Vec<String>) {
        let total = rows.first().map_or(0, |row| row.total);
        (total, rows.into_iter().filter_map(|row| row.name).collect())
    }
}

/// The branches and tags that contain the commit.
pub async fn containing(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let input = call.filters::<ContainingParams>().and_then(|params| Ok((params.prefix(), call.page()?)));
    let query = |(kind, page): &(&str, Page)| {
        let ([after], skip) = page.begin([Key::from("")]);
        let refs = sql::containing { name: sha, kind: *kind, after, most: page.size + 1, skip };
        (commits::one(sha), refs).prepare()
    };
    let ((_, page), _, (commit, rows)) = call.authorize_with(input, query).await?;
    if commit.is_empty() {
        return Err(Error::missing("Commit"));
    }
    let (total, mut names) = Name::read(rows);
    let more = page.has_more(&mut names);
    let cursor = names.last().and_then(|name| page.next([name.as_str().into()]));
    let refs: Vec<TypedName> = names.iter().map(|name| TypedName::new(name)).collect();
    call.listing(&page, Total::Both(total, more), &[], cursor, &refs)
}

pub async fn branch(call: &Call<'_>, name: &str) -> Result<Reply> {
    let (entry, row) = call.authorize(sql::one { name: format!("{BRANCHES}{name}") }).await?;
    let row = row.ok_or_else(|| Error::missing("Branch"))?;
    let page = entry.resource.page(&entry.links);
    Ok(Reply::json(200, &Branch::new(row, &entry.resource, &page)))
}

pub async fn tag(call: &Call<'_>, name: &str) -> Result<Reply> {
    let (entry, row) = call.authorize(sql::one { name: format!("{TAGS}{name}") }).await?;
    let row = row.ok_or_else(|| Error::missing("Tag"))?;
    Ok(Reply::json(200, &Tag::new(row, &entry.resource.page(&entry.links))))
}

/// Always 404: signatures are not kept.
pub async fn signature_of_tag(call: &Call<'_>, name: &str) -> Result<Reply> {
    let (_, row) = call.authorize(sql::one { name: format!("{TAGS}{name}") }).await?;
    Err(Error::missing(if row.is_none() { "Tag" } else { "Signature" }))
}
