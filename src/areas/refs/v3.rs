use super::{BRANCHES, RefRow, TAGS, short, sql};
use crate::areas::commits::CommitRow;
use crate::areas::releases::v3::Release;
use crate::kernel::time;
use crate::kernel::{Call, Error, Page, Reply, Result};
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

pub async fn branches(call: &Call<'_>) -> Result<Reply> {
    let query = |page: &Page| sql::branches { page: page.clone() };
    let (_, entry, refs) = call.authorize_with(call.page_or_whole(MOST_REFS), query).await?;
    let default_branch = entry.resource.default_branch.as_deref();
    refs.reply_at(call, &[("id", &call.named())], |row| Branch::new(row, default_branch))
}

pub async fn branch(call: &Call<'_>, name: &str) -> Result<Reply> {
    let (entry, row) = call.authorize(sql::one { name: format!("{BRANCHES}{name}") }).await?;
    let row = row.ok_or_else(|| Error::missing("Branch"))?;
    Ok(Reply::json(200, &Branch::new(row, entry.resource.default_branch.as_deref())))
}

/// Last name first, like the original.
pub async fn tags(call: &Call<'_>) -> Result<Reply> {
    let query = |page: &Page| sql::tags { page: page.clone() };
    let (_, _, refs) = call.authorize_with(call.page_or_whole(MOST_REFS), query).await?;
    refs.reply_at(call, &[("id", &call.named())], Tag::new)
}

pub async fn tag(call: &Call<'_>, name: &str) -> Result<Reply> {
    let (_, row) = call.authorize(sql::one { name: format!("{TAGS}{name}") }).await?;
    let row = row.ok_or_else(|| Error::missing("Tag"))?;
    Ok(Reply::json(200, &Tag::new(row)))
}
