//! What happened to the labels, the milestone and the state of an issue (behaviour 13.2).

use super::milestone::Milestone;
use crate::areas::issues::MilestoneRow;
use crate::areas::issues::sql::seen;
use crate::areas::labels::LabelRow;
use crate::areas::labels::v4::Label;
use crate::areas::users::v4::BasicUser;
use crate::kernel::answers::person::UserRow;
use crate::kernel::call::path_number;
use crate::kernel::time;
use crate::kernel::{Action, Call, Entry, Error, Page, Reply, Result, Row};
use serde::Serialize;

edgeforge_row::statements!(mod sql: "src/areas/issues/events.sql");

#[derive(Debug, Clone, Copy)]
pub enum Kind {
    Label,
    Milestone,
    State,
}

impl Kind {
    /// The word that the database stores.
    fn word(self) -> &'static str {
        match self {
            Kind::Label => "label",
            Kind::Milestone => "milestone",
            Kind::State => "state",
        }
    }
}

#[derive(Debug, Row)]
struct EventRow {
    id: i64,
    issue_id: i64,
    user: UserRow,
    action: String,
    /// The state of the issue before the event.
    state: String,
    source_sha: Option<String>,
    created_at: i64,
    /// None if it was deleted.
    label: Option<LabelRow>,
    /// None if it was deleted.
    milestone: Option<MilestoneRow>,
}

#[derive(Debug, Serialize)]
struct Event {
    id: i64,
    user: BasicUser,
    created_at: String,
    resource_type: &'static str,
    /// The id, not the number.
    resource_id: i64,
    #[serde(flatten)]
    change: Change,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Change {
    Label { label: Option<Label>, action: String },
    Milestone { milestone: Option<Milestone>, action: String, state: String },
    State { source_commit: Option<String>, source_merge_request_id: Option<()>, state: String },
}

impl Event {
    fn new(row: EventRow, kind: Kind, call: &Call<'_>, entry: &Entry) -> Event {
        let EventRow { id, issue_id, user, action, state, source_sha, created_at, label, milestone } = row;
        let (path, links) = (&entry.resource.full_path, &entry.links);
        let change = match kind {
            Kind::Label => Change::Label { label: label.map(Label::new), action },
            Kind::Milestone => {
                let milestone = milestone.map(|row| Milestone::new(row, path, links, call.now));
                Change::Milestone { milestone, action, state }
            }
            Kind::State => {
                let sha = source_sha.filter(|_| entry.resource.may(Action::ReadCommits));
                let source_commit = sha.and_then(|sha| Some(sha.get(..7)?.to_owned()));
                Change::State { source_commit, source_merge_request_id: None, state: action }
            }
        };
        Event {
            id,
            user: BasicUser::new(user, links),
            created_at: time::utc(created_at),
            resource_type: "Issue",
            resource_id: issue_id,
            change,
        }
    }
}

pub async fn list(call: &Call<'_>, kind: Kind, iid: &str) -> Result<Reply> {
    let input = path_number("issue_iid", iid).and_then(|iid| Ok((iid, call.page()?)));
    let query = |(iid, page): &(i64, Page)| {
        (seen { iid: *iid }, sql::events { iid: *iid, kind: kind.word(), page: page.clone() })
    };
    let (_, entry, (seen, events)) = call.authorize_with(input, query).await?;
    seen.ok_or_else(Error::no_record)?;
    events.reply(call, |row| Event::new(row, kind, call, &entry))
}

pub async fn show(call: &Call<'_>, kind: Kind, iid: &str, event_id: &str) -> Result<Reply> {
    let input = path_number("issue_iid", iid).and_then(|iid| Ok((iid, path_number("event_id", event_id)?)));
    let query = |(iid, event_id): &(i64, i64)| {
        let (iid, event_id) = (*iid, *event_id);
        sql::event { iid, event_id, kind: kind.word() }
    };
    let (_, entry, row) = call.authorize_with(input, query).await?;
    Ok(Reply::json(200, &Event::new(row.ok_or_else(Error::no_record)?, kind, call, &entry)))
}
