//! The statement of badges.

use crate::call::in_open_project;
use crate::commits::sql::{abbreviation, commit_id};
use crate::store::{Statement, sql};

/// How many of the newest statuses of the commit `?7` are in each state?
const COUNTS: &str = in_open_project!(
    "union all select json_object('pending', sum(n.pending), 'running', sum(n.running), 'success', sum(n.success),
  'failed', sum(n.failed), 'canceled', sum(n.canceled))
from status_counts n where n.commit_id = ",
    commit_id!(),
    " having count(*) > 0"
);

pub fn counts(git_ref: &str) -> Statement {
    sql!(COUNTS, git_ref, abbreviation(git_ref))
}
