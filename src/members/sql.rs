//! Rows and statements of members.

use crate::call::in_project;
use crate::error::Result;
use crate::sql;
use crate::store::{Statement, Store};
use crate::users::sql::{UserRow, user_json};
use serde::Deserialize;

/// A user as a member.
#[derive(Debug, Clone, Deserialize)]
pub struct MemberRow {
    pub user: UserRow,
    pub access: i64,
    pub created_at: i64,
}

/// A [`MemberRow`] of the aliases `u` and `m`.
macro_rules! member_json {
    () => {
        concat!("json_object('user', ", user_json!("u"), ", 'access', m.access, 'created_at', m.created_at)")
    };
}

/// A user about to become a member, or to be one no longer.
#[derive(Debug, Deserialize)]
pub struct Subject {
    /// His level, if he is a member.
    pub access: Option<i64>,
}

/// Is there a user `?7`, and what is he in this project?
const PROJECT_SUBJECT: &str = in_project!(
    "union all select json_object('access', (select m.access from project_members m
    where m.user_id = u.id and m.project_id = (select project_id from scope)))
from users u where u.id = ?7"
);

pub fn project_subject(user_id: i64) -> Statement {
    sql!(PROJECT_SUBJECT, user_id)
}

/// Is `?7` a member of this project?
const PROJECT_MEMBER: &str = in_project!(
    "union all select ",
    member_json!(),
    " from project_members m join users u on u.id = m.user_id
where m.user_id = ?7 and m.project_id = (select project_id from scope)"
);

pub fn project_member(user_id: i64) -> Statement {
    sql!(PROJECT_MEMBER, user_id)
}

/// Makes `?1` a member of the project `?2`, unless he is one.
const ADD_TO_PROJECT: &str = "insert into project_members (user_id, project_id, access, created_at)
values (?1, ?2, ?3, ?4) on conflict do nothing returning 'true'";

/// The member `?1` of the project `?2`.
const OF_PROJECT: &str = concat!(
    "select ",
    member_json!(),
    " from project_members m join users u on u.id = m.user_id where m.user_id = ?1 and m.project_id = ?2"
);

/// The new member; none if he was one before.
pub async fn add_to_project(
    store: &Store<'_>,
    project_id: i64,
    user_id: i64,
    access: i64,
    now: i64,
) -> Result<Option<MemberRow>> {
    let batch =
        vec![sql!(ADD_TO_PROJECT, user_id, project_id, access, now), sql!(OF_PROJECT, user_id, project_id)];
    let mut answers = store.batch(batch).await?;
    let rows = answers.pop().unwrap_or_default();
    if answers.first().is_none_or(|made| made.is_empty()) { Ok(None) } else { Ok(rows.first()?) }
}
