use super::{Filter, OF_V4, Project, State, TodoRow, actions};
use crate::areas::commits::CommitRow;
use crate::areas::commits::v4::{Commit, CommitExtras};
use crate::areas::issues::v4::by_number;
use crate::areas::issues::v4::entity::{Issue, RelativeTo, View};
use crate::areas::users::v4::BasicUser;
use crate::kernel::call::path_number;
use crate::kernel::{Call, Links, Parameters, Reply, Result};
use serde::Serialize;

type Todo = super::Todo<Project, BasicUser, Target>;

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Target {
    Issue(Box<Issue>),
    Commit(Option<Box<Commit>>),
}

fn shown(row: TodoRow, links: &Links, now: i64) -> Todo {
    let page = format!("{}/{}", links.base, row.project.names.path_with_namespace);
    let target = |issue, commit: Option<CommitRow>| match issue {
        Some(issue) => {
            let view = View { links, now, relative_to: RelativeTo::Nowhere, labels: None, single: false };
            let issue = Issue::new(issue, &view);
            let url = issue.web_url().to_owned();
            (Target::Issue(Box::new(issue)), url)
        }
        None => {
            let url = commit.as_ref().map(|commit| format!("{page}/-/commit/{}", commit.sha));
            let commit = commit.map(|row| Box::new(Commit::new(row, &page, CommitExtras::default())));
            (Target::Commit(commit), url.unwrap_or_default())
        }
    };
    Todo::new(row, OF_V4, |project| project, |user| BasicUser::new(user, links), target)
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
    todos.reply(call, |row| shown(row, &links, call.now))
}

pub async fn create(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let marked = super::mark(call, by_number(iid)).await?;
    let reply = |(row, links)| Reply::json(201, &shown(row, &links, call.now));
    Ok(marked.map_or(Reply::empty(304), reply))
}

pub async fn mark_done(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, links) = super::settle(call, path_number("id", id)).await?;
    Ok(Reply::json(201, &shown(row, &links, call.now)))
}

pub async fn mark_all_done(call: &Call<'_>) -> Result<Reply> {
    super::settle_all(call, Ok(Filter::pending())).await?;
    Ok(Reply::empty(204))
}
