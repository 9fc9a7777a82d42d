//! Rows and statements of branches and tags.

use crate::call::in_project;
use crate::commits::sql::CommitRow;
use crate::page::Page;
use crate::store::{Column, Members, Row, Statement, Tree, Wrong, sql};

#[derive(Debug, Row)]
pub struct RefRow {
    /// Whole, with `refs/heads/` or `refs/tags/`.
    pub name: String,
    pub tag_message: Option<String>,
    /// Of an annotated tag itself.
    pub tag_sha: Option<String>,
    /// The branch that the commit belongs to: the default one if that contains it.
    pub branch: Option<String>,
    pub commit: CommitRow,
}

/// A ref of a list; without its commit where the answer is full.
#[derive(Debug)]
pub enum Found {
    Whole(Box<RefRow>),
    Further,
}

impl Column for Found {
    fn read(from: Tree<'_>, wrong: &Wrong) -> Found {
        let mut members = Members::of(from, wrong);
        if members.has("commit") {
            Found::Whole(Box::new(RefRow::read_members(&mut members)))
        } else {
            Found::Further
        }
    }
}

/// A [`RefRow`] of the aliases `r` and `c`.
macro_rules! ref_json {
    () => {
        concat!(
            "json_object('name', r.name, 'tag_message', r.message, 'tag_sha', r.tag_sha, 'branch', c.branch, 'commit', ",
            crate::commits::sql::commit_json!(),
            ")"
        )
    };
}

/// First row: the setting default_branch_protection.
macro_rules! protection {
    () => {
        "union all select json_quote(default_branch_protection) from scope cross join settings"
    };
}

pub(super) use {protection, ref_json};

/// Then the refs between the names `?7` and `?8`, after `?9` others, `?10` at most; whole ones up to `?11` bytes.
macro_rules! list {
    ($sort:literal) => {
        in_project!(
            protection!(),
            "
union all select v from (
  select case when coalesce(sum(octet_length(v)) over (rows between unbounded preceding and 1 preceding), 0) < (select ?11) then v
    else json_object('name', name) end as v
  from (select r.name, ",
            ref_json!(),
            " as v from refs r cross join commits c on c.id = r.commit_id
    where r.project_id = (select project_id from scope) and r.name > (select ?7) and r.name < (select ?8)
    order by r.name ",
            $sort,
            " limit (select ?10) offset (select ?9)))"
        )
    };
}

const BRANCHES: &str = list!("asc");
const TAGS: &str = list!("desc");

const ONE: &str = in_project!(
    protection!(),
    "
union all select ",
    ref_json!(),
    " from refs r cross join commits c on c.id = r.commit_id
where r.project_id = (select project_id from scope) and r.name = (select ?7)"
);

/// How many refs one answer has, and about how many bytes, where no page is asked for.
pub const MOST_REFS: i64 = 10_000;
const MOST_BYTES: i64 = 4_000_000;

/// Branches in byte order of their names.
pub fn branches(page: &Page, most: i64) -> Statement {
    let ([after], offset) = page.begin(["refs/heads/".into()]);
    sql!(BRANCHES, after, "refs/heads0", offset, most + 1, MOST_BYTES)
}

/// Tags, the last name first.
pub fn tags(page: &Page, most: i64) -> Statement {
    let ([before], offset) = page.begin(["refs/tags0".into()]);
    sql!(TAGS, "refs/tags/", before, offset, most + 1, MOST_BYTES)
}

pub fn one(kind: &str, name: &str) -> Statement {
    sql!(ONE, format!("{kind}{name}"))
}
