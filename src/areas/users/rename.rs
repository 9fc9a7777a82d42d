use super::sql;
use crate::kernel::{Error, Statement};

/// Projects that one statement renames.
const CHUNK: i64 = 1000;
/// The most projects that one transaction renames.
pub const MOST_PROJECTS: i64 = 5000;

pub fn too_many() -> Error {
    Error::message(format!("400 Bad request - A namespace with more than {MOST_PROJECTS} projects keeps its name"))
}

/// Returns `change` with the statements that rename the namespace's projects. There is at least one chunk more than
/// needed, because projects may be added before the batch runs.
pub fn renamed(namespace_id: i64, projects: i64, change: Vec<Statement>) -> Vec<Statement> {
    let chunks = usize::try_from(projects / CHUNK + 2).unwrap_or_default();
    let mut batch = vec![sql::leave_address { namespace_id, most: CHUNK }.into(); chunks];
    batch.extend(change);
    batch.extend(vec![sql::take_address { namespace_id, most: CHUNK }.into(); chunks]);
    batch
}
