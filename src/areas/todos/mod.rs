//! To-do items of the caller (behaviour 6.7).

pub mod v3;
pub mod v4;

use crate::areas::issues::{IssueRef, IssueRow, find};
use crate::kernel::paging::{EVER, Key};
use crate::kernel::person::UserRow;
use crate::kernel::policy;
use crate::kernel::time;
use crate::kernel::walk::{self, CountedRows, WalkPage};
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
    /// The text of the comment that caused the item.
    body: Option<String>,
    state: String,
    created_at: i64,
    updated_at: i64,
    #[row(long)]
    issue: IssueRow,
}

impl TodoRow {
    fn body(&self) -> String {
        self.body.as_ref().unwrap_or(&self.issue.title).clone()
    }
}

fn target_url(issue: &str, note_id: Option<i64>) -> String {
    note_id.map_or_else(|| issue.to_owned(), |note_id| format!("{issue}#note_{note_id}"))
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
pub enum State {
    Pending,
    Done,
}

const ACTIONS: &[&str] = &["assigned", "mentioned", "build_failed", "marked"];

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
        let actions = ACTIONS.to_vec();
        Filter { actions, author_id: None, project_id: None, group_id: None, is_done: false }
    }

    fn query(&self, page: &Page) -> PreparedQuery<CountedRows<TodoRow>> {
        let (state, actions) = (if self.is_done { "done" } else { "pending" }, json!(self.actions).to_string());
        let actions = actions.as_str();
        let Filter { author_id, project_id, group_id, .. } = *self;
        let ([before], skip) = page.begin([Key::from(EVER)]);
        let most = page.size + 1;
        let count = sql::count { state, actions, author_id, project_id, group_id };
        let list = sql::list { state, actions, author_id, project_id, group_id, before, most, skip };
        (list, count).prepare()
    }
}

/// Returns None if the caller has a pending item on the issue.
async fn mark(call: &Call<'_>, issue: Result<IssueRef>) -> Result<Option<(TodoRow, Links)>> {
    let (issue, entry) = find(call, issue).await?;
    let (issue_id, user_id, now) = (issue.id, entry.caller()?.user.id, call.now);
    let batch = (sql::mark { user_id, issue_id, now }, sql::marked { user_id, issue_id });
    let (_, row) = call.write(batch).await?;
    Ok(row.map(|row| (row, entry.links)))
}

async fn page_of(call: &Call<'_>, filter: Result<Filter>) -> Result<(WalkPage<TodoRow>, Page, Links)> {
    let input = filter.and_then(|filter| Ok((filter, call.page()?)));
    let query = |(filter, page): &(Filter, Page)| filter.query(page);
    let ((_, page), entry, (rows, total)) = call.authorize_with(input, query).await?;
    Ok((walk::page(rows, &page, |row| [row.id.into()]).with_count(total), page, entry.links))
}

async fn settle(call: &Call<'_>, id: Result<i64>) -> Result<(TodoRow, Links)> {
    let (_, entry, row) = call.authorize_with(id, |id| sql::one { id: *id }).await?;
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
    let confidential_level = policy::confidential_level();
    let Filter { author_id, project_id, .. } = filter;
    let actions = if filter.is_done { Vec::new() } else { filter.actions };
    let actions = json!(actions).to_string();
    let mut total = 0;
    for _ in 0..MOST_CHUNKS {
        let actions = actions.as_str();
        let chunk = sql::to_settle { user_id, actions, author_id, project_id, most, confidential_level };
        let settle = sql::settle_all { user_id, actions, author_id, project_id, most, now };
        let (Chunk { number, seen }, _) = call.write((chunk, settle)).await?;
        total += seen;
        if number < CHUNK {
            break;
        }
    }
    Ok(total)
}
