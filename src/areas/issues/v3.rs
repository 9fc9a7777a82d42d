//! Issues in v3 (specification, "Issues"). The profile decides the status of the answer to `POST` (behaviour 1).

use super::moves::Move;
use super::record::{Change, Draft, NewFields, PlainFields};
use super::{IssueRef, IssueRow, MilestoneRow, change, creation};
use crate::areas::users::entity::BriefUser;
use crate::kernel::call::path_id;
use crate::kernel::params::RecordId;
use crate::kernel::time;
use crate::kernel::{Call, Error, Links, Parameters, Reply, Result};
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Debug, Serialize)]
pub struct Issue {
    id: i64,
    iid: i64,
    project_id: i64,
    title: String,
    description: Option<String>,
    state: String,
    created_at: String,
    updated_at: String,
    labels: BTreeSet<String>,
    milestone: Option<MilestoneRow>,
    assignee: Option<BriefUser>,
    author: BriefUser,
    subscribed: bool,
    user_notes_count: i64,
    #[serde(flatten)]
    plain: PlainFields,
    web_url: String,
}

impl Issue {
    pub fn new(row: IssueRow, links: &Links) -> Issue {
        let web_url = format!("{}/{}/issues/{}", links.base, row.full_path, row.iid);
        let (author, assignee) = (row.author(), row.assignee());
        Issue {
            id: row.id,
            iid: row.iid,
            project_id: row.project_id,
            title: row.title,
            description: row.description,
            state: row.state,
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
            labels: row.labels,
            milestone: row.milestone,
            assignee: assignee.map(|user| BriefUser::new(user, links)),
            author: BriefUser::new(author, links),
            subscribed: row.subscribed,
            user_notes_count: row.user_notes_count,
            plain: row.plain,
            web_url,
        }
    }

    fn reply(status: u16, (row, links): (IssueRow, Links)) -> Reply {
        Reply::json(status, &Issue::new(row, &links))
    }

    pub fn web_url(&self) -> &str {
        &self.web_url
    }
}

pub fn by_id(text: &str) -> Result<IssueRef> {
    path_id(text).map(|id| IssueRef { id: Some(id), iid: None })
}

pub async fn show(call: &Call<'_>, issue_id: &str) -> Result<Reply> {
    let (_, entry, row) = call.authorize_with(by_id(issue_id), IssueRef::query).await?;
    let row = row.ok_or_else(|| {
        call.hint("an issue is named by its id here, not by its number in the project: the list takes iid=..");
        Error::no_record()
    })?;
    Ok(Issue::reply(200, (row, entry.links)))
}

#[derive(Parameters)]
struct Creation {
    #[param(default)]
    title: String,
    #[param(flatten)]
    fields: NewFields,
}

pub async fn create(call: &Call<'_>) -> Result<Reply> {
    let draft = |Creation { title, fields }| Draft { title, fields, ..Draft::default() };
    let input = call.creation_and_errors().map(|(new, errors)| (draft(new), errors));
    let made = creation::create(call, input).await?;
    Ok(made.reply(call.dialect.created(), Issue::new))
}

pub async fn update(call: &Call<'_>, issue_id: &str) -> Result<Reply> {
    let input = call.edit_and_errors().map(|(fields, errors)| (Change { fields, ..Change::default() }, errors));
    Ok(Issue::reply(200, change::change(call, by_id(issue_id), input).await?))
}

pub async fn delete(call: &Call<'_>, issue_id: &str) -> Result<Reply> {
    let issue = by_id(issue_id).map_err(|_| Error::missing("Issue"));
    Ok(Issue::reply(200, super::delete(call, issue, Error::missing("Issue")).await?))
}

#[derive(Debug, Parameters)]
struct Target {
    to_project_id: RecordId,
}

pub async fn relocate(call: &Call<'_>, issue_id: &str) -> Result<Reply> {
    let to = call.creation::<Target>().map(|input| input.to_project_id.0);
    let issue = by_id(issue_id).map_err(|_| Error::missing("Issue"));
    Ok(Issue::reply(201, Move::WHOLE.run(call, issue, to, Error::missing("Issue")).await?))
}

pub async fn subscribe(call: &Call<'_>, issue_id: &str, subscribed: bool) -> Result<Reply> {
    let changed = super::subscribe(call, by_id(issue_id), subscribed).await?;
    let status = if subscribed { 201 } else { 200 };
    Ok(changed.map_or(Reply::empty(304), |issue| Issue::reply(status, issue)))
}
