//! The statements of a new issue: one trip with that of authorization (behaviour 6).

use super::{assignable, before_json, has_milestone, issue_json, milestone_id, take_part, todo_mentioned};
use crate::call::Key;
use crate::call::sql::idempotency::{answer_json, replacing};
use crate::call::sql::quota::count_if_allowed;
use crate::call::write::Plan;
use crate::call::{if_allowed, in_project};
use crate::issues::input::NewIssue;
use crate::issues::words;
use crate::policy::{self, Action};
use crate::store::{Statement, Value, sql};
use serde_json::json;

/// An issue to be made, whose parameters have no fault by themselves.
#[derive(Debug)]
pub struct Draft<'a> {
    pub new: &'a NewIssue,
    /// None: not given, or no time.
    pub created_at: Option<i64>,
    /// User names found in title and description.
    pub mentioned: Vec<String>,
}

/// May `?7` be assigned here, and which milestone of this project is `?8`?
const BEFORE: &str =
    in_project!("union all select ", before_json!(), " from scope s join projects p on p.id = s.project_id");

/// Whether the issue is made: what the caller may not say is passed over, and no fault of theirs.
///
/// Binds of all these: `?7` assignee, `?8` milestone (its id or title), `?9` `[level that plans, level that sets times, whether the time is
/// one, the issue's number or null]`.
macro_rules! if_made {
    ($($text:expr),+ $(,)?) => {
        if_allowed!(
            concat!(
                "issues_enabled and (access < (select ?9 ->> 0) or exists (select 1 from projects p where p.id = resource.id and ",
                assignable!(), " and ", has_milestone!(), ")) and (access < (select ?9 ->> 1) or (select ?9 ->> 2))"
            );
            $($text),+
        )
    };
}

/// The number that was asked for by who sets times, too; or null.
macro_rules! number {
    () => {
        "iif(s.access >= (select ?9 ->> 1), (select ?9 ->> 3), null)"
    };
}

/// The issue that this batch made: the one with the project's last number, or with that which was asked for. Where another
/// issue has that, the batch has failed.
macro_rules! made {
    () => {
        concat!(
            "(select n.id from scope s cross join issue_counts k on k.project_id = s.project_id
  cross join issues n on n.project_id = s.project_id and n.iid = coalesce(",
            number!(),
            ", k.last_iid))"
        )
    };
}

const COUNT: &str = if_made!(count_if_allowed!());

/// Takes the project's next number; the counters follow by a trigger.
const INSERT: &str = if_made!(
    "insert into issues (project_id, iid, author_id, assignee_id, milestone_id, title, description, confidential, due_date,
  unlabeled, created_at, updated_at, discussion_locked, words)
select s.project_id, coalesce(",
    number!(),
    ", k.last_iid + 1), s.user_id, iif(s.access >= (select ?9 ->> 0), ?7, null),
  iif(s.access >= (select ?9 ->> 0), ",
    milestone_id!("s.project_id"),
    ", null), ?10, ?11, ?12, ?13,
  s.access < (select ?9 ->> 0) or ?15, coalesce(iif(s.access >= (select ?9 ->> 1), ?14, null), ?4), ?4,
  iif(s.access >= (select ?9 ->> 0), ?16, null), ?17
from scope s cross join issue_counts k on k.project_id = s.project_id"
);

/// Makes the labels `?10` that the project does not have yet.
const NEW_LABELS: &str = if_made!(
    "insert into labels (project_id, title, color, created_at)
select s.project_id, value, '#428BCA', ?4 from scope s cross join json_each(?10)
where s.access >= (select ?9 ->> 0) on conflict do nothing"
);

/// Puts them on.
const LABEL: &str = if_made!(
    "insert into issue_labels (issue_id, label_id) select i.id, l.id
from scope s cross join issues i on i.id = ",
    made!(),
    " cross join json_each(?10) named cross join labels l on l.project_id = i.project_id and l.title = named.value
where s.access >= (select ?9 ->> 0)"
);

const TODO_ASSIGNED: &str = if_made!(
    "insert into todos (user_id, author_id, project_id, issue_id, action, created_at, updated_at)
select i.assignee_id, i.author_id, i.project_id, i.id, 'assigned', ?4, ?4
from issues i where i.id = ",
    made!(),
    " and i.assignee_id is not null"
);

const TAKE_PART: &str = if_made!(take_part!(made!(), "?10", "0", "?6 ->> 5"));

const TODO_MENTIONED: &str =
    if_made!(todo_mentioned!(made!(), "?10", "null", "i.author_id", "?4", "?6 ->> 5"));

macro_rules! result {
    () => {
        concat!(
            "select ",
            issue_json!(new: "(select user_id from scope)"),
            " as v from issues i where i.id = ",
            made!()
        )
    };
}

const RESULT: &str = if_made!(result!());

const KEEP: &str = if_made!(
    "insert into idempotency_keys (user_id, key, digest, answer, created_at)
select k.user_id, (select ?6 ->> 3), ?10, ",
    answer_json!("?11", result!()),
    ", ?4 from scope k where true",
    replacing!()
);

impl Draft<'_> {
    pub fn plan(&self, is_faultless: bool, key: Option<Key>, base: &str) -> Plan {
        let query = sql!(BEFORE, self.new.assignee_id, self.new.milestone());
        let keep = key.as_ref().map(|key| self.step(KEEP, [key.digest.as_str().into(), base.into()]));
        let steps = if is_faultless { self.steps() } else { Vec::new() };
        Plan { query, steps, count: Some(self.step(COUNT, [])), keep, key }
    }

    fn steps(&self) -> Vec<Statement> {
        let new = self.new;
        let title = new.title.as_str().into();
        let (description, due_date) = (new.description.as_deref().into(), new.due_date.as_deref().into());
        let unlabeled = new.labels.is_empty().into();
        let (created_at, locked) = (self.created_at.into(), new.discussion_locked.into());
        let words = words::column(&new.title, new.description.as_deref()).to_string().into();
        let own =
            [title, description, new.confidential.into(), due_date, created_at, unlabeled, locked, words];
        let mut steps = vec![self.step(INSERT, own)];
        if !new.labels.is_empty() {
            let names = Value::from(json!(new.labels).to_string());
            steps.extend([NEW_LABELS, LABEL].map(|text| self.step(text, [names.clone()])));
        }
        if new.assignee_id.is_some() {
            steps.push(self.step(TODO_ASSIGNED, []));
        }
        if !self.mentioned.is_empty() {
            let names = Value::from(json!(self.mentioned).to_string());
            steps.extend([TAKE_PART, TODO_MENTIONED].map(|text| self.step(text, [names.clone()])));
        }
        steps.push(self.step(RESULT, []));
        steps
    }

    fn step<const N: usize>(&self, text: &'static str, own: [Value; N]) -> Statement {
        let (plans, _) = policy::least(Action::EditAnyIssue);
        let (sets_times, _) = policy::least(Action::SetTimes);
        let is_time = self.new.created_at.is_none() || self.created_at.is_some();
        let is_time = i64::from(is_time);
        let levels = json!([plans.level(), sets_times.level(), is_time, self.new.number]).to_string();
        let mut statement = sql!(text, self.new.assignee_id, self.new.milestone(), levels);
        statement.binds.extend(own);
        statement
    }
}
