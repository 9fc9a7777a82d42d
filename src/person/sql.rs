//! How statements tell a `UserRow`.

/// A [`UserRow`] of a table alias of `users`.
macro_rules! user_json {
    ($u:literal) => {
        concat!("json_array(", $u, ".id, ", $u, ".username, ", $u, ".name, ", $u, ".state, ", $u, ".email)")
    };
}

/// A [`UserRow`] looked up by an id, or null.
macro_rules! user_by_id {
    ($id:literal) => {
        concat!(
            "json((select ",
            crate::person::sql::user_json!("u"),
            " from users u where u.id = ",
            $id,
            "))"
        )
    };
}

pub(crate) use {user_by_id, user_json};
