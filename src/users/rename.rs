//! Gives all projects of a namespace the address and the name that the namespace has now.

use super::sql;
use crate::error::Error;
use crate::store::Statement;

/// How many projects one statement renames, and how many a namespace has at most that is renamed.
const CHUNK: i64 = 1000;
pub const MOST_PROJECTS: i64 = 100_000;

/// The refusal if there are more.
pub fn too_many() -> Error {
    Error::message(format!(
        "400 Bad request - A namespace with more than {MOST_PROJECTS} projects keeps its name"
    ))
}

/// The `change` of a namespace with so many projects, some of which may come meanwhile: one transaction.
pub fn renamed(namespace_id: i64, projects: i64, change: Vec<Statement>) -> Vec<Statement> {
    let chunks = usize::try_from(projects / CHUNK + 2).unwrap_or_default();
    let mut batch = vec![sql::leave_address { namespace_id, most: CHUNK }.into(); chunks];
    batch.extend(change);
    batch.extend(vec![sql::take_address { namespace_id, most: CHUNK }.into(); chunks]);
    batch
}
