//! Lists of what users did in projects (behaviour 14.7). Who may see an event is decided when it is read.

pub mod v4;

use crate::areas::comments::CommentRow;
use crate::areas::notes::NoteRow;
use crate::kernel::answers::person::UserRow;
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
use crate::kernel::policy::{self, Visibility};
use crate::kernel::store::Value;
use crate::kernel::time::DAY;
use crate::kernel::{Action, Page, Parameters, PreparedQuery, Query, Result, Row, instant};
use serde_json::{Value as Json, json};

edgeforge_row::statements!(mod sql: "src/areas/activity/lists.sql");

#[derive(Debug, Row)]
pub struct EventRow {
    id: i64,
    project_id: i64,
    author_id: i64,
    author: Option<UserRow>,
    kind: String,
    action: String,
    target_id: Option<i64>,
    /// JSON: the number and title of a milestone, or the push.
    detail: Option<String>,
    note: Option<NoteRow>,
    /// The issue of the event, or of its comment.
    issue: Option<IssueTitle>,
    has_milestone: bool,
    /// A comment on a commit, and the beginning of the commit's message.
    comment: Option<CommentRow>,
    message: Option<String>,
    created_at: i64,
}

#[derive(Debug, Row)]
pub struct IssueTitle {
    iid: i64,
    title: String,
}

/// The last four match no event.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum ActionFilter {
    Created,
    Closed,
    Reopened,
    Pushed,
    Commented,
    Joined,
    Left,
    Destroyed,
    Updated,
    Merged,
    Expired,
    Approved,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum TargetType {
    Issue,
    Milestone,
    Note,
    Project,
    MergeRequest,
    Snippet,
    User,
    Wiki,
    Design,
}

#[derive(Debug, Parameters)]
struct Filter {
    action: Option<ActionFilter>,
    target_type: Option<TargetType>,
    before: Option<String>,
    after: Option<String>,
    sort: Option<Sort>,
}

/// A filter as it was read.
struct Range {
    action: Option<&'static str>,
    target: Option<&'static str>,
    /// First time, and the time that ends the range.
    from: Option<i64>,
    to: Option<i64>,
    ascending: bool,
}

/// Whose events.
enum EventScope {
    Project,
    /// An id or a path. Null for the caller.
    Author(Value),
    Memberships,
}

/// The most events before a page that has no cursor.
const FARTHEST: i64 = 2_500;

/// The kinds of events: name, target type, the action that a caller needs to see them, and what users did.
const KINDS: [(&str, &str, Action, &[&str]); 7] = [
    ("issue", "issue", Action::ReadIssues, &["created", "closed", "reopened"]),
    ("note", "note", Action::ReadIssues, &["commented"]),
    ("push", "", Action::ReadCommits, &["pushed"]),
    // comments on commits
    ("push", "note", Action::ReadCommits, &["commented"]),
    ("milestone", "milestone", Action::ReadMilestones, &["created", "closed", "reopened", "destroyed"]),
    ("member", "", Action::ReadMembers, &["joined", "left"]),
    ("project", "project", Action::ReadProject, &["created"]),
];

impl Filter {
    fn range(self) -> Result<Range> {
        let day = |name, text: Option<String>| -> Result<Option<i64>> {
            Ok(instant(name, text.as_deref())?.map(|time| time.div_euclid(DAY)))
        };
        Ok(Range {
            action: self.action.map(ActionFilter::word),
            target: self.target_type.map(TargetType::word),
            from: day("after", self.after)?.map(|day| (day + 1) * DAY),
            to: day("before", self.before)?.map(|day| day * DAY),
            ascending: self.sort == Some(Sort::Asc),
        })
    }
}

impl Range {
    /// The kinds and actions of the filter, as JSON for `:kinds`.
    fn kinds(&self) -> String {
        let is_asked = |given: Option<&str>, word: &str| given.is_none_or(|given| given == word);
        let of_kind = KINDS.iter().filter(|(_, target, ..)| is_asked(self.target, target));
        let kinds = of_kind.flat_map(|&(kind, _, least, actions)| {
            let (access, visibility) = policy::least(least);
            let (access, visibility) = (access.level(), visibility.map(Visibility::level));
            let needs_issues = matches!(kind, "issue" | "note");
            let asked = actions.iter().filter(|action| is_asked(self.action, action));
            asked.map(move |action| {
                json!({
                    "kind": kind, "action": action, "access": access, "visibility": visibility,
                    "needs_issues": needs_issues,
                })
            })
        });
        kinds.collect::<Json>().to_string()
    }

    fn query(&self, of: EventScope, page: Page) -> PreparedQuery<Listed<EventRow>> {
        let Range { from: first, to: last, ascending, .. } = *self;
        let (kinds, ascends) = (self.kinds(), ascending);
        let bounds = json!([first, last].into_iter().flatten().collect::<Vec<_>>()).to_string();
        match of {
            EventScope::Project => sql::of_project { ascending, ascends, bounds, first, last, kinds, page }.prepare(),
            EventScope::Author(author) => {
                sql::of_author { ascending, ascends, author, bounds, first, last, kinds, page }.prepare()
            }
            EventScope::Memberships => {
                sql::of_memberships { ascending, ascends, bounds, first, last, kinds, page }.prepare()
            }
        }
    }
}
