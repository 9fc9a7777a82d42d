//! Statements that give all projects of a namespace the address and the name that the namespace has now.

use crate::error::Error;
use crate::store::{Statement, sql};

/// How many projects one statement renames, and how many a namespace has at most that is renamed.
const PORTION: i64 = 1000;
pub const MOST_PROJECTS: i64 = 100_000;

/// Takes projects of the namespace `?1` off their address, `?2` at most: their keys begin with `/` and its id until all have
/// left the old name, so that the next statement finds those that are left without looking at the others.
const LEAVE: &str = "update projects set path_key = '/' || namespace_id || '/' || id where id in (
  select p.id from namespaces n cross join projects p on p.path_key > n.path_key || '/' and p.path_key < n.path_key || '0'
  where n.id = (select ?1) order by p.path_key limit (select ?2))";

/// Gives those the address and the name that follow from those of the namespace.
const ARRIVE: &str = "update projects set path_key = lower(now.path || '/' || projects.path),
  full_path = now.path || '/' || projects.path, full_name = now.name || ' / ' || projects.name
from (select n.path, coalesce(g.name, u.name) as name from namespaces n
  left join groups g on g.id = n.id left join users u on u.id = n.id where n.id = (select ?1)) now
where projects.id in (
  select p.id from namespaces n cross join projects p on p.path_key > '/' || n.id || '/' and p.path_key < '/' || n.id || '0'
  where n.id = (select ?1) order by p.path_key limit (select ?2))";

/// What hears who renames a namespace with more.
pub fn too_many() -> Error {
    Error::message(format!(
        "400 Bad request - A namespace with more than {MOST_PROJECTS} projects keeps its name"
    ))
}

/// The `change` of a namespace with so many projects, some of which may come meanwhile: one transaction.
pub fn renamed(namespace_id: i64, projects: i64, change: Vec<Statement>) -> Vec<Statement> {
    let portions = usize::try_from(projects / PORTION + 2).unwrap_or_default();
    let mut batch = vec![sql!(LEAVE, namespace_id, PORTION); portions];
    batch.extend(change);
    batch.extend(vec![sql!(ARRIVE, namespace_id, PORTION); portions]);
    batch
}
