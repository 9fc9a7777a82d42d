//! The statements that decide a post: add or update, by one rule for whoever posts (contract B 4.4.2).

use super::sql::{StatusRow, status_json};
use crate::error::{Error, Result};
use crate::store::{Rows, Statement, Store, Value};

/// What there is one unfinished status of at most.
#[derive(Debug)]
pub struct Key {
    pub project_id: i64,
    pub commit_id: i64,
    /// Empty: none.
    pub git_ref: String,
    pub name: String,
    pub user_id: i64,
}

impl Key {
    /// Binds `?1` to `?4` of every statement here.
    pub fn binds(&self) -> Vec<Value> {
        let Key { commit_id, git_ref, name, user_id, .. } = self;
        vec![(*commit_id).into(), git_ref.as_str().into(), name.as_str().into(), (*user_id).into()]
    }
}

#[derive(Debug)]
pub struct Post {
    pub key: Key,
    /// None: an unfinished status keeps its own, a new one is pending.
    pub state: Option<String>,
    pub target_url: Option<String>,
    pub description: Option<String>,
    pub coverage: Option<f64>,
    pub stage: Option<String>,
    pub tag: Option<bool>,
    /// Whether an unfinished status' own state posted again is an error.
    pub repeat_is_refused: bool,
    pub now: i64,
}

pub enum Outcome {
    Stored(StatusRow),
    /// The state of the unfinished status that cannot become what was posted.
    Refused(String),
}

/// Moves the unfinished status of the key on, unless it would go back.
const MOVE: &str = concat!(
    "update statuses set state = coalesce(?5, state), target_url = coalesce(?6, target_url),
  description = coalesce(?7, description), coverage = coalesce(?8, coverage), stage = coalesce(?10, stage),
  tag = coalesce(?11, tag),
  started_at = case when ?5 = 'running' then coalesce(started_at, ?9) else started_at end,
  finished_at = case when ?5 in ('success', 'failed', 'canceled') then ?9 end
where commit_id = (select ?1) and ref = (select ?2) and name = (select ?3) and user_id = (select ?4) and state in ('pending', 'running')
  and not (state = 'running' and ?5 is 'pending') and not (?12 and state is (select ?5))
returning ",
    status_json!(""),
    " as v"
);

/// Else adds one, unless there is an unfinished one that stayed.
const ADD: &str = concat!(
    "insert into statuses (project_id, commit_id, ref, name, user_id, state, target_url, description, coverage, created_at,
  stage, tag, started_at, finished_at)
select ?12, ?1, ?2, ?3, ?4, coalesce(?5, 'pending'), ?6, ?7, ?8, ?9, coalesce(?10, 'external'), coalesce(?11, 0),
  case when ?5 = 'running' then ?9 end, case when ?5 in ('success', 'failed', 'canceled') then ?9 end
where changes() = 0 and not exists (select 1 from statuses
  where commit_id = (select ?1) and ref = (select ?2) and name = (select ?3) and user_id = (select ?4) and state in ('pending', 'running'))
returning ", status_json!(""), " as v"
);

/// What stayed, if none was added.
const STAYED: &str = "select json_quote(state) as v from statuses
where changes() = 0 and commit_id = (select ?1) and ref = (select ?2) and name = (select ?3) and user_id = (select ?4) and state in ('pending', 'running')";

impl Post {
    /// The three statements of a post; their answers are for [`Outcome::from`].
    pub fn statements(&self) -> Vec<Statement> {
        let statement = |sql: &'static str, last: Value| {
            let mut binds = self.key.binds();
            binds.push(self.state.as_deref().into());
            binds.extend([self.target_url.as_deref().into(), self.description.as_deref().into()]);
            binds.push(self.coverage.map_or(Value::Null, Value::Real));
            binds.extend([self.now.into(), self.stage.as_deref().into(), self.tag.into(), last]);
            Statement { sql: sql.into(), binds }
        };
        vec![
            statement(MOVE, self.repeat_is_refused.into()),
            statement(ADD, self.key.project_id.into()),
            Statement { sql: STAYED.into(), binds: self.key.binds() },
        ]
    }
}

impl Outcome {
    pub fn from(answers: &[Rows]) -> Result<Outcome> {
        let nothing = || Error::Internal("a status was neither stored nor refused".to_owned());
        let [moved, added, stayed, ..] = answers else { return Err(nothing()) };
        match moved.first()?.or(added.first()?) {
            Some(row) => Ok(Outcome::Stored(row)),
            None => stayed.first()?.map(Outcome::Refused).ok_or_else(nothing),
        }
    }
}

/// Adds or updates a status: one transaction decides.
pub async fn store(store: &Store<'_>, post: &Post) -> Result<Outcome> {
    Outcome::from(&store.batch(post.statements()).await?)
}
