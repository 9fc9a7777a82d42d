use super::{EventRow, EventScope, FARTHEST, Filter, Range};
use crate::areas::comments::discussions;
use crate::areas::notes::v4::Note;
use crate::areas::projects::sql::is_user;
use crate::areas::users::v4::BasicUser;
use crate::kernel::call::place_named;
use crate::kernel::lists::Listed;
use crate::kernel::store::Value;
use crate::kernel::text::title::title as title_of;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Links, Page, Parameters, Reply, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
struct Event {
    id: i64,
    project_id: i64,
    action_name: &'static str,
    target_id: Option<i64>,
    target_iid: Option<i64>,
    target_type: Option<&'static str>,
    author_id: i64,
    target_title: Option<String>,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<Note>,
    author: Option<BasicUser>,
    #[serde(skip_serializing_if = "Option::is_none")]
    push_data: Option<serde_json::Value>,
    author_username: Option<String>,
}

fn action_name(kind: &str, action: &str, push_action: Option<&str>) -> &'static str {
    match (kind, action, push_action) {
        (_, "commented", _) => "commented on",
        ("push", _, Some("created")) => "pushed new",
        ("push", _, Some("removed")) => "deleted",
        ("push", ..) => "pushed to",
        ("issue" | "milestone", "created", _) => "opened",
        (_, "created", _) => "created",
        (_, "closed", _) => "closed",
        (_, "reopened", _) => "reopened",
        (_, "destroyed", _) => "destroyed",
        (_, "joined", _) => "joined",
        _ => "left",
    }
}

impl Event {
    fn new(row: EventRow, links: &Links) -> Event {
        let EventRow { id, project_id, author_id, author, kind, action, target_id, note, issue, .. } = row;
        let detail: Option<serde_json::Value> = row.detail.and_then(|text| serde_json::from_str(&text).ok());
        let of_detail = |name: &str| detail.as_ref().and_then(|detail| detail.get(name)).cloned();
        let (issue_iid, title) = issue.map(|issue| (issue.iid, issue.title)).unzip();
        let push_action = of_detail("action");
        let action_name = action_name(&kind, &action, push_action.as_ref().and_then(|word| word.as_str()));
        let (target_type, target_id, target_iid, target_title) = match kind.as_str() {
            "issue" => (Some("Issue"), target_id, issue_iid, title),
            "note" => (Some("Note"), target_id, target_id, title),
            "push" if row.comment.is_some() => {
                (Some("Note"), target_id, target_id, row.message.as_deref().map(title_of))
            }
            "milestone" => {
                let text = of_detail("title").and_then(|title| title.as_str().map(str::to_owned));
                let iid = of_detail("iid").and_then(|iid| iid.as_i64());
                (Some("Milestone"), target_id.filter(|_| row.has_milestone), iid, text)
            }
            _ => (None, None, None, None),
        };
        Event {
            id,
            project_id,
            action_name,
            target_id,
            target_iid,
            target_type,
            author_id,
            target_title,
            created_at: time::utc(row.created_at),
            note: match row.comment {
                Some(comment) => Some(discussions::note(comment, links)),
                None => note.zip(issue_iid).map(|(note, iid)| Note::new(note, iid, links)),
            },
            author_username: author.as_ref().map(|author| author.username.clone()),
            author: author.map(|author| BasicUser::new(author, links)),
            push_data: detail.filter(|_| kind == "push"),
        }
    }
}

#[derive(Debug, Parameters)]
struct Width {
    /// GitLab takes any text and knows `all`.
    scope: Option<String>,
}

type ListRequest = (Range, Page);

fn read(call: &Call<'_>) -> Result<ListRequest> {
    let (page, filter) = (call.page(), call.filters::<Filter>());
    let page = page?.reaching(FARTHEST);
    Ok((filter?.range()?, page))
}

fn reply(call: &Call<'_>, entry: &Entry, events: Listed<EventRow>) -> Result<Reply> {
    events.reply(call, |row| Event::new(row, &entry.links))
}

pub async fn of_project(call: &Call<'_>) -> Result<Reply> {
    let query = |(range, page): &ListRequest| range.query(EventScope::Project, page.clone());
    let (_, entry, events) = call.authorize_with(read(call), query).await?;
    reply(call, &entry, events)
}

/// The caller's own events, or with `scope=all` those of the projects that the caller is a member of.
pub async fn own(call: &Call<'_>) -> Result<Reply> {
    let width = call.filters::<Width>();
    let input = read(call).and_then(|asked| Ok((asked, width?)));
    let query = |((range, page), width): &(ListRequest, Width)| {
        let is_all = width.scope.as_deref() == Some("all");
        range.query(if is_all { EventScope::Memberships } else { EventScope::Author(Value::Null) }, page.clone())
    };
    let (_, entry, events) = call.authorize_with(input, query).await?;
    reply(call, &entry, events)
}

pub async fn of_user(call: &Call<'_>, id_or_username: &str) -> Result<Reply> {
    let user = place_named(id_or_username);
    let query = |(range, page): &ListRequest| {
        (range.query(EventScope::Author(user.clone()), page.clone()), is_user { user: user.clone() })
    };
    let (_, entry, (events, users)) = call.authorize_with(read(call), query).await?;
    if users.is_empty() {
        return Err(Error::missing("User"));
    }
    reply(call, &entry, events)
}
