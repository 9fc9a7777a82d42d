//! The statements that decide a post: add or update, by one rule for whoever posts (behaviour 8.2).

use crate::error::{Error, Result};
use crate::store::{Rows, Statement, Value, sql};

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
    Stored,
    /// The state of the unfinished status that cannot become what was posted.
    Refused(String),
}

/// The unfinished status `o` of the key `t`. At most one.
macro_rules! open_status {
    () => {
        "statuses o on o.commit_id = t.commit_id and o.ref = t.ref and o.name = t.name and o.user_id = t.user_id
    and o.state in ('pending', 'running')"
    };
}

/// Whether it can become what was posted.
macro_rules! moves_on {
    () => {
        "(o.id is null or not (o.state = 'running' and ?11 is 'pending') and not (?12 and o.state is (select ?11)))"
    };
}

/// Moves the unfinished status of the key on, else adds one. `$key`: a subquery for the key.
///
/// Binds: `?4` now, `?9` ref, `?10` name, `?11` state, `?12` whether its own state posted again is refused, `?13`
/// target_url, `?14` description, `?15` coverage, `?16` stage, `?17` tag, `?18` whether it was skipped and not canceled. An unfinished status has its id already, so that
/// the same row is changed.
macro_rules! post {
    ($key:expr) => {
        concat!(
            "insert into statuses (id, project_id, commit_id, ref, name, user_id, state, target_url, description, coverage,
  created_at, stage, tag, started_at, finished_at, skipped)
select o.id, t.project_id, t.commit_id, t.ref, t.name, t.user_id, coalesce(?11, 'pending'), ?13, ?14, ?15, ?4,
  coalesce(?16, 'external'), coalesce(?17, 0), case when ?11 = 'running' then ?4 end,
  case when ?11 in ('success', 'failed', 'canceled') then ?4 end, ?18
from (", $key, ") t left join ", crate::statuses::sql::posts::open_status!(), "
where ", crate::statuses::sql::posts::moves_on!(), "
on conflict (id) do update set state = coalesce(?11, state), target_url = coalesce(?13, target_url),
  description = coalesce(?14, description), coverage = coalesce(?15, coverage), stage = coalesce(?16, stage),
  tag = coalesce(?17, tag),
  started_at = case when ?11 = 'running' then coalesce(started_at, ?4) else started_at end,
  finished_at = case when ?11 in ('success', 'failed', 'canceled') then ?4 end, skipped = ?18
returning "
        )
    };
}

pub(crate) use {moves_on, open_status, post};

/// The key of a post that knows it.
macro_rules! known {
    () => {
        "select ?1 as project_id, ?2 as commit_id, ?9 as ref, ?10 as name, ?3 as user_id"
    };
}

/// The state of the unfinished status.
const OPEN: &str = concat!(
    "select json_quote(o.state) as v from (select ?1 as commit_id, ?2 as ref, ?3 as name, ?4 as user_id) t cross join ",
    open_status!()
);

const POST: &str = concat!(post!(known!()), "json_quote(id) as v");

impl Post {
    /// The two statements of a post; their answers are for [`Outcome::from`].
    pub fn statements(&self) -> Vec<Statement> {
        let Key { project_id, commit_id, user_id, .. } = self.key;
        let mut binds = vec![project_id.into(), commit_id.into(), user_id.into(), self.now.into()];
        // where other posts have what says who calls and where to
        binds.extend([const { Value::Null }; 4]);
        binds.extend([self.key.git_ref.as_str().into(), self.key.name.as_str().into()]);
        binds.extend(self.said());
        let open = sql!(OPEN; self.key.binds());
        vec![open, sql!(POST; binds)]
    }

    /// Binds `?11` to `?18`.
    fn said(&self) -> [Value; 8] {
        [
            self.state.as_deref().into(),
            self.repeat_is_refused.into(),
            self.target_url.as_deref().into(),
            self.description.as_deref().into(),
            self.coverage.map_or(Value::Null, Value::Real),
            self.stage.as_deref().into(),
            self.tag.into(),
            // a deployment's job is not skipped
            false.into(),
        ]
    }
}

impl Outcome {
    pub fn from(answers: &[Rows]) -> Result<Outcome> {
        let nothing = || Error::Internal("a status was neither stored nor refused".to_owned());
        let [open, posted, ..] = answers else { return Err(nothing()) };
        match posted.is_empty() {
            false => Ok(Outcome::Stored),
            true => open.first()?.map(Outcome::Refused).ok_or_else(nothing),
        }
    }
}
