//! Users as everything refers to them: authors, assignees, callers.

use crate::store::Row;

/// What the brief form needs.
#[derive(Debug, Clone, Default, Row)]
pub struct UserRow {
    pub id: i64,
    pub username: String,
    pub name: String,
    pub state: String,
    pub email: String,
}

/// A [`UserRow`] of a table alias of `users`.
macro_rules! user_json {
    ($u:literal) => {
        concat!(
            "json_object('id', ",
            $u,
            ".id, 'username', ",
            $u,
            ".username, 'name', ",
            $u,
            ".name, 'state', ",
            $u,
            ".state, 'email', ",
            $u,
            ".email)"
        )
    };
}

/// A [`UserRow`] looked up by an id, or null.
macro_rules! user_by_id {
    ($id:literal) => {
        concat!("json((select ", crate::person::user_json!("u"), " from users u where u.id = ", $id, "))")
    };
}

pub(crate) use {user_by_id, user_json};
