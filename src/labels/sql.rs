//! Rows and statements of labels.

use crate::call::path_id;
use crate::call::{Resource, in_project};
use crate::error::Result;
use crate::page::Page;
use crate::params::Patch;
use crate::policy::Action;
use crate::portions::exhaust;
use crate::store::{Failure, Row, Statement, Store, sql};
use serde_json::json;

#[derive(Debug, Row)]
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

impl LabelRow {
    /// How many open and closed issues bear it. Hidden ones count only for those who see all of them, and none where issues
    /// are switched off.
    pub fn counts(&self, resource: &Resource) -> (i64, i64) {
        let shown = i64::from(resource.has_issues());
        let hidden = i64::from(resource.may(Action::ReadConfidentialIssues));
        (
            shown * (self.opened + hidden * self.opened_hidden),
            shown * (self.closed + hidden * self.closed_hidden),
        )
    }
}

/// A [`LabelRow`] of columns that stand alone.
macro_rules! label_json {
    () => {
        "json_array(id, title, color, description, opened,
  closed, opened_hidden, closed_hidden)"
    };
}

/// The titles of labels that were deleted and are on issues yet: behind a comma, which no label's name holds.
macro_rules! gone {
    () => {
        "title >= ',' and title < '-'"
    };
}

/// Which labels has the project, behind the title `?7`, after `?8` others? `?9` at most.
const LIST: &str = in_project!(
    "union all select v from (select ",
    label_json!(),
    " as v from labels where project_id = (select project_id from scope) and title > (select ?7) and not (",
    gone!(),
    ")
  order by title limit (select ?9) offset (select ?8))"
);

/// How many labels one answer has where no page is asked for.
pub const MOST_LABELS: i64 = 5000;

pub fn list(page: &Page, most: i64) -> Statement {
    let ([after], offset) = page.begin(["".into()]);
    sql!(LIST, after, offset, most + 1)
}

/// The same of those whose titles hold `?10`, among the first so many behind `?7`.
const SEARCH: &str = in_project!(
    "union all select v from (select ",
    label_json!(),
    " as v from (select * from labels where project_id = (select project_id from scope) and title > (select ?7) and not (",
    gone!(),
    ") order by title limit 5000) where instr(lower(title), (select ?10)) limit (select ?9) offset (select ?8))"
);

/// `text`: in lower case.
pub fn search(page: &Page, text: &str) -> Statement {
    let ([after], offset) = page.begin(["".into()]);
    sql!(SEARCH, after, offset, page.size + 1, text)
}

/// A label as a request names it.
#[derive(Debug)]
pub struct LabelRef {
    pub id: Option<i64>,
    /// If there is none of that id.
    pub title: Option<String>,
}

impl LabelRef {
    pub fn titled(title: &str) -> LabelRef {
        LabelRef { id: None, title: Some(title.trim().to_owned()) }
    }
}

/// Which label is `?7`, `[id, title]`? An id goes before a title.
const NAMED: &str = in_project!(
    "union all select ",
    label_json!(),
    " from labels where id = (select coalesce(
    (select l.id from labels l where l.id = (select ?7 ->> 0) and l.project_id = s.project_id and not (",
    gone!(),
    ")), (select l.id from labels l where l.project_id = s.project_id and l.title = (select ?7 ->> 1))) from scope s)"
);

pub fn named(label: &LabelRef) -> Statement {
    sql!(NAMED, json!([label.id, label.title]).to_string())
}

/// Which label of this project has the id `?7`, or else the name `?8`?
const ONE: &str = in_project!(
    "union all select ",
    label_json!(),
    " from labels where id = coalesce(
  (select l.id from scope s cross join labels l on l.id = (select ?7) and l.project_id = s.project_id),
  (select l.id from scope s cross join labels l on l.project_id = s.project_id and l.title = (select ?8)))
  and not (",
    gone!(),
    ")"
);

pub fn one(id_or_name: &str) -> Statement {
    sql!(ONE, path_id(id_or_name).ok(), id_or_name)
}

/// The labels `?1`, `[[project, title], ..]`, each behind its project.
const TITLED: &str = concat!(
    "select json_array(project_id, json(",
    label_json!(),
    ")) as v from (select l.* from json_each(?1) named cross join labels l
  on l.project_id = named.value ->> 0 and l.title = named.value ->> 1)"
);

pub fn titled(named: String) -> Statement {
    sql!(TITLED, named)
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

/// How many issues one statement takes a label off: each changes some twenty rows of lists, and reads five times as many.
const PORTION: i64 = 40;

/// From then on no read shows it, and another label may have its name.
const HIDE: &str = "update labels set title = ',' || id where id = (select ?1)";

const REMOVE: &str = concat!(
    "delete from issue_labels where (issue_id, label_id) in (select issue_id, label_id from issue_labels
  where label_id = (select id from labels where project_id = (select ?1) and ",
    gone!(),
    " order by title limit 1) limit (select ?2))"
);

const DONE: &str = concat!(
    "delete from labels where project_id = (select ?1) and ",
    gone!(),
    " and not exists (select 1 from issue_labels b where b.label_id = labels.id)"
);

/// Are there deleted labels that are on issues yet?
const LEFT: &str = concat!(
    "select json(iif(exists (select 1 from labels where project_id = (select ?1) and ",
    gone!(),
    "), 'true', 'false')) as v"
);

/// Takes the label away, and off the issues that bear it, as far as one request goes: whoever deletes a label of the project
/// goes on with what others left.
pub async fn delete(store: &Store<'_>, project_id: i64, row: &LabelRow) -> Result<()> {
    let issues = row.opened + row.closed + row.opened_hidden + row.closed_hidden;
    remove(store, vec![sql!(HIDE, row.id)], project_id, issues / PORTION + 1).await
}

/// Goes on with what those left who deleted labels before.
pub async fn go_on(store: &Store<'_>, project_id: i64) -> Result<()> {
    remove(store, Vec::new(), project_id, 0).await
}

async fn remove(store: &Store<'_>, first: Vec<Statement>, project_id: i64, expected: i64) -> Result<()> {
    let last = [sql!(DONE, project_id), sql!(LEFT, project_id)];
    exhaust(store, first, &sql!(REMOVE, project_id, PORTION), expected, &last).await
}
