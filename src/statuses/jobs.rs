//! Posts the jobs of deployments as commit statuses (behaviour 10).

use super::{OpenRow, sql};
use crate::error::{Error, Result};
use crate::store::{Rows, Statement, Value};

/// A user has at most one unfinished status of each name on a ref of a commit.
#[derive(Debug)]
pub struct Post {
    pub project_id: i64,
    pub commit_id: i64,
    /// Empty without a ref.
    pub git_ref: String,
    pub name: String,
    pub user_id: i64,
    /// With None an unfinished status keeps its state, and a new status is pending.
    pub state: Option<String>,
    pub coverage: Option<f64>,
    pub stage: String,
    pub tag: Option<bool>,
    /// Whether it is an error to post the state that an unfinished status has.
    pub repeat_is_refused: bool,
    pub now: i64,
}

impl Post {
    /// Pass the answers of both to [`refused_by`].
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

/// Returns the state of the unfinished status that refuses the post. None if the post was stored.
pub fn refused_by(open: &Rows, posted: &Rows) -> Result<Option<String>> {
    if !posted.is_empty() {
        return Ok(None);
    }
    let state = open.first::<OpenRow>()?.and_then(|open| open.state);
    state.map(Some).ok_or_else(|| {
        Error::Internal("a post returned neither a stored nor an unfinished status".to_owned())
    })
}
