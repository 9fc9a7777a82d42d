use super::milestone::Milestone;
use super::tasks::Tasks;
use super::time_stats::TimeStats;
use crate::areas::issues::IssueRow;
use crate::areas::issues::record::PlainFields;
use crate::areas::labels::v4::{Label, WholeLabels};
use crate::areas::users::v4::BasicUser;
use crate::kernel::Links;
use crate::kernel::answers::constants::{Constant, Constants};
use crate::kernel::dialect::Dialect;
use crate::kernel::time;
use serde::Serialize;
use std::collections::BTreeSet;

/// The place in the path of the request. `references.relative` is relative to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RelativeTo {
    Project,
    Group,
    Nowhere,
}

pub struct View<'a> {
    pub links: &'a Links,
    pub now: i64,
    pub relative_to: RelativeTo,
    /// Labels by project and title. None if the answer has only titles.
    pub labels: Option<&'a WholeLabels>,
    /// Whether the answer is one issue. Only then it has `subscribed`.
    pub single: bool,
}

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
    closed_at: Option<String>,
    closed_by: Option<BasicUser>,
    labels: Labels,
    milestone: Option<Milestone>,
    assignees: Vec<BasicUser>,
    author: BasicUser,
    assignee: Option<BasicUser>,
    user_notes_count: i64,
    upvotes: i64,
    downvotes: i64,
    blocking_issues_count: i64,
    #[serde(flatten)]
    plain: PlainFields,
    discussion_locked: Option<bool>,
    web_url: String,
    time_stats: TimeStats,
    task_completion_status: Tasks,
    has_tasks: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_status: Option<String>,
    _links: Addresses,
    references: References,
    #[serde(skip_serializing_if = "Option::is_none")]
    subscribed: Option<bool>,
    moved_to_id: Option<i64>,
    #[serde(flatten)]
    constant: Constants,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Labels {
    Titles(BTreeSet<String>),
    Whole(Vec<Label>),
}

#[derive(Debug, Serialize)]
struct Addresses {
    #[serde(rename = "self")]
    own: String,
    notes: String,
    award_emoji: String,
    project: String,
    closed_as_duplicate_of: Option<()>,
}

#[derive(Debug, Serialize)]
struct References {
    short: String,
    relative: String,
    full: String,
}

const CONSTANT: Constants = Constants(&[
    (Constant::Text("ISSUE"), &["type"]),
    (Constant::Text("issue"), &["issue_type"]),
    (Constant::Number(0), &["merge_requests_count"]),
    (Constant::Null, &["start_date", "service_desk_reply_to"]),
    (Constant::Text("UNKNOWN"), &["severity"]),
    (Constant::Bool(false), &["imported"]),
    (Constant::Text("none"), &["imported_from"]),
]);

impl Issue {
    pub fn new(row: IssueRow, view: &View<'_>) -> Issue {
        let View { links, now, relative_to, single, .. } = *view;
        let short = format!("#{}", row.iid);
        let full = format!("{}{short}", row.full_path);
        let path = row.full_path.rsplit('/').next().unwrap_or_default();
        let relative = match relative_to {
            RelativeTo::Project => short.clone(),
            RelativeTo::Group => format!("{path}{short}"),
            RelativeTo::Nowhere => full.clone(),
        };
        let project = format!("{}{}/projects/{}", links.base, Dialect::V4.base_path(), row.project_id);
        let own = format!("{project}/issues/{}", row.iid);
        let _links = Addresses {
            notes: format!("{own}/notes"),
            award_emoji: format!("{own}/award_emoji"),
            own,
            project,
            closed_as_duplicate_of: None,
        };
        let time_stats = TimeStats::of(&row);
        let (author, assignee, closed_by) = (row.author(), row.assignee(), row.closed_by());
        let labels = match view.labels {
            None => Labels::Titles(row.labels),
            Some(known) => {
                let label = |title| known.get(&(row.project_id, title)).cloned();
                Labels::Whole(row.labels.into_iter().filter_map(label).collect())
            }
        };
        let tasks = Tasks::of(row.description.as_deref().unwrap_or_default());
        let basic = |user| BasicUser::new(user, links);
        Issue {
            id: row.id,
            iid: row.iid,
            project_id: row.project_id,
            title: row.title,
            description: row.description,
            state: row.state,
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
            closed_at: row.closed_at.map(time::utc),
            closed_by: closed_by.map(basic),
            labels,
            milestone: row.milestone.map(|milestone| Milestone::new(milestone, &row.full_path, links, now)),
            assignees: assignee.iter().cloned().map(basic).collect(),
            author: basic(author),
            assignee: assignee.map(basic),
            user_notes_count: row.user_notes_count,
            upvotes: row.upvotes,
            downvotes: row.downvotes,
            blocking_issues_count: row.blocking,
            plain: row.plain,
            discussion_locked: row.discussion_locked.map(|locked| locked == 1),
            web_url: format!("{}/{}/-/issues/{}", links.base, row.full_path, row.iid),
            time_stats,
            has_tasks: tasks.count > 0,
            task_status: tasks.summary(),
            task_completion_status: tasks,
            _links,
            references: References { short, relative, full },
            subscribed: single.then_some(row.subscribed),
            moved_to_id: row.moved_to_id,
            constant: CONSTANT,
        }
    }

    pub fn single(row: IssueRow, links: &Links, now: i64) -> Issue {
        Issue::new(row, &View { links, now, relative_to: RelativeTo::Project, labels: None, single: true })
    }

    pub fn web_url(&self) -> &str {
        &self.web_url
    }
}
