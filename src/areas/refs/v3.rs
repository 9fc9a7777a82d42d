use super::{BRANCHES, RefRow, TAGS, short, sql};
use crate::areas::commits::CommitRow;
use crate::areas::releases::v3::Release;
use crate::kernel::paging::{Key, Total};
use crate::kernel::store::Value;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Page, PreparedQuery, Query, Reply, Result, Row};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Branch {
    name: String,
    protected: bool,
    developers_can_push: bool,
    developers_can_merge: bool,
    commit: Tip,
}

impl Branch {
    fn new(row: RefRow, default_branch: Option<&str>) -> Branch {
        let name = short(&row.name, BRANCHES);
        let protected = row.protection > 0 && default_branch == Some(name.as_str());
        let developers_can_push = protected && row.protection == 1;
        let commit = Tip::new(row.commit);
        Branch { name, protected, developers_can_push, developers_can_merge: false, commit }
    }
}

#[derive(Debug, Serialize)]
struct Tag {
    name: String,
    message: Option<String>,
    commit: Tip,
    release: Option<Release>,
}

impl Tag {
    fn new(mut row: RefRow) -> Tag {
        let release = row.release();
        let name = short(&row.name, TAGS);
        Tag { name, message: row.tag_message, commit: Tip::new(row.commit), release }
    }
}

#[derive(Debug, Serialize)]
struct Tip {
    id: String,
    message: String,
    parent_ids: Vec<String>,
    authored_date: String,
    author_name: String,
    author_email: String,
    committed_date: String,
    committer_name: String,
    committer_email: String,
}

impl Tip {
    fn new(row: CommitRow) -> Tip {
        Tip {
            id: row.sha,
            message: row.message,
            parent_ids: row.parent_shas,
            authored_date: time::offset(row.authored_at, row.author_zone),
            author_name: row.author_name,
            author_email: row.author_email,
            committed_date: time::offset(row.committed_at, row.committer_zone),
            committer_name: row.committer_name,
            committer_email: row.committer_email,
        }
    }
}

/// Refs of a request without `page`, `per_page` and `cursor`.
const MOST_REFS: i64 = 10_000;

#[derive(Row)]
pub struct RefListRow {
    #[row(flatten)]
    row: RefRow,
    /// Whether the ref is on the page.
    fits: bool,
    /// Whether the next ref would pass the limit of bytes.
    ends: bool,
}

/// Lists all refs that fit one answer, like the original, or a page on request. `start`: the name before the first ref.
async fn list<T: Serialize>(
    call: &Call<'_>,
    start: &str,
    query: impl Fn(Value, i64, i64) -> PreparedQuery<Vec<RefListRow>>,
    shown: impl Fn(RefRow, &Entry) -> T,
) -> Result<Reply> {
    let is_paged = call.asks_for_page();
    let most = |page: &Page| if is_paged { page.size } else { MOST_REFS };
    let statement = |page: &Page| {
        let ([after], skip) = page.begin([Key::from(start)]);
        query(after, most(page) + 1, skip)
    };
    let (page, entry, mut rows) = call.authorize_with(call.page(), statement).await?;
    let ends = rows.last().is_some_and(|last| last.ends);
    rows.retain(|row| row.fits);
    let has_more = rows.len() as i64 > most(&page) || ends;
    rows.truncate(most(&page) as usize);
    let cursor = rows.last().and_then(|last| page.next([last.row.name.as_str().into()]));
    let items: Vec<T> = rows.into_iter().map(|row| shown(row.row, &entry)).collect();
    if is_paged || has_more {
        call.listing(&page, Total::More(has_more), &[("id", &call.named())], cursor, &items)
    } else {
        Ok(Reply::json(200, &items))
    }
}

pub async fn branches(call: &Call<'_>) -> Result<Reply> {
    let query = |after, most, skip| sql::branches { after, most, skip }.prepare();
    list(call, BRANCHES, query, |row, entry| Branch::new(row, entry.resource.default_branch.as_deref())).await
}

pub async fn branch(call: &Call<'_>, name: &str) -> Result<Reply> {
    let (entry, row) = call.authorize(sql::one { name: format!("{BRANCHES}{name}") }).await?;
    let row = row.ok_or_else(|| Error::missing("Branch"))?;
    Ok(Reply::json(200, &Branch::new(row, entry.resource.default_branch.as_deref())))
}

/// Last name first, like the original.
pub async fn tags(call: &Call<'_>) -> Result<Reply> {
    let query = |before, most, skip| sql::tags { before, most, skip }.prepare();
    list(call, "refs/tags0", query, |row, _| Tag::new(row)).await
}

pub async fn tag(call: &Call<'_>, name: &str) -> Result<Reply> {
    let (_, row) = call.authorize(sql::one { name: format!("{TAGS}{name}") }).await?;
    let row = row.ok_or_else(|| Error::missing("Tag"))?;
    Ok(Reply::json(200, &Tag::new(row)))
}
