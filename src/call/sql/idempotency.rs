//! Statements of `call/idempotency.rs`.

use crate::call::sql::scope::{self, answered};

/// A kept answer as a row, of the alias `r`.
macro_rules! kept_json {
    () => {
        "json_object('digest', r.digest, 'answer', json(r.answer))"
    };
}

/// The text of a kept answer: the row `$row`, the base `$base`, and the setting.
macro_rules! answer_json {
    ($base:literal, $row:expr) => {
        concat!(
            "json_object('base', ",
            $base,
            ", 'avatars', (select avatar_enabled from settings), 'row', json((",
            $row,
            ")))"
        )
    };
}

/// Keeps an answer under the key, over what was kept there a day ago: the end of an `insert`.
macro_rules! replacing {
    () => {
        " on conflict (user_id, key) do update set digest = excluded.digest, answer = excluded.answer,
  record_id = excluded.record_id, created_at = excluded.created_at"
    };
}

/// What was this caller answered before?
pub const KEPT: &str = concat!(
    scope::project_place!("caller c"),
    " select ",
    kept_json!(),
    " as v from resource s cross join idempotency_keys r on ",
    answered!("s.user_id"),
    " where ",
    scope::allowed!()
);

pub(crate) use {answer_json, replacing};
