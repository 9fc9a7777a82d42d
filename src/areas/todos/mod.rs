//! To-do items of the caller (behaviour 6.7).

pub mod v3;
pub mod v4;

use crate::areas::commits::CommitRow;
use crate::areas::issues::{IssueRef, IssueRow, find, writing};
use crate::kernel::answers::person::UserRow;
use crate::kernel::lists::Listed;
use crate::kernel::policy;
use crate::kernel::text::title::title;
use crate::kernel::time;
use crate::kernel::{Call, Error, Links, Page, Parameters, PreparedQuery, Query, Result, Row};
use serde::Serialize;
use serde_json::json;

edgeforge_row::statements!(mod sql: "src/areas/todos/todos.sql");

/// The project of an item, as v4 shows it.
#[derive(Debug, Serialize, Row)]
struct Project {
    id: i64,
    description: Option<String>,
    #[row(flatten)]
    #[serde(flatten)]
    names: ProjectNames,
    #[serde(serialize_with = "time::as_utc")]
    created_at: i64,
}

#[derive(Debug, Serialize, Row)]
struct ProjectNames {
    name: String,
    name_with_namespace: String,
    path: String,
    path_with_namespace: String,
}

#[derive(Debug, Row)]
pub struct TodoRow {
    id: i64,
    project: Project,
    author: UserRow,
    action: String,
    note_id: Option<i64>,
    /// The comment on the commit.
    comment_id: Option<i64>,
    /// The text of the comment that caused the item.
    body: Option<String>,
    state: String,
    created_at: i64,
    updated_at: i64,
    /// What it is about: an issue or a commit.
    #[row(long)]
    issue: Option<IssueRow>,
    #[row(long)]
    commit: Option<CommitRow>,
}

impl TodoRow {
    /// The type and the title of what it is about.
    fn target(&self) -> (&'static str, String) {
        match (&self.issue, &self.commit) {
            (Some(issue), _) => ("Issue", issue.title.clone()),
            (None, commit) => ("Commit", commit.as_ref().map_or_else(String::new, |row| title(&row.message))),
        }
    }
}

/// An item in the form of an API.
#[derive(Debug, Serialize)]
pub struct Todo<P, U, T> {
    id: i64,
    project: P,
    author: U,
    action_name: &'static str,
    target_type: &'static str,
    target: T,
    /// The address of the target, or of the comment on it.
    target_url: String,
    body: String,
    state: String,
    created_at: String,
    /// Only in v4.
    #[serde(skip_serializing_if = "Option::is_none")]
    updated_at: Option<String>,
}

impl<P, U, T> Todo<P, U, T> {
    /// `of`: the place of the API's names in [`ACTIONS`]. `target`: the target and its address.
    fn new(
        row: TodoRow,
        of: usize,
        project: impl FnOnce(Project) -> P,
        author: impl FnOnce(UserRow) -> U,
        target: impl FnOnce(Option<IssueRow>, Option<CommitRow>) -> (T, String),
    ) -> Todo<P, U, T> {
        let (target_type, title) = row.target();
        let (target, url) = target(row.issue, row.commit);
        Todo {
            id: row.id,
            project: project(row.project),
            author: author(row.author),
            action_name: shown_action(of, &row.action),
            target_type,
            target,
            target_url: row.note_id.or(row.comment_id).map_or(url.clone(), |id| format!("{url}#note_{id}")),
            body: row.body.unwrap_or(title),
            state: row.state,
            created_at: time::utc(row.created_at),
            updated_at: (of == OF_V4).then(|| time::utc(row.updated_at)),
        }
    }
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
pub enum State {
    Pending,
    Done,
}

/// The actions as they are stored, and as v4 and v3 show them. The last two are on commits.
const ACTIONS: [[&str; 3]; 7] = [
    ["assigned", "assigned", "assigned"],
    ["mentioned", "mentioned", "mentioned"],
    ["directly_addressed", "directly_addressed", "mentioned"],
    ["build_failed", "build_failed", "build_failed"],
    ["marked", "marked", "marked"],
    ["mentioned_at_commit", "mentioned", "mentioned"],
    ["addressed_at_commit", "directly_addressed", "mentioned"],
];

/// The place of the names of an API in a row of [`ACTIONS`].
const OF_V4: usize = 1;
const OF_V3: usize = 2;

/// The stored actions with the name, of items on a type of target. None for all.
fn actions(of: usize, name: Option<&str>, target_type: Option<&str>) -> Vec<&'static str> {
    let fits = |names: &&[&str; 3]| {
        let on = if names[0].ends_with("_at_commit") { "Commit" } else { "Issue" };
        name.is_none_or(|name| names.get(of) == Some(&name)) && target_type.is_none_or(|kind| kind == on)
    };
    ACTIONS.iter().filter(fits).map(|[stored, ..]| *stored).collect()
}

/// The name of a stored action in an API.
fn shown_action(of: usize, stored: &str) -> &'static str {
    let names = ACTIONS.iter().find(|[known, ..]| *known == stored);
    names.and_then(|names| names.get(of)).copied().unwrap_or_default()
}

#[derive(Debug)]
struct Filter {
    actions: Vec<&'static str>,
    author_id: Option<i64>,
    project_id: Option<i64>,
    group_id: Option<i64>,
    is_done: bool,
}

impl Filter {
    fn pending() -> Filter {
        let actions = actions(OF_V4, None, None);
        Filter { actions, author_id: None, project_id: None, group_id: None, is_done: false }
    }

    fn query(&self, page: Page) -> PreparedQuery<Listed<TodoRow>> {
        let (state, actions) = (if self.is_done { "done" } else { "pending" }, json!(self.actions).to_string());
        let Filter { author_id, project_id, group_id, .. } = *self;
        let (confidential_level, (member, anyone)) = (policy::confidential_level(), policy::readers_of_commits());
        sql::list { state, actions, author_id, project_id, group_id, confidential_level, member, anyone, page }
            .prepare()
    }
}

/// Returns None if the caller has a pending item on the issue.
async fn mark(call: &Call<'_>, issue: Result<IssueRef>) -> Result<Option<(TodoRow, Links)>> {
    let (issue, entry) = find(call, issue).await?;
    let (issue_id, user_id, now) = (issue.id, entry.caller()?.user.id, call.now);
    let batch = (writing::mark_todo { user_id, issue_id, now }, sql::marked { user_id, issue_id });
    let (_, row) = call.write(batch).await?;
    Ok(row.map(|row| (row, entry.links)))
}

async fn page_of(call: &Call<'_>, filter: Result<Filter>) -> Result<(Listed<TodoRow>, Links)> {
    let input = filter.and_then(|filter| Ok((filter, call.page()?)));
    let query = |(filter, page): &(Filter, Page)| filter.query(page.clone());
    let (_, entry, todos) = call.authorize_with(input, query).await?;
    Ok((todos, entry.links))
}

async fn settle(call: &Call<'_>, id: Result<i64>) -> Result<(TodoRow, Links)> {
    let (confidential_level, (member, anyone)) = (policy::confidential_level(), policy::readers_of_commits());
    let one = |id: &i64| sql::one { id: *id, confidential_level, member, anyone };
    let (_, entry, row) = call.authorize_with(id, one).await?;
    let mut row = row.ok_or_else(Error::no_record)?;
    let user_id = entry.caller()?.user.id;
    call.write_safely(sql::settle { user_id, id: row.id, now: call.now }).await?;
    if row.state == "pending" {
        row.updated_at = call.now;
    }
    row.state = "done".to_owned();
    Ok((row, entry.links))
}

const CHUNK: i64 = 1000;
const MOST_CHUNKS: usize = 100;

#[derive(Row)]
struct Chunk {
    number: i64,
    seen: i64,
}

/// Returns how many of the changed items the caller sees. Each chunk is a transaction, so another request continues.
async fn settle_all(call: &Call<'_>, filter: Result<Filter>) -> Result<i64> {
    let (filter, entry, ()) = call.authorize_with(filter, |_| ()).await?;
    let (user_id, now, most) = (entry.caller()?.user.id, call.now, CHUNK);
    let (confidential_level, (member, anyone)) = (policy::confidential_level(), policy::readers_of_commits());
    let Filter { author_id, project_id, .. } = filter;
    let actions = if filter.is_done { Vec::new() } else { filter.actions };
    let actions = json!(actions).to_string();
    let mut total = 0;
    for _ in 0..MOST_CHUNKS {
        let actions = actions.as_str();
        let chunk =
            sql::to_settle { user_id, actions, author_id, project_id, most, confidential_level, member, anyone };
        let settle = sql::settle_all { user_id, actions, author_id, project_id, most, now };
        let (Chunk { number, seen }, _) = call.write((chunk, settle)).await?;
        total += seen;
        if number < CHUNK {
            break;
        }
    }
    Ok(total)
}
