//! Lists of what users did in projects (behaviour 14.7). Who may see an event is decided when it is read.

pub mod v4;

use crate::error::Result;
use crate::notes::NoteRow;
use crate::page::{EVER, Key, Page, Sort};
use crate::params::Parameters;
use crate::person::UserRow;
use crate::policy::{self, Action, Visibility};
use crate::store::{Row, Statement, Value};
use crate::walk;
use serde_json::json;

mod sql {
    use super::Order;
    use crate::sql::{include_sql, ordered_sql};
    macro_rules! impl_sql {
        ($($file:tt)*) => { ordered_sql! { Order { Id: "e.id" } $($file)* } };
    }
    include_sql!("src/activity/lists.sql");
}

#[derive(Debug, Clone, Copy)]
pub enum Order {
    Id,
}

#[derive(Debug, Row)]
struct EventRow {
    id: i64,
    project_id: i64,
    author_id: i64,
    author: Option<UserRow>,
    kind: String,
    action: String,
    target_id: Option<i64>,
    /// JSON: number and title of a milestone, or what was pushed.
    detail: Option<String>,
    note: Option<NoteRow>,
    /// Of the event or of its comment.
    issue: Option<Titled>,
    has_milestone: bool,
    created_at: i64,
}

#[derive(Debug, Row)]
struct Titled {
    iid: i64,
    title: String,
}

/// The last four match no event.
#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
enum Deed {
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
#[param(rename_all = "snake_case")]
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

#[derive(Debug, Parameters, Default)]
#[param(default)]
struct Filter {
    action: Option<Deed>,
    target_type: Option<TargetType>,
    before: Option<String>,
    after: Option<String>,
    sort: Option<Sort>,
}

/// A filter as it was read.
struct Range {
    action: Option<String>,
    kind: Option<String>,
    /// First time, and the time that ends the range.
    from: Option<i64>,
    to: Option<i64>,
    ascending: bool,
}

/// Whose events.
enum Of {
    Project,
    /// An id or a path. Null for the caller.
    Author(Value),
    Memberships,
}

const DAY: i64 = 86_400_000;

/// Events that a page without filters reads beyond its size, in place of those that the caller may not see.
const BESIDE: i64 = 200;
/// Events behind which a page needs a cursor.
const FARTHEST: i64 = 2_500;
/// Events that a page reads at most. Each costs up to 21 rows: its project, issue, comment and members.
const MOST: i64 = 8_000;

/// The access and the visibility that it takes to see events of a kind.
fn levels() -> String {
    let least = |action| {
        let (access, visibility) = policy::least(action);
        json!([access.level(), visibility.map(Visibility::level)])
    };
    json!({
        "issue": least(Action::ReadIssues), "note": least(Action::ReadIssues), "push": least(Action::ReadCommits),
        "milestone": least(Action::ReadMilestones), "member": least(Action::ReadMembers), "project": least(Action::ReadProject),
    })
    .to_string()
}

impl Filter {
    fn range(self) -> Result<Range> {
        let day = |name, text: Option<String>| -> Result<Option<i64>> {
            Ok(walk::instant(name, text.as_deref())?.map(|time| time.div_euclid(DAY)))
        };
        let word = |debug: String| debug.to_lowercase();
        Ok(Range {
            action: self.action.map(|deed| word(format!("{deed:?}"))),
            kind: self.target_type.map(|kind| word(format!("{kind:?}"))),
            from: day("after", self.after)?.map(|day| (day + 1) * DAY),
            to: day("before", self.before)?.map(|day| day * DAY),
            ascending: self.sort == Some(Sort::Asc),
        })
    }
}

impl Range {
    fn query(&self, of: Of, page: &Page) -> Statement {
        let Range { from, to, ascending, .. } = *self;
        let beginning = if ascending { -EVER } else { EVER };
        let ([at], skip) = page.begin([Key::Int(beginning)]);
        let (most, order) = (page.size + 1, Order::Id);
        let looks = match (&self.action, &self.kind, skip) {
            (None, None, 0) => most + BESIDE,
            _ => walk::steps(page, skip, true).min(MOST),
        };
        let bounds = json!([from, to].into_iter().flatten().collect::<Vec<_>>()).to_string();
        let (action, kind, levels) = (self.action.as_deref(), self.kind.as_deref(), levels());
        let (author, memberships) = match of {
            Of::Project => {
                return sql::of_project {
                    order,
                    ascending,
                    bounds,
                    at,
                    from,
                    to,
                    looks,
                    action,
                    kind,
                    levels,
                    most,
                    skip,
                }
                .into();
            }
            Of::Author(author) => (author, false),
            Of::Memberships => (Value::Null, true),
        };
        sql::of_people {
            order,
            ascending,
            author,
            memberships,
            bounds,
            at,
            from,
            to,
            looks,
            action,
            kind,
            levels,
            most,
            skip,
        }
        .into()
    }
}
