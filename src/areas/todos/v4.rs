use super::{Filter, OF_V4, Project, State, TodoRow, actions, shown_action};
use crate::areas::commits::v4::{Commit, CommitExtras};
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
    action_name: &'static str,
    target_type: &'static str,
    target: Target,
    target_url: String,
    body: String,
    state: String,
    created_at: String,
    updated_at: String,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Target {
    Issue(Box<Issue>),
    Commit(Option<Box<Commit>>),
}

impl Todo {
    fn new(row: TodoRow, links: &Links, now: i64) -> Todo {
        let (target_type, title) = row.target();
        let body = row.body.unwrap_or(title);
        let view = View { links, now, relative_to: RelativeTo::Nowhere, labels: None, single: false };
        let page = format!("{}/{}", links.base, row.project.names.path_with_namespace);
        let (target, url) = match (row.issue, row.commit) {
            (Some(issue), _) => {
                let issue = Issue::new(issue, &view);
                let url = issue.web_url().to_owned();
                (Target::Issue(Box::new(issue)), url)
            }
            (None, commit) => {
                let url = commit.as_ref().map(|commit| format!("{page}/-/commit/{}", commit.sha));
                let commit = commit.map(|row| Box::new(Commit::new(row, &page, CommitExtras::default())));
                (Target::Commit(commit), url.unwrap_or_default())
            }
        };
        Todo {
            id: row.id,
            project: row.project,
            author: BasicUser::new(row.author, links),
            action_name: shown_action(OF_V4, &row.action),
            target_type,
            target_url: super::target_url(&url, row.note_id.or(row.comment_id)),
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
    target_type: Option<TargetType>,
}

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

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(verbatim)]
enum TargetType {
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
        let actions = actions(OF_V4, self.action.map(Action::word), self.target_type.map(TargetType::word));
        let ListParams { author_id, project_id, group_id, .. } = self;
        Filter { actions, author_id, project_id, group_id, is_done: self.state == Some(State::Done) }
    }
}

pub async fn list(call: &Call<'_>) -> Result<Reply> {
    let (todos, links) = super::page_of(call, call.filters().map(ListParams::filter)).await?;
    todos.reply(call, |row| Todo::new(row, &links, call.now))
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
