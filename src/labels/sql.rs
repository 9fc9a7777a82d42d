//! Rows and statements of labels.

use crate::call::in_project;
use crate::error::Result;
use crate::page::Page;
use crate::params::Patch;
use crate::sql;
use crate::store::{Failure, Statement, Store};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct LabelRow {
    pub id: i64,
    pub title: String,
    pub color: String,
    pub description: Option<String>,
    pub opened: i64,
    pub closed: i64,
    pub opened_hidden: i64,
    pub closed_hidden: i64,
}

/// A [`LabelRow`] of columns that stand alone.
macro_rules! label_json {
    () => {
        "json_object('id', id, 'title', title, 'color', color, 'description', description, 'opened', opened,
  'closed', closed, 'opened_hidden', opened_hidden, 'closed_hidden', closed_hidden)"
    };
}

/// Which labels has the project, behind the title `?7`, after `?8` others? `?9` at most.
const LIST: &str = in_project!(
    "union all select v from (select ",
    label_json!(),
    " as v from labels where project_id = (select project_id from scope) and title > (select ?7)
  order by title limit (select ?9) offset (select ?8))"
);

/// How many labels one answer has where no page is asked for.
pub const MOST_LABELS: i64 = 5000;

pub fn list(page: &Page, most: i64) -> Statement {
    let ([after], offset) = page.begin(["".into()]);
    sql!(LIST, after, offset, most + 1)
}

/// Which label is called `?7`?
const NAMED: &str = in_project!(
    "union all select ",
    label_json!(),
    " from labels where project_id = (select project_id from scope) and title = (select ?7)"
);

pub fn named(name: &str) -> Statement {
    sql!(NAMED, name)
}

const CREATE: &str = concat!(
    "insert into labels (project_id, title, color, description, created_at) values (?1, ?2, ?3, ?4, ?5)
on conflict do nothing returning ",
    label_json!(),
    " as v"
);

/// None: there is one of that name.
pub async fn create(
    store: &Store<'_>,
    project_id: i64,
    name: &str,
    color: &str,
    description: Option<&str>,
    now: i64,
) -> Result<Option<LabelRow>> {
    Ok(store.run(sql!(CREATE, project_id, name, color, description, now)).await?.first()?)
}

const UPDATE: &str = concat!(
    "update labels set title = coalesce(?2, title), color = coalesce(?3, color),
  description = case when ?4 then ?5 else description end where id = (select ?1) returning ",
    label_json!(),
    " as v"
);

/// None: another one has that name.
pub async fn update(
    store: &Store<'_>,
    id: i64,
    name: Option<&str>,
    color: Option<&str>,
    description: &Patch<String>,
) -> Result<Option<LabelRow>> {
    let text = description.set().map(String::as_str);
    match store.ask(sql!(UPDATE, id, name, color, !description.is_keep(), text)).await {
        Err(Failure::Constraint(_)) => Ok(None),
        outcome => Ok(outcome?.first()?),
    }
}

/// Takes the label off every issue, then away.
pub async fn delete(store: &Store<'_>, id: i64) -> Result<()> {
    let batch = [
        "delete from issue_labels where label_id = (select ?1)",
        "delete from labels where id = (select ?1)",
    ];
    store.repeat(batch.into_iter().map(|text| sql!(text, id)).collect()).await?;
    Ok(())
}
