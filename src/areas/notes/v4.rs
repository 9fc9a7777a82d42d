//! Comments and discussions in v4 (behaviour 13.2). A discussion has exactly one comment.

use super::{NewNote, NoteRef, NoteRow, NoteSearchRow, Order, commands, sql};
use crate::areas::awards::v4::V4;
use crate::areas::awards::{Award, shown};
use crate::areas::issues::v4::by_number;
use crate::areas::users::v4::BasicUser;
use crate::areas::words::{Asked, NOT_INDEXED, patterns, reach, words_of};
use crate::kernel::answers::constants::{Constant, Constants};
use crate::kernel::answers::discussion::{Position, discussion_id, note_id as note_id_of};
use crate::kernel::call::path_number;
use crate::kernel::empty_answers;
use crate::kernel::lists::Listed;
use crate::kernel::paging::Sort;
use crate::kernel::time;
use crate::kernel::{Call, Entry, Error, Links, Page, Parameters, PreparedQuery, Query, Reply, Result};
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Debug, Serialize)]
pub struct Note {
    id: i64,
    /// `DiffNote` on a line of a commit.
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    body: String,
    author: BasicUser,
    created_at: String,
    updated_at: String,
    system: bool,
    /// The id of the issue. None for a commit.
    noteable_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    noteable_iid: Option<i64>,
    noteable_type: &'static str,
    project_id: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
    /// What the commands of a new comment changed.
    commands_changes: Value,
    /// Only if the request asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    award_emoji: Option<Vec<Award<BasicUser>>>,
    #[serde(flatten)]
    constant: Constants,
}

const CONSTANT: Constants = Constants(&[
    (Constant::Null, &["attachment"]),
    (Constant::Bool(false), &["resolvable", "confidential", "internal", "imported"]),
    (Constant::Text("none"), &["imported_from"]),
]);

impl Note {
    pub fn new(mut row: NoteRow, iid: i64, links: &Links) -> Note {
        let commands_changes = row.commands_changes();
        let awards = row.awards.take();
        let award_emoji = awards.map(|all| all.into_iter().map(|award| shown::<V4>(award, links)).collect());
        Note {
            id: row.id,
            kind: None,
            body: row.body(),
            author: BasicUser::new(row.author, links),
            created_at: time::utc(row.created_at),
            updated_at: time::utc(row.updated_at),
            system: row.system,
            noteable_id: Some(row.issue_id),
            noteable_iid: Some(iid),
            noteable_type: "Issue",
            project_id: row.project_id,
            position: None,
            commands_changes,
            award_emoji,
            constant: CONSTANT,
        }
    }

    pub fn on_commit(
        id: i64,
        body: String,
        author: BasicUser,
        [created_at, updated_at]: [i64; 2],
        project_id: i64,
        position: Option<Position>,
    ) -> Note {
        Note {
            id,
            kind: position.as_ref().map(|_| "DiffNote"),
            body,
            author,
            created_at: time::utc(created_at),
            updated_at: time::utc(updated_at),
            system: false,
            noteable_id: None,
            noteable_iid: None,
            noteable_type: "Commit",
            project_id,
            position,
            commands_changes: json!({}),
            award_emoji: None,
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

#[derive(Debug, Parameters)]
struct Filter {
    order_by: Option<OrderBy>,
    sort: Option<Sort>,
    activity_filter: Option<Activity>,
    /// Whether to list system comments for which there is a resource event, too. GitLab has no such parameter.
    include_events: Option<bool>,
    /// Whether to show the emoji of each comment. GitLab has no such parameter.
    award_emoji: Option<bool>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
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
    fn order(&self) -> Order {
        Order {
            ascending: self.sort == Some(Sort::Asc),
            by_update: self.order_by == Some(OrderBy::UpdatedAt),
            system: match self.activity_filter {
                Some(Activity::Comments) => Some(false),
                Some(Activity::ByService) => Some(true),
                Some(Activity::All) | None => None,
            },
            events: self.include_events == Some(true),
            awards: self.award_emoji == Some(true),
        }
    }
}

async fn page_of<T: Serialize>(
    call: &Call<'_>,
    iid: &str,
    order: Result<Order>,
    form: fn(NoteRow, i64, &Links) -> T,
) -> Result<Reply> {
    let input = by_number(iid).and_then(|issue| Ok((issue, order?, call.page()?)));
    let (notes, links) = super::page_of(call, input).await?;
    notes.reply(call, |row| form(row, validated_number(iid), &links))
}

pub async fn list(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let order = call.filters::<Filter>().map(|filter| filter.order());
    page_of(call, iid, order, Note::new).await
}

/// Oldest first.
pub async fn list_discussions(call: &Call<'_>, iid: &str) -> Result<Reply> {
    page_of(call, iid, Ok(Order::OLDEST_FIRST), Discussion::new).await
}

#[derive(Debug, Parameters)]
struct Search {
    search: Option<String>,
}

/// The comments, and whether they are all. None without a word.
type Found = Option<PreparedQuery<(Listed<NoteSearchRow>, Option<bool>)>>;

impl Search {
    fn query(&self, page: &Page) -> Found {
        let words = words_of(self.search.as_deref().unwrap_or_default());
        let Asked { text, is_exact } = Asked::of(&words);
        let patterns = json!(patterns(&words)).to_string();
        let inexact = (!is_exact).then(|| patterns.clone());
        let page = page.clone().reaching(reach(is_exact));
        let found = sql::found_in_project { asked: text, words: patterns, inexact, page };
        (!words.is_empty()).then(|| (found, sql::is_whole {}).prepare())
    }
}

/// Comments of people on the issues of a project, the newest first.
pub async fn search(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<Search>().and_then(|search| Ok((search, call.page()?)));
    let ((_, page), entry, found) = call.authorize_with(input, |(search, page)| search.query(page)).await?;
    let Some((notes, is_whole)) = found else { return empty_answers::reply(call, &page) };
    let notes = notes.of_part((is_whole == Some(false)).then_some(NOT_INDEXED));
    notes.reply(call, |row| Note::new(row.note, row.iid, &entry.links))
}

/// The comment, which has to be that of the discussion if the path names one.
fn named(iid: &str, discussion: Option<&str>, note_id: &str) -> Result<NoteRef> {
    let note = NoteRef { issue: by_number(iid)?, id: path_number("note_id", note_id)? };
    let is_there = discussion.is_none_or(|discussion| note_id_of(discussion) == Some(note.id));
    if is_there { Ok(note) } else { Err(Error::missing("Discussion")) }
}

/// The number in a text that [`by_number`] has validated.
fn validated_number(iid: &str) -> i64 {
    iid.parse().unwrap_or_default()
}

pub async fn show(call: &Call<'_>, iid: &str, discussion: Option<&str>, note_id: &str) -> Result<Reply> {
    let (row, entry) = super::find(call, named(iid, discussion, note_id)).await?;
    Ok(Reply::json(200, &Note::new(row, validated_number(iid), &entry.links)))
}

#[derive(Debug, Parameters)]
struct PrivacyParams {
    internal: Option<bool>,
    confidential: Option<bool>,
}

/// Refuses confidential comments, because everyone who sees the issue would see them.
fn read_new_note(call: &Call<'_>) -> Result<NewNote> {
    call.will_read::<NewNote>();
    let PrivacyParams { internal, confidential } = call.creation()?;
    for (name, given) in [("internal", internal), ("confidential", confidential)] {
        if given == Some(true) {
            return Err(Error::field(name, "is not supported"));
        }
    }
    call.creation()
}

pub async fn create(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let written = commands::create(call, by_number(iid), read_new_note(call)).await?;
    Ok(commands::reply(written, |row, links| Note::new(row, validated_number(iid), links)))
}

pub async fn update(call: &Call<'_>, iid: &str, discussion: Option<&str>, note_id: &str) -> Result<Reply> {
    let (row, links) = super::update(call, named(iid, discussion, note_id), call.creation()).await?;
    Ok(Reply::json(200, &Note::new(row, validated_number(iid), &links)))
}

pub async fn delete(call: &Call<'_>, iid: &str, discussion: Option<&str>, note_id: &str) -> Result<Reply> {
    super::delete(call, named(iid, discussion, note_id)).await?;
    Ok(Reply::empty(204))
}

/// The comment of a discussion.
async fn discussed(call: &Call<'_>, iid: &str, name: &str) -> Result<(NoteRow, Entry)> {
    let missing = || Error::missing("Discussion");
    let note = |issue| Ok(NoteRef { issue, id: note_id_of(name).ok_or_else(missing)? });
    let found = super::find(call, by_number(iid).and_then(note)).await;
    found.map_err(|error| if error == Error::no_record() { missing() } else { error })
}

pub async fn show_discussion(call: &Call<'_>, iid: &str, name: &str) -> Result<Reply> {
    let (row, entry) = discussed(call, iid, name).await?;
    Ok(Reply::json(200, &Discussion::new(row, validated_number(iid), &entry.links)))
}

pub async fn create_discussion(call: &Call<'_>, iid: &str) -> Result<Reply> {
    let written = commands::create(call, by_number(iid), read_new_note(call)).await?;
    Ok(commands::reply(written, |row, links| Discussion::new(row, validated_number(iid), links)))
}

/// A reply in a discussion is a new comment, and so a discussion of its own (behaviour 13.2).
pub async fn answer(call: &Call<'_>, iid: &str, name: &str) -> Result<Reply> {
    discussed(call, iid, name).await?;
    create(call, iid).await
}
