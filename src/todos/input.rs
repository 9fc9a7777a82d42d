//! What lists of to-do items are asked for.

use crate::params::Parameters;

/// Parameters of `GET /todos` and `DELETE /todos`.
#[derive(Debug, Parameters, Default)]
#[param(default)]
pub struct ListTodos {
    pub action: Option<ActionName>,
    pub author_id: Option<i64>,
    pub project_id: Option<i64>,
    #[param(skip)]
    pub group_id: Option<i64>,
    pub state: Option<State>,
    #[param(rename = "type")]
    pub target_type: Option<TargetType>,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "snake_case")]
pub enum ActionName {
    Assigned,
    Mentioned,
    BuildFailed,
    Marked,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
#[param(rename_all = "lowercase")]
pub enum State {
    Pending,
    Done,
}

#[derive(Debug, Parameters, Clone, Copy, PartialEq)]
pub enum TargetType {
    Issue,
    MergeRequest,
    Commit,
}
