//! Rows and statements of groups.

pub mod list;

use crate::call::sql::scope::projects_in_group;
use crate::call::{in_group, signed_in};
use crate::error::{Error, Result};
use crate::policy::level;
use crate::projects::sql::{ProjectRow, project_json};
use crate::store::{Failure, Row, Rows, Statement, Store, sql};
use crate::users::sql::rename::{MOST_PROJECTS, renamed, too_many};

#[derive(Debug, Clone, Row)]
pub struct GroupRow {
    pub id: i64,
    pub name: String,
    pub path: String,
    pub description: String,
    pub visibility: i64,
    pub created_at: i64,
    /// The setting for new projects.
    pub branch_protection: i64,
}

/// A [`GroupRow`] of the alias `g`.
macro_rules! group_json {
    () => {
        "json_array(g.id, g.name, g.path, g.description, g.visibility,
  g.created_at, (select default_branch_protection from settings))"
    };
}

pub(crate) use group_json;

/// A group with those of its projects that the caller may see.
#[derive(Debug)]
pub struct Shown {
    pub group: GroupRow,
    pub projects: Vec<ProjectRow>,
}

/// One row of a group's answer.
#[derive(Row)]
enum Part {
    Group(GroupRow),
    Project(Box<ProjectRow>),
}

impl Shown {
    pub fn from(rows: &Rows) -> Result<Option<Shown>> {
        let mut group = None;
        let mut projects = Vec::new();
        for part in rows.all()? {
            match part {
                Part::Group(row) => group = Some(row),
                Part::Project(row) => projects.push(*row),
            }
        }
        Ok(group.map(|group| Shown { group, projects }))
    }
}

/// The group that was asked for, and the first hundred of its projects that the caller may see.
const ONE: &str = in_group!(
    "union all select v from (
  with shown as materialized (
    select s.user_id, s.group_id, (select json_group_array(id) from (select id from (",
    projects_in_group!("100"),
    ") order by id limit 100)) as ids from scope s
  )
  select iif(d.value = 0, (select json_object('group', ",
    group_json!(),
    ") from groups g where g.id = shown.group_id), json_object('project', json(",
    project_json!("shown.user_id"),
    "))) as v
  from shown cross join json_each(json_insert(shown.ids, '$[#]', 0)) d left join projects p on p.id = d.value)"
);

pub fn one() -> Statement {
    sql!(ONE)
}

/// What stands against a group.
#[derive(Debug, Row)]
pub struct Before {
    /// The visibility that it has.
    pub visibility: Option<i64>,
    /// How many it has.
    pub projects: i64,
    pub path_taken: bool,
    /// The levels 0, 1 and 2 that only administrators may give.
    pub restricted: Vec<i64>,
}

/// Is the path `?7` taken, and which visibilities are for administrators alone?
const BEFORE: &str = signed_in!(
    "union all select json_object('visibility', null, 'projects', 0,
  'path_taken', exists (select 1 from namespaces where path_key = (select ?7)),
  'restricted', json(restricted_visibility_levels)) from caller cross join settings"
);

pub fn before_create(path: &str) -> Statement {
    sql!(BEFORE, path.to_lowercase())
}

/// The same of a group that is there, and whose path is to be `?7`.
const BEFORE_EDIT: &str = in_group!(
    "union all select json_object('visibility', g.visibility, 'projects', g.projects_count,
  'path_taken', exists (select 1 from namespaces where path_key = (select ?7) and id <> g.id),
  'restricted', json(s.restricted_visibility_levels))
from scope cross join groups g on g.id = scope.group_id cross join settings s"
);

pub fn before_edit(change: &Change) -> Statement {
    sql!(BEFORE_EDIT, change.path.as_ref().map(|path| path.to_lowercase()))
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
select id, ?2, path, ?3, ?4, ?5 from namespaces where path_key = (select ?1)";

/// Its maker owns it.
const OWN: &str = concat!(
    "insert into group_members (user_id, group_id, access, created_at)
select ?2, id, ",
    level!(Owner),
    ", ?3 from namespaces where path_key = (select ?1)"
);

/// The group with the path `?1`.
const RESULT: &str = concat!(
    "select ",
    group_json!(),
    " as v from groups g where g.id = (select id from namespaces where path_key = (select ?1))"
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
        Failure::Constraint(text) if text.contains("namespaces.path_key") => path_taken(),
        Failure::Constraint(text) if text.contains("E_VISIBILITY") => {
            Error::field("visibility_level", "cannot be lower than that of a project in it")
        }
        other => other.into(),
    }
}

/// What is to change of a group; none: it stays.
#[derive(Debug)]
pub struct Change {
    pub name: Option<String>,
    pub path: Option<String>,
    pub description: Option<String>,
    pub visibility: Option<i64>,
}

/// Changes the group `?1`.
const UPDATE: &str = "update groups set name = coalesce(?2, name), path = coalesce(?3, path),
  description = coalesce(?4, description), visibility = coalesce(?5, visibility) where id = (select ?1)";

/// Gives its namespace its new path.
const RENAME: &str = "update namespaces set path = ?2, path_key = ?3 where id = (select ?1)";

/// The group `?1`.
const BY_ID: &str = concat!("select ", group_json!(), " as v from groups g where g.id = (select ?1)");

/// Changes a group, and the addresses of its projects with its path: one transaction.
/// `projects`: how many it has.
pub async fn change(store: &Store<'_>, group_id: i64, projects: i64, change: Change) -> Result<GroupRow> {
    let Change { name, path, description, visibility } = change;
    let renames = name.is_some() || path.is_some();
    if renames && projects > MOST_PROJECTS {
        return Err(too_many());
    }
    let mut batch = vec![sql!(UPDATE, group_id, name.as_deref(), path.as_deref(), description, visibility)];
    if let Some(path) = path {
        batch.push(sql!(RENAME, group_id, path.as_str(), path.to_lowercase()));
    }
    if renames {
        batch = renamed(group_id, projects, batch);
    }
    batch.push(sql!(BY_ID, group_id));
    let rows = store.repeat(batch).await.map_err(taken)?.pop().unwrap_or_default();
    rows.first()?.ok_or_else(|| Error::missing("Group"))
}

/// Holds while the group `?1` has no project.
macro_rules! empty {
    () => {
        "not exists (select 1 from projects where namespace_id = (select ?1) and deleted_at is null)"
    };
}

const REMOVE_MEMBERS: &str = concat!("delete from group_members where group_id = (select ?1) and ", empty!());
const REMOVE: &str = concat!("delete from groups where id = (select ?1) and ", empty!());
/// Its path is free again; its id is nobody else's ever.
const FREE_PATH: &str = concat!(
    "update namespaces set path = '/', path_key = '/' || id where id = (select ?1) and kind = 'group' and ",
    empty!()
);

/// Whether it is gone; a group with projects is not.
pub async fn remove(store: &Store<'_>, group_id: i64) -> Result<bool> {
    let batch = [REMOVE_MEMBERS, REMOVE, FREE_PATH, BY_ID].map(|text| sql!(text, group_id));
    let left = store.repeat(batch.to_vec()).await?.pop().unwrap_or_default();
    Ok(left.is_empty())
}

pub fn path_taken() -> Error {
    Error::field("path", "has already been taken")
}
