use super::lists::{Order, Search, list};
use super::{BRANCHES, RefRow, TAGS, short, sql};
use crate::areas::commits;
use crate::areas::commits::v4::{Commit, CommitExtras};
use crate::areas::releases::v3::Release;
use crate::kernel::answers::page_address::in_path;
use crate::kernel::call::Resource;
use crate::kernel::lists::{ListTotal, Listed};
use crate::kernel::paging::Sort;
use crate::kernel::policy::Access;
use crate::kernel::{Call, Error, Page, Parameters, Query, Reply, Result, Row};
use serde::Serialize;

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
        let (order, sort) = match params.sort.unwrap_or_default() {
            SortBranches::NameAsc => (Order::Name, Sort::Asc),
            SortBranches::UpdatedAsc => (Order::Updated, Sort::Asc),
            SortBranches::UpdatedDesc => (Order::Updated, Sort::Desc),
        };
        Ok(Search { kind: BRANCHES, order, sort, text: params.search, page: call.page()? })
    });
    list(call, input, |row, entry, page| Branch::new(row, &entry.resource, page)).await
}

#[derive(Parameters)]
struct ListTags {
    search: Option<String>,
    order_by: Option<Order>,
    sort: Option<Sort>,
}

pub async fn tags(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListTags>().and_then(|params| {
        let (order, sort) = (params.order_by.unwrap_or(Order::Updated), params.sort.unwrap_or(Sort::Desc));
        Ok(Search { kind: TAGS, order, sort, text: params.search, page: call.page()? })
    });
    list(call, input, |row, _, page| Tag::new(row, page)).await
}

#[derive(Parameters)]
struct ContainingParams {
    #[param(rename = "type")]
    kind: Option<Kind>,
}

#[derive(Parameters, Clone, Copy)]
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

/// The branches and tags that contain the commit.
pub async fn containing(call: &Call<'_>, sha: &str) -> Result<Reply> {
    let input = call.filters::<ContainingParams>().and_then(|params| Ok((params.prefix(), call.page()?)));
    let query = |(kind, page): &(&str, Page)| {
        let (after, skip) = page.starts(vec!["".into()]);
        let after = after.first().cloned();
        let refs = sql::containing { name: sha, kind: *kind, after, most: page.size + 1, skip };
        (commits::one(sha), refs).prepare()
    };
    let ((_, page), _, (commit, refs)) = call.authorize_with(input, query).await?;
    if commit.is_empty() {
        return Err(Error::missing("Commit"));
    }
    let total = refs.first().map(|listed| ListTotal::of(listed.row.total));
    let shown = |row: Name| TypedName::new(&row.name.unwrap_or_default());
    Listed::of(refs, page).with_count(total).reply(call, shown)
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
