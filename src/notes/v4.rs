//! Comments in v4, and discussions, each of which is one comment (behaviour 13.2).

use super::sql::{self, NoteRow, Shown};
use super::{NewNote, change, find, make, read, remove};
use crate::call::path_number;
use crate::call::{Call, Links};
use crate::constants::{Constant, Constants};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::issues::sql::IssueRef;
use crate::issues::v4::by_number;
use crate::page::{Key, Page, Sort};
use crate::params::Parameters;
use crate::policy::Action;
use crate::time;
use crate::users::v4::Basic;
use edgeforge_wire::text::sha1;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Note {
    id: i64,
    body: String,
    author: Basic,
    created_at: String,
    updated_at: String,
    system: bool,
    /// The issue's id; a commit has none.
    noteable_id: Option<i64>,
    /// The issue's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    noteable_iid: Option<i64>,
    noteable_type: &'static str,
    project_id: i64,
    /// What commands in the text did: there are none.
    commands_changes: Constants,
    #[serde(flatten)]
    constant: Constants,
}

const CONSTANT: Constants = Constants(&[
    (Constant::Null, &["type", "attachment"]),
    (Constant::Bool(false), &["resolvable", "confidential", "internal", "imported"]),
    (Constant::Text("none"), &["imported_from"]),
]);

impl Note {
    fn new(row: NoteRow, iid: i64, links: &Links) -> Note {
        Note {
            id: row.id,
            body: row.body,
            author: Basic::new(row.author, links),
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
            system: row.system,
            noteable_id: Some(row.issue_id),
            noteable_iid: Some(iid),
            noteable_type: "Issue",
            project_id: row.project_id,
            commands_changes: Constants(&[]),
            constant: CONSTANT,
        }
    }

    /// A comment on a commit.
    pub fn on_commit(id: i64, body: String, author: Basic, created_at: i64, project_id: i64) -> Note {
        Note {
            id,
            body,
            author,
            created_at: time::utc(created_at),
            updated_at: time::utc(created_at),
            system: false,
            noteable_id: None,
            noteable_iid: None,
            noteable_type: "Commit",
            project_id,
            commands_changes: Constants(&[]),
            constant: CONSTANT,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Discussion {
    id: String,
    individual_note: bool,
    notes: [Note; 1],
}

impl Discussion {
    fn new(row: NoteRow, iid: i64, links: &Links) -> Discussion {
        Discussion::of(Note::new(row, iid, links))
    }

    pub fn of(note: Note) -> Discussion {
        Discussion { id: discussion_id(note.id), individual_note: true, notes: [note] }
    }
}

/// What the discussion is called that a comment is.
fn discussion_id(note_id: i64) -> String {
    sha1(&format!("note:{note_id}"))
}

/// Parameters of the list.
#[derive(Debug, Parameters)]
struct Filter {
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
    activity_filter: Option<Activity>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "snake_case")]
enum OrderBy {
    CreatedAt,
    UpdatedAt,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
enum Activity {
    #[param(rename = "all_notes")]
    All,
    #[param(rename = "only_comments")]
    Comments,
    #[param(rename = "only_activity")]
    ByService,
}

impl Filter {
    fn shown(&self) -> Shown {
        Shown {
            ascending: self.sort == Some(Sort::Asc),
            by_update: self.order_by == Some(OrderBy::UpdatedAt),
            system: match self.activity_filter {
                Some(Activity::Comments) => Some(false),
                Some(Activity::ByService) => Some(true),
                Some(Activity::All) | None => None,
            },
        }
    }
}

/// A page of comments, each shown by `form`.
async fn page_of<T: Serialize>(
    call: &Call<'_>,
    id: &str,
    iid: &str,
    shown: Result<Shown>,
    form: fn(NoteRow, i64, &Links) -> T,
) -> Result<Reply> {
    let input = path_number("issue_iid", iid).and_then(|iid| Ok((iid, shown?, call.page()?)));
    let query = |(iid, shown, page): &(i64, Shown, Page)| sql::shown(IssueRef::Number(*iid), shown, page);
    let ((iid, shown, page), entered) = call.enter_with(id, Action::ReadIssues, input, query).await?;
    let (total, mut rows) = read(&entered)?;
    let total = page.cut_counted(&mut rows, Some(total));
    let cursor = rows.last().and_then(|row| page.next(shown.position(row).map(Key::Int)));
    let items: Vec<T> = rows.into_iter().map(|row| form(row, iid, &entered.links)).collect();
    call.listing(&page, total, &[], cursor, &items)
}

/// GET /projects/:id/issues/:issue_iid/notes
pub async fn list(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let shown = call.filters::<Filter>().map(|filter| filter.shown());
    page_of(call, id, iid, shown, Note::new).await
}

/// GET /projects/:id/issues/:issue_iid/discussions: oldest first.
pub async fn list_discussions(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let shown = Shown { ascending: true, by_update: false, system: None };
    page_of(call, id, iid, Ok(shown), Discussion::new).await
}

/// The issue and the comment that a path names.
fn named(iid: &str, note_id: &str) -> Result<(IssueRef, i64)> {
    Ok((by_number(iid)?, path_number("note_id", note_id)?))
}

/// The number of an issue that a request has named well.
fn told(iid: &str) -> i64 {
    iid.parse().unwrap_or_default()
}

/// GET /projects/:id/issues/:issue_iid/notes/:note_id
pub async fn show(call: &Call<'_>, id: &str, iid: &str, note_id: &str) -> Result<Reply> {
    let (entered, row) = find(call, id, named(iid, note_id)).await?;
    Ok(Reply::json(200, &Note::new(row, told(iid), &entered.links)))
}

/// What `POST` of notes and discussions adds to [`NewNote`].
#[derive(Debug, Parameters)]
struct Further {
    internal: Option<bool>,
    confidential: Option<bool>,
}

/// A comment that is not for everybody is refused: it would be shown to all.
fn new(call: &Call<'_>) -> Result<NewNote> {
    let Further { internal, confidential } = call.creation()?;
    for (name, given) in [("internal", internal), ("confidential", confidential)] {
        if given == Some(true) {
            return Err(Error::field(name, "is not supported"));
        }
    }
    call.creation()
}

/// POST /projects/:id/issues/:issue_iid/notes
pub async fn create(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let written = make(call, id, by_number(iid), new(call)).await?;
    Ok(written.reply(201, |row, links| Note::new(row, told(iid), links)))
}

/// PUT /projects/:id/issues/:issue_iid/notes/:note_id
pub async fn update(call: &Call<'_>, id: &str, iid: &str, note_id: &str) -> Result<Reply> {
    let (row, links) = change(call, id, named(iid, note_id), call.creation()).await?;
    Ok(Reply::json(200, &Note::new(row, told(iid), &links)))
}

/// DELETE /projects/:id/issues/:issue_iid/notes/:note_id
pub async fn delete(call: &Call<'_>, id: &str, iid: &str, note_id: &str) -> Result<Reply> {
    remove(call, id, named(iid, note_id)).await?;
    Ok(Reply::empty(204))
}

/// The issue, and the id of the comment that is a discussion. The discussion's name tells nothing of that id, so the names of
/// the issue's comments are made until one is this.
async fn of_discussion(call: &Call<'_>, id: &str, iid: &str, name: &str) -> Result<(IssueRef, i64)> {
    let mut after = 0;
    loop {
        let query = |issue: &IssueRef| sql::ids(*issue, after);
        let (issue, entered) = call.enter_with(id, Action::ReadIssues, by_number(iid), query).await?;
        let ids: Vec<i64> = entered.rows.first()?.unwrap_or_default();
        if let Some(note_id) = ids.iter().find(|note_id| discussion_id(**note_id) == name) {
            return Ok((issue, *note_id));
        }
        let last = ids.last().copied().filter(|_| ids.len() == sql::MOST_IDS);
        after = last.ok_or_else(|| Error::missing("Discussion"))?;
    }
}

/// GET /projects/:id/issues/:issue_iid/discussions/:discussion_id
pub async fn show_discussion(call: &Call<'_>, id: &str, iid: &str, name: &str) -> Result<Reply> {
    let note = of_discussion(call, id, iid, name).await?;
    let (entered, row) = find(call, id, Ok(note)).await?;
    Ok(Reply::json(200, &Discussion::new(row, told(iid), &entered.links)))
}

/// POST /projects/:id/issues/:issue_iid/discussions
pub async fn create_discussion(call: &Call<'_>, id: &str, iid: &str) -> Result<Reply> {
    let written = make(call, id, by_number(iid), new(call)).await?;
    Ok(written.reply(201, |row, links| Discussion::new(row, told(iid), links)))
}

/// POST /projects/:id/issues/:issue_iid/discussions/:discussion_id/notes: a comment of its own.
pub async fn answer(call: &Call<'_>, id: &str, iid: &str, name: &str) -> Result<Reply> {
    of_discussion(call, id, iid, name).await?;
    create(call, id, iid).await
}
