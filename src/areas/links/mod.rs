//! Links between issues (v4, behaviour 13.2).

use crate::areas::issues::IssueRef;
use crate::areas::issues::IssueRow;
use crate::areas::issues::creation::least;
use crate::areas::issues::v4::by_number;
use crate::areas::issues::v4::entity::{Issue, RelativeTo, View};
use crate::kernel::call::{commit, path_number, place_named};
use crate::kernel::time;
use crate::kernel::{
    Action, Call, Entry, Error, Links, Page, Parameters, PreparedQuery, Query, Reply, Result, Row, Statement,
};
use serde::Serialize;

edgeforge_row::statements!(mod sql: "src/areas/links/links.sql");

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum Kind {
    RelatesTo,
    Blocks,
    IsBlockedBy,
}

impl Kind {
    fn stored(self) -> &'static str {
        if self == Kind::RelatesTo { "relates_to" } else { "blocks" }
    }

    /// The texts of the comments on the issue of the path and on the other.
    fn comment_texts(self) -> [&'static str; 2] {
        let [related, blocks, is_blocked] =
            ["marked this issue as related to", "marked this issue as blocking", "marked this issue as blocked by"];
        match self {
            Kind::RelatesTo => [related, related],
            Kind::Blocks => [blocks, is_blocked],
            Kind::IsBlockedBy => [is_blocked, blocks],
        }
    }
}

#[derive(Debug, Row)]
struct LinkedRow {
    #[row(flatten)]
    issue: IssueRow,
    link_id: i64,
    link_type: String,
    linked_at: i64,
}

#[derive(Debug, Serialize)]
struct LinkedIssue {
    #[serde(flatten)]
    issue: Issue,
    issue_link_id: i64,
    link_type: String,
    link_created_at: String,
    link_updated_at: String,
}

#[derive(Debug, Row)]
struct LinkRow {
    id: i64,
    link_type: String,
    source: IssueRow,
    target: IssueRow,
    /// Whether the caller may edit the other issue.
    may_unlink: bool,
}

#[derive(Debug, Serialize)]
struct Link {
    id: i64,
    source_issue: Issue,
    target_issue: Issue,
    link_type: String,
}

fn shown(row: IssueRow, project_id: i64, links: &Links, now: i64) -> Issue {
    let relative_to = if row.project_id == project_id { RelativeTo::Project } else { RelativeTo::Nowhere };
    Issue::new(row, &View { links, now, relative_to, labels: None, single: false })
}

impl LinkRow {
    fn reply(self, status: u16, links: &Links, now: i64) -> Reply {
        let LinkRow { id, link_type, source, target, .. } = self;
        let project_id = source.project_id;
        let [source_issue, target_issue] = [source, target].map(|row| shown(row, project_id, links, now));
        Reply::json(status, &Link { id, source_issue, target_issue, link_type })
    }

    fn steps_to_remove(&self) -> Vec<Statement> {
        let (source_id, target_id, link_id) = (self.source.id, self.target.id, self.id);
        let (plans, text) = (least(Action::EditAnyIssue), "removed the relation with");
        vec![
            sql::expect_editable { source_id, target_id, plans }.into(),
            sql::expect_link { link_id }.into(),
            sql::note { issue_id: source_id, other_id: target_id, text }.into(),
            sql::note { issue_id: target_id, other_id: source_id, text }.into(),
            sql::touch { source_id, target_id }.into(),
            sql::linked { iid: self.source.iid, link_id: Some(link_id), plans }.into(),
            sql::remove { link_id }.into(),
        ]
    }
}

/// The most links of an issue.
const MOST: i64 = 1000;
/// The most issues that one issue blocks. Every answer with the issue counts them.
const MOST_BLOCKED: i64 = 50;

/// The whole list, unless it is longer than 3 MB or the request asks for a page.
pub async fn list(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let input = path_number("issue_iid", iid).and_then(|iid| Ok((iid, call.page_or_whole(MOST)?)));
    let query = |(iid, page): &(i64, Page)| {
        let seen = IssueRef { id: None, iid: Some(*iid) }.query();
        (seen, sql::list { iid: *iid, page: page.clone() })
    };
    let (_, entry, (seen, issues)) = call.authorize_with(input, query).await?;
    seen.ok_or_else(Error::no_record)?;
    issues.reply(call, |row| LinkedIssue::new(row, &entry, call.now))
}

impl LinkedIssue {
    fn new(row: LinkedRow, entry: &Entry, now: i64) -> LinkedIssue {
        let linked_at = time::utc(row.linked_at);
        LinkedIssue {
            issue: shown(row.issue, entry.resource.id, &entry.links, now),
            issue_link_id: row.link_id,
            link_type: row.link_type,
            link_created_at: linked_at.clone(),
            link_updated_at: linked_at,
        }
    }
}

fn named(iid: &str, link_id: &str) -> Result<(i64, i64)> {
    Ok((path_number("issue_iid", iid)?, path_number("issue_link_id", link_id)?))
}

async fn find(call: &Call<'_>, iid: &str, link_id: &str) -> Result<(LinkRow, Entry)> {
    let plans = least(Action::EditAnyIssue);
    let query = |(iid, link_id): &(i64, i64)| sql::linked { iid: *iid, link_id: Some(*link_id), plans };
    let (_, entry, row) = call.authorize_with(named(iid, link_id), query).await?;
    Ok((row.ok_or_else(Error::no_record)?, entry))
}

pub async fn show(call: &Call<'_>, iid: &str, link_id: &str) -> Result<Reply> {
    let (row, entry) = find(call, iid, link_id).await?;
    Ok(row.reply(200, &entry.links, call.now))
}

#[derive(Debug, Parameters)]
struct Target {
    target_project_id: String,
    target_issue_iid: i64,
    #[param(default)]
    link_type: Kind,
}

impl Target {
    fn query(&self, own: &IssueRef) -> PreparedQuery<Option<LinkTarget>> {
        let project = place_named(&self.target_project_id);
        let (own_iid, iid, plans) = (own.iid, self.target_issue_iid, least(Action::EditAnyIssue));
        sql::target { project, iid, own_iid, kind: self.link_type.word(), plans }.prepare()
    }
}

#[derive(Debug, Row)]
struct LinkTarget {
    id: i64,
    may_link: bool,
    is_linked: bool,
    is_full: bool,
}

impl LinkTarget {
    fn check(&self) -> Result<()> {
        if self.is_linked {
            return Err(Error::Refused(409, "Issue(s) already assigned".to_owned()));
        }
        if self.is_full {
            let text =
                format!("400 Bad request - An issue has at most {MOST} links and blocks at most {MOST_BLOCKED} issues");
            return Err(Error::message(text));
        }
        Ok(())
    }
}

const FORBIDDEN: Error =
    Error::Forbidden("Couldn't link issue. You must have at least the Reporter role in both projects.");

fn no_match() -> Error {
    Error::NotFound("No matching issue found. Make sure that you are adding a valid issue URL.".to_owned())
}

/// Whether the caller may edit the issue, as PUT does.
fn may_edit(entry: &Entry, row: &IssueRow) -> Result<bool> {
    Ok(entry.resource.may(Action::EditAnyIssue) || row.concerns(entry.caller()?.user.id))
}

/// The other issue, if the caller may link the two.
fn linkable(entry: &Entry, row: &IssueRow, found: Option<LinkTarget>) -> Result<i64> {
    let found = found.filter(|found| found.id != row.id).ok_or_else(no_match)?;
    if !found.may_link || !may_edit(entry, row)? {
        return Err(FORBIDDEN);
    }
    found.check()?;
    Ok(found.id)
}

pub async fn create(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let input: Result<Target> = call.creation();
    let target = |issue: &IssueRef| input.as_ref().ok().map(|input| input.query(issue));
    let query = |issue: &IssueRef| (issue.query(), target(issue));
    let (issue, entry, (row, found)) = call.authorize_with(by_number(iid), query).await?;
    let row = row.ok_or_else(Error::no_record)?;
    let (query, kind) = (target(&issue), input?.link_type);
    let steps = NewLink { issue, kind, own: row.id, other: linkable(&entry, &row, found.flatten())? }.steps();
    let change = commit::Change::new(steps, query);
    let written: commit::WrittenRow<LinkRow> = call.commit(Ok(change), refusal).await?;
    Ok(written.row.reply(201, &written.links, call.now))
}

/// The error if another request was faster.
fn refusal(_: &Entry, found: Option<Option<LinkTarget>>) -> Result<Error> {
    Ok(found.flatten().and_then(|found| found.check().err()).unwrap_or_else(no_match))
}

struct NewLink {
    issue: IssueRef,
    kind: Kind,
    own: i64,
    other: i64,
}

impl NewLink {
    fn steps(&self) -> Vec<Statement> {
        let NewLink { issue, kind, own, other } = *self;
        let (source_id, target_id) = if kind == Kind::IsBlockedBy { (other, own) } else { (own, other) };
        let (link_type, plans, link_id) = (kind.stored(), least(Action::EditAnyIssue), None::<i64>);
        let [text, text_of_other] = kind.comment_texts();
        vec![
            sql::expect_editable { source_id, target_id, plans }.into(),
            sql::expect_room { source_id, target_id, link_type }.into(),
            sql::create { source_id, target_id, link_type }.into(),
            sql::note { issue_id: own, other_id: other, text }.into(),
            sql::note { issue_id: other, other_id: own, text: text_of_other }.into(),
            sql::touch { source_id, target_id }.into(),
            sql::linked { iid: issue.iid, link_id, plans }.into(),
        ]
    }
}

/// Returns the link as it was.
pub async fn delete(call: &Call<'_>, iid: &str, link_id: &str) -> Result<Reply> {
    let (row, entry) = find(call, iid, link_id).await?;
    if !row.may_unlink || !may_edit(&entry, &row.source)? {
        return Err(Error::FORBIDDEN);
    }
    let change = commit::Change::new(row.steps_to_remove(), ());
    let written: commit::WrittenRow<LinkRow> = call.commit(Ok(change), |_, ()| Ok(Error::no_record())).await?;
    Ok(written.row.reply(200, &written.links, call.now))
}
