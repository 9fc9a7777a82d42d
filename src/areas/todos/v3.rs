use super::{Filter, OF_V3, ProjectNames, State, TodoRow, actions};
use crate::areas::commits::CommitRow;
use crate::areas::commits::v3::Base;
use crate::areas::issues::IssueRow;
use crate::areas::issues::v3::{Issue, by_id};
use crate::areas::users::entity::BriefUser;
use crate::kernel::call::path_id;
use crate::kernel::{Call, Links, Parameters, Reply, Result};
use serde::Serialize;

type Todo = super::Todo<Project, BriefUser, Target>;

#[derive(Debug, Serialize)]
struct Project {
    id: i64,
    #[serde(flatten)]
    names: ProjectNames,
}

/// The issue of a to-do item, with votes, or its commit.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Target {
    Issue {
        #[serde(flatten)]
        issue: Box<Issue>,
        upvotes: i64,
        downvotes: i64,
    },
    Commit(Option<Base>),
}

impl Target {
    /// Also the address.
    fn of_issue(row: IssueRow, links: &Links) -> (Target, String) {
        let (upvotes, downvotes) = (row.upvotes, row.downvotes);
        let issue = Box::new(Issue::new(row, links));
        let url = issue.web_url().to_owned();
        (Target::Issue { issue, upvotes, downvotes }, url)
    }
}

fn shown(row: TodoRow, links: &Links) -> Todo {
    let page = format!("{}/{}", links.base, row.project.names.path_with_namespace);
    let target = |issue: Option<IssueRow>, commit: Option<CommitRow>| match issue {
        Some(issue) => Target::of_issue(issue, links),
        None => {
            let url = commit.as_ref().map(|commit| format!("{page}/commit/{}", commit.sha));
            (Target::Commit(commit.map(Base::new)), url.unwrap_or_default())
        }
    };
    let project = |of: super::Project| Project { id: of.id, names: of.names };
    Todo::new(row, OF_V3, project, |user| BriefUser::new(user, links), target)
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
        let actions = actions(OF_V3, action.map(ActionName::word), target_type.map(TargetType::word));
        Ok(Filter { actions, author_id, project_id, group_id: None, is_done: state == Some(State::Done) })
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (todos, links) = super::page_of(call, ListParams::read(call)).await?;
    todos.reply(call, |row| shown(row, &links))
}

pub async fn create(call: &Call<'_>, issue_id: &str) -> Result<Reply> {
    let marked = super::mark(call, by_id(issue_id)).await?;
    let reply = |(row, links)| Reply::json(call.dialect.created(), &shown(row, &links));
    Ok(marked.map_or(Reply::empty(304), reply))
}

pub async fn delete(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, links) = super::settle(call, path_id(id)).await?;
    Ok(Reply::json(200, &shown(row, &links)))
}

/// Returns the bare number of items, which clients expect.
pub async fn delete_all(call: &Call<'_>) -> Result<Reply> {
    Ok(Reply::json(200, &super::settle_all(call, ListParams::read(call)).await?))
}
