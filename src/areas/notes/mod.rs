//! Comments on issues (behaviour 6.8).

mod commands;
pub mod v3;
pub mod v4;

use crate::areas::awards::AwardRow;
use crate::areas::events;
use crate::areas::issues::{IssueRef, mentions, people};
use crate::kernel::answers::person::UserRow;
use crate::kernel::call::Key;
use crate::kernel::call::commit::{Change, WrittenRow};
use crate::kernel::lists::Listed;
use crate::kernel::policy;
use crate::kernel::time;
use crate::kernel::{
    Action, Call, Entry, Error, Links, Page, Parameters, PreparedQuery, Query, Result, Row, Statement, ValidationErrors,
};
use serde_json::{Value, json};

edgeforge_row::statements!(mod sql: "src/areas/notes/notes.sql", "src/areas/notes/commands.sql");

#[derive(Debug, Row)]
pub struct NoteRow {
    pub id: i64,
    pub project_id: i64,
    pub issue_id: i64,
    pub author: UserRow,
    body: String,
    pub system: bool,
    pub created_at: i64,
    pub updated_at: i64,
    /// `group/project#1` in a comment about a move or a link, `group/project@HASH` in one about a commit of another
    /// project.
    #[row(default)]
    reference: Option<String>,
    #[row(default)]
    reference_project_id: Option<i64>,
    /// None if it refers to a project, of which the caller sees everything.
    #[row(default)]
    reference_issue_id: Option<i64>,
    #[row(default)]
    sees_reference: Option<bool>,
    /// What the commands of a new comment changed, and what they tell if it had nothing else. JSON.
    #[row(default)]
    commands: Option<String>,
    #[row(default)]
    summary: Option<String>,
    /// None unless the request asks for them.
    #[row(default)]
    awards: Option<Vec<AwardRow>>,
}

impl NoteRow {
    fn commands_changes(&self) -> Value {
        self.commands.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| json!({}))
    }

    /// The text. A comment about a move names the other issue only if the caller sees its project, one about a link
    /// only if they see the issue.
    fn body(&self) -> String {
        match &self.reference {
            Some(reference) if self.sees_reference == Some(true) => {
                let is_own = self.reference_issue_id.is_some() && self.reference_project_id == Some(self.project_id);
                let number = reference.rfind('#').filter(|_| is_own).unwrap_or_default();
                format!("{} {}", self.body, reference.get(number..).unwrap_or_default())
            }
            Some(_) if self.reference_issue_id.is_some() => format!("{} another issue", self.body),
            Some(_) if self.body.ends_with("commit") => format!("{} of another project", self.body),
            Some(_) => format!("{} another project", self.body),
            None => self.body.clone(),
        }
    }

    /// Removes the hash from a system comment about a commit of this project, for callers who may not read commits.
    fn without_hash(mut self) -> NoteRow {
        let is_of_service = self.system && self.reference.is_none();
        let words = ["closed via", "mentioned in"].into_iter().filter(|_| is_of_service);
        let is_said = |words: &&str| self.body.strip_prefix(words).is_some_and(|rest| rest.starts_with(" commit "));
        if let Some(words) = words.clone().find(is_said) {
            self.body = format!("{words} a commit");
        }
        self
    }
}

#[derive(Debug, Row)]
struct NoteSearchRow {
    #[row(flatten)]
    note: NoteRow,
    iid: i64,
}

#[derive(Debug, Clone, Copy)]
struct NoteRef {
    issue: IssueRef,
    id: i64,
}

#[derive(Debug, Parameters)]
struct NewNote {
    body: String,
    created_at: Option<String>,
}

#[derive(Debug, Clone, Copy)]
struct Order {
    ascending: bool,
    by_update: bool,
    /// Only system comments, or only the others.
    system: Option<bool>,
    /// Whether the list also has system comments for which there is a resource event.
    events: bool,
    /// Whether each comment comes with its emoji.
    awards: bool,
}

impl Order {
    const OLDEST_FIRST: Order = Order { ascending: true, by_update: false, system: None, events: false, awards: false };

    /// Whether the list has all comments in the order in which they were made.
    fn is_plain(&self) -> bool {
        !self.by_update && self.system.is_none()
    }

    fn query(&self, issue: IssueRef, page: Page) -> PreparedQuery<Listed<NoteRow>> {
        let IssueRef { id, iid } = issue;
        let Order { ascending, by_update, system, events, awards } = *self;
        if self.is_plain() {
            let without_events = (!events).then_some(true);
            sql::in_order { ascending, id, iid, events, without_events, awards, page }.prepare()
        } else {
            sql::sorted { id, iid, ascends: ascending, by_update, system, events, awards, page }.prepare()
        }
    }
}

async fn page_of(call: &Call<'_>, input: Result<(IssueRef, Order, Page)>) -> Result<(Listed<NoteRow>, Links)> {
    let query = |(issue, order, page): &(IssueRef, Order, Page)| order.query(*issue, page.clone());
    let (_, entry, notes) = call.authorize_with(input, query).await?;
    let notes = notes.or_missing(Error::no_record)?;
    let notes = if entry.resource.may(Action::ReadCommits) { notes } else { notes.map(NoteRow::without_hash) };
    Ok((notes, entry.links))
}

async fn create(call: &Call<'_>, issue: Result<IssueRef>, input: Result<NewNote>) -> Result<WrittenRow<NoteRow>> {
    let input = input.and_then(|new| Ok((new, call.idempotency_key()?)));
    let change = issue.map(|IssueRef { id, iid }| {
        // only callers who may comment get input errors
        let without_steps = |_: &Error| (Vec::new(), None);
        let steps = |new: &NewNote| {
            let written = sql::written { note_id: None::<i64>, issue_id: None::<i64>, commands: None::<&str> }.into();
            new.steps(call, id, iid).into_iter().chain([written]).collect()
        };
        let (steps, key) = input.as_ref().map_or_else(without_steps, |(new, key)| (steps(new), key.clone()));
        let base = call.links(false).base;
        let keep = key.as_ref().map(|Key { hash, digest, .. }| {
            sql::keep { key: hash, digest, base, note_id: None::<i64>, issue_id: None::<i64>, commands: None::<&str> }
                .into()
        });
        Change { steps, keep, key, only_adds: true, query: sql::may_comment { id, iid } }
    });
    call.commit(change, |entry, checks| {
        refusal(entry, checks, input.as_ref().map(|(new, _)| new).map_err(Error::clone))
    })
    .await
}

#[derive(Row)]
struct NoteChecks {
    may_comment: bool,
}

fn refusal(entry: &Entry, checks: Option<NoteChecks>, input: Result<&NewNote>) -> Result<Error> {
    if !checks.ok_or_else(Error::no_record)?.may_comment {
        return Err(Error::FORBIDDEN);
    }
    let (new, mut errors) = (input?, ValidationErrors::default());
    errors.read_time("created_at", new.created_at.as_deref().filter(|_| entry.resource.may(Action::SetTimes)));
    errors.result().map(|()| Error::Expectation)
}

impl NewNote {
    /// That the caller may comment. `is_time`: whether the time of the comment, if it has one, is valid.
    fn expectation(id: Option<i64>, iid: Option<i64>, is_time: bool) -> Statement {
        let sets_times = policy::least(Action::SetTimes).0.level();
        sql::expect_commentable { id, iid, sets_times, is_time }.into()
    }

    fn steps(&self, call: &Call<'_>, id: Option<i64>, iid: Option<i64>) -> Vec<Statement> {
        let created_at = self.created_at.as_deref().and_then(time::read);
        let is_time = self.created_at.is_none() || created_at.is_some();
        let (body, sets_times) = (self.body.as_str(), policy::least(Action::SetTimes).0.level());
        let mut steps: Vec<Statement> = vec![
            NewNote::expectation(id, iid, is_time),
            sql::create { id, iid, body, sets_times, created_at }.into(),
            sql::take_part {}.into(),
            sql::settle_todos { now: call.now }.into(),
        ];
        if let Some(names) = self.mentioned() {
            let confidential_level = policy::confidential_level();
            let (note_id, all) = (None::<i64>, names.as_str());
            steps.push(sql::mention { note_id, names: all, confidential_level }.into());
            steps.push(sql::add_todos_of_mentioned { names, confidential_level }.into());
        }
        let note_id = None::<i64>;
        steps.extend([sql::touch { note_id }.into(), events::note_created(call)]);
        steps
    }

    fn mentioned(&self) -> Option<String> {
        people(&mentions(&[&self.body]), &self.body)
    }
}

async fn update(call: &Call<'_>, note: Result<NoteRef>, input: Result<NewNote>) -> Result<(NoteRow, Links)> {
    let (row, entry) = find(call, note).await?;
    may_change(&entry, &row)?;
    let (new, note_id) = (input?, row.id);
    let body = new.body.as_str();
    if body == row.body {
        return Ok((row, entry.links));
    }
    let unmodified = call.unmodified_since().map(|since| sql::expect_unmodified { note_id, since, body });
    let [before, after] = events::note_changed(call, note_id, [&row.body, body]);
    let confidential_level = policy::confidential_level();
    let mention = new.mentioned().map(|names| sql::mention { note_id, names, confidential_level });
    let update =
        (before, sql::update { note_id, body }, sql::leave { note_id }, mention, sql::touch { note_id }, after);
    let (quotas, end) = call.quotas();
    let query =
        (quotas, unmodified, update, sql::written { note_id, issue_id: None::<i64>, commands: None::<&str> }, end);
    let (_, (.., row, _)) = call.authorize(query).await.map_err(Error::or_changed)?;
    Ok((row.ok_or_else(Error::no_record)?, entry.links))
}

async fn delete(call: &Call<'_>, note: Result<NoteRef>) -> Result<(NoteRow, Links)> {
    let (row, entry) = find(call, note).await?;
    may_change(&entry, &row)?;
    call.expect_unmodified(row.updated_at)?;
    let (note_id, issue_id) = (row.id, row.issue_id);
    let batch = (
        sql::touch_before_delete { note_id, issue_id, now: call.now },
        sql::forget_participants { note_id },
        sql::forget_awards { note_id, issue_id },
        sql::remove_awards { note_id, issue_id },
        sql::forget_todos { note_id },
        sql::delete { note_id },
    );
    call.write_safely(batch).await?;
    Ok((row, entry.links))
}

/// Nobody changes the comments of the service.
fn may_change(entry: &Entry, row: &NoteRow) -> Result<()> {
    if row.system { Err(Error::FORBIDDEN) } else { may_change_of(entry, row.author.id) }
}

/// Authors may change their comments, and masters all of them.
pub fn may_change_of(entry: &Entry, author_id: i64) -> Result<()> {
    let allowed = author_id == entry.caller()?.user.id || entry.resource.may(Action::EditAnyNote);
    if allowed { Ok(()) } else { Err(Error::FORBIDDEN) }
}

async fn find(call: &Call<'_>, note: Result<NoteRef>) -> Result<(NoteRow, Entry)> {
    let query = |note: &NoteRef| {
        let NoteRef { issue: IssueRef { id, iid }, id: note_id } = *note;
        sql::one { id, iid, note_id }
    };
    let (_, entry, row) = call.authorize_with(note, query).await?;
    let row = row.ok_or_else(Error::no_record)?;
    let reads_commits = entry.resource.may(Action::ReadCommits);
    Ok((if reads_commits { row } else { row.without_hash() }, entry))
}
