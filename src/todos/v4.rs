//! To-do items in v4 (behaviour 13.2).

use super::input::{ActionName, ListTodos, State, TargetType};
use super::sql::{self, TodoRow};
use super::{done, mark, page_of};
use crate::call::path_number;
use crate::call::sql::scope::caller_head;
use crate::call::{Call, Links};
use crate::error::Result;
use crate::http::Reply;
use crate::issues::v4::by_number;
use crate::issues::v4::entity::{Issue, Seat, View};
use crate::params::Parameters;
use crate::time;
use crate::users::v4::Basic;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Todo {
    id: i64,
    project: Project,
    author: Basic,
    action_name: String,
    target_type: &'static str,
    target: Issue,
    target_url: String,
    body: String,
    state: String,
    created_at: String,
    updated_at: String,
}

#[derive(Debug, Serialize)]
struct Project {
    id: i64,
    description: Option<String>,
    name: String,
    name_with_namespace: String,
    path: String,
    path_with_namespace: String,
    created_at: String,
}

impl Todo {
    fn new(row: TodoRow, links: &Links, now: i64) -> Todo {
        let body = row.body.unwrap_or_else(|| row.issue.title.clone());
        let view = View { links, now, seat: Seat::Nowhere, labels: None, single: false };
        let target = Issue::new(row.issue, &view);
        let anchor = row.note_id.map(|note_id| format!("#note_{note_id}")).unwrap_or_default();
        let project = row.project;
        Todo {
            id: row.id,
            project: Project {
                id: project.id,
                description: project.description,
                name: project.name,
                name_with_namespace: project.name_with_namespace,
                path: project.path,
                path_with_namespace: project.path_with_namespace,
                created_at: time::utc(project.created_at),
            },
            author: Basic::new(row.author, links),
            action_name: row.action,
            target_type: "Issue",
            target_url: format!("{}{anchor}", target.web_url()),
            target,
            body,
            state: row.state,
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
        }
    }
}

/// Parameters of `GET /todos`.
#[derive(Debug, Parameters)]
struct Filter {
    action: Option<Action>,
    author_id: Option<i64>,
    project_id: Option<i64>,
    group_id: Option<i64>,
    state: Option<State>,
    #[param(rename = "type")]
    target_type: Option<Target>,
}

/// The first four are made here.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "snake_case")]
enum Action {
    Assigned,
    Mentioned,
    BuildFailed,
    Marked,
    ApprovalRequired,
    Unmergeable,
    DirectlyAddressed,
    MergeTrainRemoved,
    MemberAccessRequested,
    ReviewRequested,
    ReviewSubmitted,
}

/// The first is known here.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum Target {
    Issue,
    MergeRequest,
    Commit,
    Epic,
    #[param(rename = "DesignManagement::Design")]
    Design,
    #[param(rename = "AlertManagement::Alert")]
    Alert,
    Project,
    Namespace,
    Vulnerability,
    #[param(rename = "WikiPage::Meta")]
    WikiPage,
}

impl Filter {
    fn list(self) -> ListTodos {
        let action = match self.action {
            Some(Action::Assigned) => Some(ActionName::Assigned),
            Some(Action::Mentioned) => Some(ActionName::Mentioned),
            Some(Action::BuildFailed) => Some(ActionName::BuildFailed),
            Some(Action::Marked) => Some(ActionName::Marked),
            Some(_) | None => None,
        };
        let nothing = (self.action.is_some() && action.is_none())
            || self.target_type.is_some_and(|kind| kind != Target::Issue);
        ListTodos {
            action,
            author_id: self.author_id,
            project_id: self.project_id,
            group_id: self.group_id,
            state: self.state,
            target_type: nothing.then_some(TargetType::Commit),
        }
    }
}

/// GET /todos
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let filter = call.filters::<Filter>().map(Filter::list);
    page_of(call, filter, |row, links| Todo::new(row, links, call.now)).await
}

/// POST /projects/:id/issues/:issue_iid/todo
pub async fn create(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let marked = mark(call, id, by_number(iid)).await?;
    let reply = |(row, links)| Reply::json(201, &Todo::new(row, &links, call.now));
    Ok(marked.map_or(Reply::empty(304), reply))
}

/// POST /todos/:id/mark_as_done
pub async fn mark_done(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, links) = done(call, path_number("id", id)).await?;
    Ok(Reply::json(201, &Todo::new(row, &links, call.now)))
}

/// POST /todos/mark_as_done
pub async fn mark_all_done(call: &Call<'_>) -> Result<Reply> {
    let signed_in = call.sign_in(caller_head()).await?;
    sql::settle_all(&call.store, signed_in.caller.user.id, &ListTodos::default(), call.now).await?;
    Ok(Reply::empty(204))
}
