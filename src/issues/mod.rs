//! Issues (specification, "Issues"; behaviour 6).

mod creation;
mod delete;
pub mod edit;
pub mod entity;
pub mod list;
pub mod moves;
mod pages;
pub mod sql;
pub mod subscriptions;
mod text;

use crate::call::{Call, Entered, path_id};
use crate::error::{Error, Result, ValidationErrors};
use crate::http::Reply;
use crate::policy::Action;
use crate::time;
use creation::Draft;
use entity::Issue;
use list::{Listed, Whose};
use serde::Deserialize;
use sql::{Before, IssueRow};
pub use text::{label_names, mentions};

/// Parameters of `POST /projects/:id/issues`.
#[derive(Debug, Deserialize)]
pub struct NewIssue {
    #[serde(default)]
    title: String,
    description: Option<String>,
    #[serde(default)]
    confidential: bool,
    assignee_id: Option<i64>,
    milestone_id: Option<i64>,
    #[serde(default)]
    labels: Vec<String>,
    created_at: Option<String>,
    due_date: Option<String>,
}

impl NewIssue {
    /// The parameters as far as they can be judged alone; blanks around the title are cut.
    fn checked(mut self, errors: &mut ValidationErrors) -> NewIssue {
        self.title = self.title.trim().to_owned();
        if self.title.is_empty() && !errors.has("title") {
            errors.missing("title");
        }
        if self.due_date.as_deref().is_some_and(|date| time::date(date).is_none()) {
            errors.add("due_date", "is invalid");
        }
        self.labels = label_names(self.labels, errors);
        // 0 says none
        self.assignee_id = self.assignee_id.filter(|id| *id != 0);
        self.milestone_id = self.milestone_id.filter(|id| *id != 0);
        self
    }
}

/// GET /projects/:id/issues
pub async fn list_for_project(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = list::read(call);
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
    let input = list::read(call).and_then(|(filter, page)| Ok((filter.without_numbers(call)?, page)));
    let ((filter, page), signed_in) =
        call.sign_in_with(input, |(filter, page)| list::statement(filter, page, Whose::Caller)).await?;
    Listed::from(&signed_in.rows)?.reply(call, &filter, &page, &[], &signed_in.links)
}

/// GET /groups/:id/issues
pub async fn list_for_group(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = list::read(call).and_then(|(filter, page)| Ok((filter.without_numbers(call)?, page)));
    let ((filter, page), entered) = call
        .enter_group_with(id, Action::ReadIssues, input, |(filter, page)| {
            list::statement(filter, page, Whose::Group)
        })
        .await?;
    Listed::from(&entered.rows)?.reply(call, &filter, &page, &[("id", id)], &entered.links)
}

/// GET /projects/:id/issues/:issue_id
pub async fn show(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let (_, entered) = call.enter_with(id, Action::ReadIssues, path_id(issue_id), |id| sql::one(*id)).await?;
    let row = seen(&entered).inspect_err(|_| {
        call.hint("an issue is named by its id here, not by its number in the project: the list takes iid=..")
    })?;
    Ok(Reply::json(200, &Issue::new(row, &entered.links)))
}

/// The issue that a query found, if this caller may see it.
pub fn seen(entered: &Entered) -> Result<IssueRow> {
    let row: IssueRow = entered.rows.first()?.ok_or_else(Error::no_record)?;
    let visible =
        entered.resource.has_issues() && row.is_visible_to(entered.caller.user.id, &entered.resource);
    if visible { Ok(row) } else { Err(Error::no_record()) }
}

/// POST /projects/:id/issues
pub async fn create(call: &Call<'_>, id: &str) -> Result<Reply> {
    let input = call.creation_and_errors::<NewIssue>();
    let input = input.map(|(new, mut errors)| (new.checked(&mut errors), errors));
    let plan = input.as_ref().map_err(Error::clone).and_then(|(new, errors)| {
        let mentioned = mentions(&[&new.title, new.description.as_deref().unwrap_or_default()]);
        let draft = Draft { new, created_at: new.created_at.as_deref().and_then(time::read), mentioned };
        Ok(draft.plan(errors.is_empty(), call.idempotency_key()?, &call.links(false).base))
    });
    let written = call.write(id, Action::CreateIssue, plan, |entered| check(entered, input?)).await?;
    Ok(written.reply(call.dialect.created(), Issue::new))
}

/// What stands in the way of a new issue: of what they may not say, nothing.
fn check(entered: &mut Entered, (new, mut errors): (NewIssue, ValidationErrors)) -> Result<()> {
    if !entered.resource.has_issues() {
        return Err(Error::FORBIDDEN);
    }
    if entered.resource.may(Action::EditAnyIssue) {
        entered.rows.first::<Before>()?.unwrap_or_default().check(&mut errors);
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
    let issue_id = path_id(issue_id).map_err(|_| absent());
    let (_, entered) = call.enter_with(id, Action::ReadIssues, issue_id, |id| sql::one(*id)).await?;
    let row = seen(&entered).map_err(|_| absent())?;
    if !entered.resource.may(Action::DeleteIssue) {
        return Err(absent());
    }
    delete::delete(&call.store, row.id, row.user_notes_count, call.now).await?;
    Ok(Reply::json(200, &Issue::new(row, &entered.links)))
}
