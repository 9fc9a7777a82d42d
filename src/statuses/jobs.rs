//! Statuses that are the jobs of deployments (behaviour 10).

use super::{OpenRow, sql};
use crate::error::{Error, Result};
use crate::store::{Rows, Statement, Value};

/// A job that is posted. Of each name on a ref of a commit its user has at most one status that is not finished.
#[derive(Debug)]
pub struct Post {
    pub project_id: i64,
    pub commit_id: i64,
    /// Empty: none.
    pub git_ref: String,
    pub name: String,
    pub user_id: i64,
    /// None: an unfinished status keeps its own, a new one is pending.
    pub state: Option<String>,
    pub coverage: Option<f64>,
    pub stage: String,
    pub tag: Option<bool>,
    /// Whether an unfinished status' own state posted again is an error.
    pub repeat_is_refused: bool,
    pub now: i64,
}

impl Post {
    /// The two statements of a post; their answers are for [`refused_by`].
    pub fn statements(&self) -> [Statement; 2] {
        let Post { project_id, commit_id, user_id, tag, repeat_is_refused, now, .. } = *self;
        let (ref_name, job) = (self.git_ref.as_str(), self.name.as_str());
        let post = sql::post_known {
            project_id,
            commit_id,
            ref_name,
            job,
            user_id,
            state: self.state.as_deref(),
            coverage: self.coverage.map_or(Value::Null, Value::Real),
            stage: self.stage.as_str(),
            tag,
            repeat_is_refused,
            now,
        };
        [sql::open_known { commit_id, ref_name, job, user_id }.into(), post.into()]
    }
}

/// The state of the unfinished status that cannot become what was posted. None: it was stored.
pub fn refused_by(open: &Rows, posted: &Rows) -> Result<Option<String>> {
    if !posted.is_empty() {
        return Ok(None);
    }
    let state = open.first::<OpenRow>()?.and_then(|open| open.state);
    state.map(Some).ok_or_else(|| Error::Internal("a status was neither stored nor refused".to_owned()))
}
