use super::{ACTIONS, Filter, Project, State, TodoRow};
use crate::areas::issues::v4::by_number;
use crate::areas::issues::v4::entity::{Issue, RelativeTo, View};
use crate::areas::users::v4::BasicUser;
use crate::kernel::call::path_number;
use crate::kernel::time;
use crate::kernel::{Call, Links, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Todo {
    id: i64,
    project: Project,
    author: BasicUser,
    action_name: String,
    target_type: &'static str,
    target: Issue,
    target_url: String,
    body: String,
    state: String,
    created_at: String,
    updated_at: String,
}

impl Todo {
    fn new(row: TodoRow, links: &Links, now: i64) -> Todo {
        let body = row.body();
        let view = View { links, now, relative_to: RelativeTo::Nowhere, labels: None, single: false };
        let target = Issue::new(row.issue, &view);
        Todo {
            id: row.id,
            project: row.project,
            author: BasicUser::new(row.author, links),
            action_name: row.action,
            target_type: "Issue",
            target_url: super::target_url(target.web_url(), row.note_id),
            target,
            body,
            state: row.state,
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
        }
    }
}

#[derive(Debug, Parameters)]
struct ListParams {
    action: Option<Action>,
    author_id: Option<i64>,
    project_id: Option<i64>,
    group_id: Option<i64>,
    state: Option<State>,
    #[param(rename = "type")]
    target_type: Option<Target>,
}

/// The first four are [`ACTIONS`] in their order.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
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

/// Every item has the first type.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(verbatim)]
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

impl ListParams {
    fn filter(self) -> Filter {
        let actions = match (self.target_type, self.action) {
            (Some(kind), _) if kind != Target::Issue => Vec::new(),
            (_, None) => ACTIONS.to_vec(),
            // no item has another action
            (_, Some(action)) => ACTIONS.get(action as usize).copied().into_iter().collect(),
        };
        let ListParams { author_id, project_id, group_id, .. } = self;
        Filter { actions, author_id, project_id, group_id, is_done: self.state == Some(State::Done) }
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (walked, page, links) = super::page_of(call, call.filters().map(ListParams::filter)).await?;
    walked.reply(call, &page, |row| Todo::new(row, &links, call.now))
}

pub async fn create(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let marked = super::mark(call, by_number(iid)).await?;
    let reply = |(row, links)| Reply::json(201, &Todo::new(row, &links, call.now));
    Ok(marked.map_or(Reply::empty(304), reply))
}

pub async fn mark_done(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, links) = super::settle(call, path_number("id", id)).await?;
    Ok(Reply::json(201, &Todo::new(row, &links, call.now)))
}

pub async fn mark_all_done(call: &Call<'_>) -> Result<Reply> {
    super::settle_all(call, Ok(Filter::pending())).await?;
    Ok(Reply::empty(204))
}
