//! Statuses that are the jobs of deployments (behaviour 10).

use super::{OpenRow, sql};
use crate::error::{Error, Result};
use crate::store::{Rows, Statement, Value};

/// The key of a status: of each there is at most one that is not finished.
#[derive(Debug)]
pub struct Key {
    pub project_id: i64,
    pub commit_id: i64,
    /// Empty: none.
    pub git_ref: String,
    pub name: String,
    pub user_id: i64,
}

/// A job that is posted.
#[derive(Debug)]
pub struct Post {
    pub key: Key,
    /// None: an unfinished status keeps its own, a new one is pending.
    pub state: Option<String>,
    pub coverage: Option<f64>,
    pub stage: String,
    pub tag: Option<bool>,
    /// Whether an unfinished status' own state posted again is an error.
    pub repeat_is_refused: bool,
    pub now: i64,
}

pub enum Outcome {
    Stored,
    /// The state of the unfinished status that cannot become what was posted.
    Refused(String),
}

impl Post {
    /// The two statements of a post; their answers are for [`Outcome::from`].
    pub fn statements(&self) -> [Statement; 2] {
        let Key { project_id, commit_id, user_id, .. } = self.key;
        let (ref_name, job) = (self.key.git_ref.as_str(), self.key.name.as_str());
        let post = sql::post_known {
            project_id,
            commit_id,
            ref_name,
            job,
            user_id,
            state: self.state.as_deref(),
            coverage: self.coverage.map_or(Value::Null, Value::Real),
            stage: self.stage.as_str(),
            tag: self.tag,
            repeat_is_refused: self.repeat_is_refused,
            now: self.now,
        };
        [sql::open_known { commit_id, ref_name, job, user_id }.into(), post.into()]
    }
}

impl Outcome {
    pub fn from(open: &Rows, posted: &Rows) -> Result<Outcome> {
        if !posted.is_empty() {
            return Ok(Outcome::Stored);
        }
        let open: Option<OpenRow> = open.first()?;
        let state = open.and_then(|open| open.state);
        state
            .map(Outcome::Refused)
            .ok_or_else(|| Error::Internal("a status was neither stored nor refused".to_owned()))
    }
}
