//! Issues (specification, "Issues"; behaviour 6).

mod change;
mod delete;
pub mod edit;
pub mod v3;
/// The old name of `v3`.
pub mod entity {
    pub use super::v3::{Issue, Milestone};
}
pub mod filter;
pub mod input;
pub mod list;
#[cfg(test)]
mod list_test;
pub mod moves;
mod pages;
mod question;
pub mod sql;
pub mod subscriptions;
pub mod v4;
mod words;

use crate::call::write::Written;
use crate::call::{Call, Entered, Links, Resource, path_id};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::person::UserRow;
use crate::policy::Action;
use crate::store::{Row, Rows, Value};
use crate::time;
use entity::Issue;
pub use input::{EditIssue, NewIssue, StateEvent};
use list::{Listed, Whose};
use regex::Regex;
use sql::Before;
use sql::creation::Draft;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// GET /projects/:id/issues
pub async fn list_for_project(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = list::read(call, Whose::Project);
    let ((filter, page), entered) = call
        .enter_with(id, Action::ReadIssues, input, |(filter, page)| {
            list::statement(filter, page, Whose::Project)
        })
        .await?;
    let listed = Listed::in_project(&entered.rows, &entered.resource)?;
    listed.reply(call, &filter, &page, &[("id", id)], &entered.links)
}

/// GET /issues
pub async fn list_own(call: &Call<'_>) -> Result<Reply> {
    let input = list::read(call, Whose::Caller);
    let ((filter, page), signed_in) =
        call.sign_in_with(input, |(filter, page)| list::statement(filter, page, Whose::Caller)).await?;
    Listed::from(&signed_in.rows)?.reply(call, &filter, &page, &[], &signed_in.links)
}

/// GET /groups/:id/issues
pub async fn list_for_group(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = list::read(call, Whose::Group);
    let ((filter, page), entered) = call
        .enter_group_with(id, Action::ReadIssues, input, |(filter, page)| {
            list::statement(filter, page, Whose::Group)
        })
        .await?;
    Listed::from(&entered.rows)?.reply(call, &filter, &page, &[("id", id)], &entered.links)
}

/// GET /projects/:id/issues/:issue_id
pub async fn show(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let issue = by_id(issue_id);
    let (_, entered) = call.enter_with(id, Action::ReadIssues, issue, |issue| sql::one(*issue)).await?;
    let row = seen(&entered).inspect_err(|_| {
        call.hint("an issue is named by its id here, not by its number in the project: the list takes iid=..")
    })?;
    Ok(Reply::json(200, &Issue::new(row, &entered.links)))
}

/// The issue that a path of v3 names.
pub fn by_id(text: &str) -> Result<IssueRef> {
    path_id(text).map(IssueRef::Id)
}

/// The issue that a query found, if this caller may see it.
pub fn seen(entered: &Entered) -> Result<IssueRow> {
    seen_by(Some(entered.caller.user.id), &entered.resource, &entered.rows)
}

/// The same where anybody may read. `user_id`: the caller's; none: they brought no token.
pub fn seen_by(user_id: Option<i64>, resource: &Resource, rows: &Rows) -> Result<IssueRow> {
    let row: IssueRow = rows.first()?.ok_or_else(Error::no_record)?;
    let visible = resource.has_issues() && row.is_visible_to(user_id, resource);
    if visible { Ok(row) } else { Err(Error::no_record()) }
}

/// POST /projects/:id/issues
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let written = make(call, id, call.creation_and_errors()).await?;
    Ok(written.reply(call.dialect.created(), Issue::new))
}

/// Makes an issue of what was sent.
async fn make(
    call: &Call<'_>,
    id: &str,
    input: Result<(NewIssue, ValidationErrors)>,
) -> Result<Written<IssueRow>> {
    let input = input.map(|(new, mut errors)| (new.checked(&mut errors), errors));
    let plan = input.as_ref().map_err(Error::clone).and_then(|(new, errors)| {
        let mentioned = mentions(&[&new.title, new.description.as_deref().unwrap_or_default()]);
        let draft = Draft { new, created_at: new.created_at.as_deref().and_then(time::read), mentioned };
        Ok(draft.plan(errors.is_empty(), call.idempotency_key()?, &call.links(false).base))
    });
    call.write(id, Action::CreateIssue, plan, |entered| check(call, entered, input?)).await
}

/// What stands in the way of a new issue: of what they may not say, nothing.
fn check(
    call: &Call<'_>,
    entered: &mut Entered,
    (new, mut errors): (NewIssue, ValidationErrors),
) -> Result<()> {
    if !entered.resource.has_issues() {
        return Err(Error::FORBIDDEN);
    }
    if entered.resource.may(Action::EditAnyIssue) {
        entered.rows.first::<Before>()?.unwrap_or_default().check(call.dialect, &mut errors);
    }
    errors.read_time(
        "created_at",
        new.created_at.as_deref().filter(|_| entered.resource.may(Action::SetTimes)),
    );
    errors.result()
}

/// DELETE /projects/:id/issues/:issue_id
pub async fn delete(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let absent = || Error::missing("Issue");
    let (row, links) = remove(call, id, by_id(issue_id).map_err(|_| absent()), absent()).await?;
    Ok(Reply::json(200, &Issue::new(row, &links)))
}

/// Deletes an issue; as it was. `refused`: what hears who sees it and may not.
async fn remove(
    call: &Call<'_>,
    id: &str,
    issue: Result<IssueRef>,
    refused: Error,
) -> Result<(IssueRow, Links)> {
    let (_, entered) = call.enter_with(id, Action::ReadIssues, issue, |issue| sql::one(*issue)).await?;
    let row = seen(&entered).map_err(|_| Error::missing("Issue"))?;
    if !entered.resource.may(Action::DeleteIssue) {
        return Err(refused);
    }
    call.expect_unmodified(row.updated_at)?;
    delete::delete(&call.store, row.id, row.user_notes_count, call.now).await?;
    Ok((row, entered.links))
}

/// An issue as a request names it.
#[derive(Debug, Clone, Copy)]
pub enum IssueRef {
    /// As v3 does.
    Id(i64),
    /// By its number in the project, as v4 does.
    Number(i64),
}

impl From<IssueRef> for Value {
    /// JSON: `[id, number]`, one of them null.
    fn from(issue: IssueRef) -> Value {
        let pair = match issue {
            IssueRef::Id(id) => (Some(id), None),
            IssueRef::Number(number) => (None, Some(number)),
        };
        Value::Text(serde_json::json!(pair).to_string())
    }
}

/// A row of the view `issue_rows`, with what it is to the caller: `subscribed` and `moved_to_id`.
#[derive(Debug, Clone, Row)]
pub struct IssueRow {
    pub id: i64,
    pub iid: i64,
    pub project_id: i64,
    /// The project's path with namespace.
    pub full_path: String,
    pub title: String,
    pub description: Option<String>,
    pub state: String,
    pub created_at: i64,
    pub updated_at: i64,
    /// In order: a set.
    pub labels: BTreeSet<String>,
    pub milestone: Option<MilestoneRow>,
    /// Whoever wrote it, is to do it or closed it, each once.
    people: Vec<UserRow>,
    pub author_id: i64,
    pub assignee_id: Option<i64>,
    pub subscribed: bool,
    pub user_notes_count: i64,
    pub due_date: Option<String>,
    pub confidential: bool,
    /// None: it is open, or nobody knows.
    pub closed_at: Option<i64>,
    pub closed_by_id: Option<i64>,
    /// 1: only members may comment; none: nobody said so.
    pub discussion_locked: Option<i64>,
    /// Where it went, if the caller sees that.
    pub moved_to_id: Option<i64>,
}

impl IssueRow {
    /// Author and assignee see their issue wherever they see the project; others see a confidential one from reporter on.
    pub fn is_visible_to(&self, user_id: Option<i64>, resource: &Resource) -> bool {
        let concerns = user_id.is_some_and(|user_id| self.concerns(user_id));
        !self.confidential || concerns || resource.may(Action::ReadConfidentialIssues)
    }

    /// Whether the user wrote it or is to do it.
    pub fn concerns(&self, user_id: i64) -> bool {
        self.author_id == user_id || self.assignee_id == Some(user_id)
    }

    fn person(&self, id: Option<i64>) -> Option<UserRow> {
        self.people.iter().find(|user| Some(user.id) == id).cloned()
    }

    pub fn author(&self) -> UserRow {
        self.person(Some(self.author_id)).unwrap_or_default()
    }

    pub fn assignee(&self) -> Option<UserRow> {
        self.person(self.assignee_id)
    }

    pub fn closed_by(&self) -> Option<UserRow> {
        self.person(self.closed_by_id)
    }
}

#[derive(Debug, Clone, Row)]
pub struct MilestoneRow {
    pub id: i64,
    pub iid: i64,
    pub project_id: i64,
    pub title: String,
    pub description: Option<String>,
    pub state: String,
    pub due_date: Option<String>,
    pub start_date: Option<String>,
    pub created_at: i64,
    pub updated_at: i64,
}

const MOST_MENTIONS: usize = 100;

/// The user names that texts mention with `@`, each once.
pub fn mentions(texts: &[&str]) -> Vec<String> {
    static MENTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new("(?:^|[^A-Za-z0-9_/])@([A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)").ok()
    });
    let Some(pattern) = MENTION.as_ref() else { return Vec::new() };
    // most texts mention nobody, and the pattern is slow
    let likely = texts.iter().filter(|text| text.contains('@'));
    let found = likely.flat_map(|text| pattern.captures_iter(text)).filter_map(|found| found.get(1));
    let mut names = BTreeSet::new();
    for name in found {
        // a text may name no more people than can hear of it at once
        if names.len() < MOST_MENTIONS {
            names.insert(name.as_str().to_owned());
        }
    }
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mention_is_a_user_name_after_an_at_sign() {
        assert_eq!(mentions(&["@ann, see @bob.", "mail a@eve.org @ann"]), ["ann", "bob"]);
    }
}
