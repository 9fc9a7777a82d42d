use super::{ACTIONS, Filter, ProjectNames, State, TodoRow};
use crate::areas::issues::v3::{Issue, by_id};
use crate::areas::users::entity::BriefUser;
use crate::kernel::call::path_id;
use crate::kernel::time;
use crate::kernel::{Call, Links, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Todo {
    id: i64,
    project: Project,
    author: BriefUser,
    action_name: String,
    target_type: &'static str,
    target: Target,
    target_url: String,
    body: String,
    state: String,
    created_at: String,
}

#[derive(Debug, Serialize)]
struct Project {
    id: i64,
    #[serde(flatten)]
    names: ProjectNames,
}

/// The issue of a to-do item, with votes.
#[derive(Debug, Serialize)]
struct Target {
    #[serde(flatten)]
    issue: Issue,
    upvotes: i64,
    downvotes: i64,
}

impl Todo {
    fn new(row: TodoRow, links: &Links) -> Todo {
        let body = row.body();
        let (upvotes, downvotes) = (row.issue.upvotes, row.issue.downvotes);
        let issue = Issue::new(row.issue, links);
        Todo {
            id: row.id,
            project: Project { id: row.project.id, names: row.project.names },
            author: BriefUser::new(row.author, links),
            action_name: row.action,
            target_type: "Issue",
            target_url: super::target_url(issue.web_url(), row.note_id),
            target: Target { issue, upvotes, downvotes },
            body,
            state: row.state,
            created_at: time::utc(row.created_at),
        }
    }
}

#[derive(Debug, Parameters)]
struct ListParams {
    action: Option<ActionName>,
    author_id: Option<i64>,
    project_id: Option<i64>,
    state: Option<State>,
    #[param(rename = "type")]
    target_type: Option<TargetType>,
}

/// The variants are in the order of [`ACTIONS`].
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum ActionName {
    Assigned,
    Mentioned,
    BuildFailed,
    Marked,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(verbatim)]
enum TargetType {
    Issue,
    MergeRequest,
    Commit,
}

impl ListParams {
    fn read(call: &Call<'_>) -> Result<Filter> {
        let ListParams { action, author_id, project_id, state, target_type } = call.filters()?;
        let actions = match (target_type, action) {
            (None | Some(TargetType::Issue), None) => ACTIONS.to_vec(),
            (None | Some(TargetType::Issue), Some(action)) => {
                ACTIONS.get(action as usize).copied().into_iter().collect()
            }
            _ => Vec::new(),
        };
        Ok(Filter { actions, author_id, project_id, group_id: None, is_done: state == Some(State::Done) })
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (walked, page, links) = super::page_of(call, ListParams::read(call)).await?;
    walked.reply(call, &page, |row| Todo::new(row, &links))
}

pub async fn create(call: &Call<'_>, issue_id: &str) -> Result<Reply> {
    let marked = super::mark(call, by_id(issue_id)).await?;
    let reply = |(row, links)| Reply::json(call.dialect.created(), &Todo::new(row, &links));
    Ok(marked.map_or(Reply::empty(304), reply))
}

pub async fn delete(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, links) = super::settle(call, path_id(id)).await?;
    Ok(Reply::json(200, &Todo::new(row, &links)))
}

/// Returns the bare number of items, which clients expect.
pub async fn delete_all(call: &Call<'_>) -> Result<Reply> {
    Ok(Reply::json(200, &super::settle_all(call, ListParams::read(call)).await?))
}
