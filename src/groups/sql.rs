//! Rows and statements of groups.

use crate::call::signed_in;
use crate::error::{Error, Result};
use crate::sql;
use crate::store::{Failure, Statement, Store, flag};
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub struct GroupRow {
    pub id: i64,
    pub name: String,
    pub path: String,
    pub description: String,
    pub visibility: i64,
}

/// A [`GroupRow`] of the alias `g`.
macro_rules! group_json {
    () => {
        "json_object('id', g.id, 'name', g.name, 'path', g.path, 'description', g.description, 'visibility', g.visibility)"
    };
}

/// What stands against a group.
#[derive(Debug, Deserialize)]
pub struct Before {
    #[serde(with = "flag")]
    pub path_taken: bool,
    /// The levels 0, 1 and 2 that only administrators may give.
    pub restricted: Vec<i64>,
}

/// Is the path `?7` taken by another than `?8`, and which visibilities are for administrators alone?
const BEFORE: &str = signed_in!(
    "union all select json_object(
  'path_taken', exists (select 1 from namespaces where path_key = ?7 and id is not ?8),
  'restricted', json(restricted_visibility_levels)) from settings"
);

pub fn before(path: &str, group_id: Option<i64>) -> Statement {
    sql!(BEFORE, path.to_lowercase(), group_id)
}

/// A group to be made.
#[derive(Debug)]
pub struct Draft {
    pub name: String,
    pub path: String,
    pub description: String,
    pub visibility: i64,
    pub owner_id: i64,
    pub now: i64,
}

/// Takes the path, and with it the next id.
const PATH: &str = "insert into namespaces (kind, path, path_key) values ('group', ?1, ?2)";

/// Makes the group of that path.
const INSERT: &str = "insert into groups (id, name, path, description, visibility, created_at)
select id, ?2, path, ?3, ?4, ?5 from namespaces where path_key = ?1";

/// Its maker owns it.
const OWN: &str = "insert into group_members (user_id, group_id, access, created_at)
select ?2, id, 50, ?3 from namespaces where path_key = ?1";

/// The group with the path `?1`.
const RESULT: &str = concat!(
    "select ",
    group_json!(),
    " from groups g where g.id = (select id from namespaces where path_key = ?1)"
);

/// Makes a group with its namespace and owner: one transaction.
pub async fn create(store: &Store<'_>, draft: Draft) -> Result<GroupRow> {
    let Draft { name, path, description, visibility, owner_id, now } = draft;
    let key = path.to_lowercase();
    let batch = vec![
        sql!(PATH, path, key.as_str()),
        sql!(INSERT, key.as_str(), name, description, visibility, now),
        sql!(OWN, key.as_str(), owner_id, now),
        sql!(RESULT, key),
    ];
    let rows = store.batch(batch).await.map_err(taken)?.pop().unwrap_or_default();
    rows.first()?.ok_or_else(|| Error::Internal("a new group is not there".to_owned()))
}

/// Says that another has the path.
fn taken(failure: Failure) -> Error {
    match failure {
        Failure::Constraint(text) if text.contains("namespaces.path_key") => super::path_taken(),
        other => other.into(),
    }
}
