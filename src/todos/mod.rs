//! Todos of the caller (behaviour 6.7).

pub mod entity;
pub mod input;
pub mod sql;
pub mod v4;

use crate::call::sql::scope::caller_head;
use crate::call::{Call, Links, path_id};
use crate::error::{Error, Result};
use crate::http::Reply;
use crate::issues::sql::IssueRef;
use crate::issues::{by_id, seen};
use crate::policy::Action;
use entity::Todo;
use input::ListTodos;
use serde::Serialize;
use sql::TodoRow;

/// POST /projects/:id/issues/:issue_id/todo
pub async fn create(call: &Call<'_>, id: &str, issue_id: &str) -> Result<Reply> {
    let marked = mark(call, id, by_id(issue_id)).await?;
    let reply = |(row, links)| Reply::json(call.dialect.created(), &Todo::new(row, &links));
    Ok(marked.map_or(Reply::empty(304), reply))
}

/// A todo on an issue for the caller; none: there is one.
async fn mark(call: &Call<'_>, id: &str, issue: Result<IssueRef>) -> Result<Option<(TodoRow, Links)>> {
    let query = |issue: &IssueRef| crate::issues::sql::one(*issue);
    let (_, entered) = call.enter_with(id, Action::ReadIssues, issue, query).await?;
    let issue = seen(&entered)?;
    let row = sql::mark(&call.store, issue.id, entered.caller.user.id, call.now).await?;
    Ok(row.map(|row| (row, entered.links)))
}

/// GET /todos
pub async fn list(call: &Call<'_>) -> Result<Reply> {
    page_of(call, call.filters(), Todo::new).await
}

/// A page of the caller's todos, each shown by `form`.
async fn page_of<T: Serialize>(
    call: &Call<'_>,
    filter: Result<ListTodos>,
    form: impl Fn(TodoRow, &Links) -> T,
) -> Result<Reply> {
    let input = filter.and_then(|filter| Ok((filter, call.page()?)));
    let ((_, page), signed_in) = call.sign_in_with(input, |(filter, page)| sql::list(filter, page)).await?;
    let (mut total, mut rows) = (None, Vec::new());
    for part in signed_in.rows.all()? {
        match part {
            sql::Part::Total(count, counted) => {
                total = count;
                call.store.note_counted(counted);
            }
            sql::Part::Todo(row) => rows.push(*row),
        }
    }
    let total = page.cut_counted(&mut rows, total);
    let cursor = rows.last().and_then(|row| page.next([row.id.into()]));
    let todos: Vec<T> = rows.into_iter().map(|row| form(row, &signed_in.links)).collect();
    call.listing(&page, total, &[], cursor, &todos)
}

/// DELETE /todos/:id
pub async fn delete(call: &Call<'_>, id: &str) -> Result<Reply> {
    let (row, links) = done(call, path_id(id)).await?;
    Ok(Reply::json(200, &Todo::new(row, &links)))
}

/// Marks a todo done; as it is then.
async fn done(call: &Call<'_>, id: Result<i64>) -> Result<(TodoRow, Links)> {
    let (_, mut signed_in) = call.sign_in_with(id, |id| sql::one(*id)).await?;
    let mut row: TodoRow = signed_in.rows.shift()?.ok_or_else(Error::no_record)?;
    sql::settle(&call.store, signed_in.caller.user.id, &[row.id], call.now).await?;
    if row.state == "pending" {
        row.updated_at = call.now;
    }
    row.state = "done".to_owned();
    Ok((row, signed_in.links))
}

/// DELETE /todos: answers how many were marked done, as clients read it.
pub async fn delete_all(call: &Call<'_>) -> Result<Reply> {
    let input = call.filters::<ListTodos>();
    let (filter, signed_in) = call.sign_in_with(input, |_| caller_head()).await?;
    let settled = sql::settle_all(&call.store, signed_in.caller.user.id, &filter, call.now).await?;
    Ok(Reply::json(200, &settled))
}
