//! Rows and statements of tokens.

use crate::call::idempotency::{Key, answer_json, replacing};
use crate::call::scope::PROJECT_DOOR;
use crate::call::{in_project, signed_in};
use crate::page::Page;
use crate::sql;
use crate::store::{Failure, Statement, Store};
use serde::Deserialize;

/// A token, without what it opens with.
#[derive(Debug, Clone, Deserialize)]
pub struct TokenRow {
    pub id: i64,
    pub user_id: i64,
    pub project_id: Option<i64>,
    pub name: String,
    pub created_at: i64,
    pub expires_at: Option<i64>,
    pub revoked_at: Option<i64>,
}

/// A [`TokenRow`] of the alias `t`.
macro_rules! token_json {
    () => {
        "json_object('id', t.id, 'user_id', t.user_id, 'project_id', t.project_id, 'name', t.name,
  'created_at', t.created_at, 'expires_at', t.expires_at, 'revoked_at', t.revoked_at)"
    };
}

/// Whose tokens are asked about.
#[derive(Debug, Deserialize)]
pub struct Whose {
    pub user_id: i64,
    /// The token asked about, if it is his.
    pub token_id: Option<i64>,
}

/// Is there a user `?7`, and has he a token `?8`?
const WHOSE: &str = signed_in!(
    "union all select json_object('user_id', u.id, 'token_id', (select t.id from tokens t
    where t.id = (select ?8 where c.admin or c.id = u.id) and t.user_id = u.id and t.kind = 'personal'))
from caller c cross join users u on u.id = (select ?7)"
);

pub fn whose(user_id: i64, token_id: Option<i64>) -> Statement {
    sql!(WHOSE, user_id, token_id)
}

/// Is there a user `?7`, and which are his tokens after `?8`, and after `?9` others? `?10` at most.
const LIST: &str = signed_in!(
    "union all select json_object('user_id', u.id, 'token_id', null)
from caller c cross join users u on u.id = (select ?7)
union all select v from (select ",
    token_json!(),
    " as v from tokens t where t.user_id = (select ?7 from caller where admin or id = ?7) and t.id > (select ?8) and t.kind = 'personal'
  order by t.id limit (select ?10) offset (select ?9))"
);

/// One row more than the page has tells that there is a further one.
pub fn list(user_id: i64, page: &Page) -> Statement {
    let (after, offset) = page.after();
    sql!(LIST, user_id, after, offset, page.size + 1)
}

/// The door alone.
pub fn project() -> Statement {
    sql!(PROJECT_DOOR)
}

/// Which tokens has this project's hook after `?7`, and after `?8` others? `?9` at most.
const LIST_OF_HOOKS: &str = in_project!(
    "union all select v from (select ",
    token_json!(),
    " as v from tokens t where t.project_id = (select project_id from scope) and t.id > (select ?7)
  order by t.id limit (select ?9) offset (select ?8))"
);

pub fn list_of_hooks(page: &Page) -> Statement {
    let (after, offset) = page.after();
    sql!(LIST_OF_HOOKS, after, offset, page.size + 1)
}

/// Has this project's hook a token `?7`?
const OF_HOOK: &str = in_project!(
    "union all select ",
    token_json!(),
    " from scope s cross join tokens t on t.id = (select ?7) and t.project_id = s.project_id"
);

pub fn of_hook(token_id: i64) -> Statement {
    sql!(OF_HOOK, token_id)
}

/// Ends a token, once.
const REVOKE: &str = "update tokens set revoked_at = ?2 where id = (select ?1) and revoked_at is null";

pub async fn revoke(store: &Store<'_>, token_id: i64, now: i64) -> crate::error::Result<()> {
    store.ask(sql!(REVOKE, token_id, now)).await?;
    Ok(())
}

/// A token to be made.
#[derive(Debug)]
pub struct Draft {
    pub hash: String,
    pub user_id: i64,
    /// The one project whose mirror it serves.
    pub project_id: Option<i64>,
    pub name: String,
    pub expires_at: Option<i64>,
    pub now: i64,
}

/// Keeps a token's hash under the next id.
const INSERT: &str = "insert into tokens (hash, id, user_id, kind, project_id, name, created_at, expires_at)
values (?1, (select coalesce(max(id), 0) + 1 from tokens), ?2, iif(?3 is null, 'personal', 'hook'), ?3, ?4, ?5, ?6)";

/// The token with the hash `?1`.
const RESULT: &str = concat!("select ", token_json!(), " as v from tokens t where t.hash = (select ?1)");

/// A token, and what it follows from beside the caller's own and the request's key.
#[derive(Debug, Deserialize)]
pub struct SaltedRow {
    pub token: TokenRow,
    pub salt: String,
}

/// Keeps a [`SaltedRow`] of the token with the hash `?5` and the salt `?6` for the user `?1` under the key `?2`.
const KEEP: &str = concat!(
    "insert into idempotency_keys (user_id, key, created_at, digest, answer) select ?1, ?2, ?3, ?4, ",
    answer_json!(
        "''",
        concat!(
            "select json_object('token', ",
            token_json!(),
            ", 'salt', ?6) from tokens t where t.hash = (select ?5)"
        )
    ),
    " where true",
    replacing!()
);

/// `key`: the request's, whose caller, and the salt.
pub async fn create(
    store: &Store<'_>,
    draft: Draft,
    key: Option<(&Key, i64, &str)>,
) -> std::result::Result<Option<TokenRow>, Failure> {
    let Draft { hash, user_id, project_id, name, expires_at, now } = draft;
    let insert = sql!(INSERT, hash.as_str(), user_id, project_id, name, now, expires_at);
    let result = sql!(RESULT, hash.as_str());
    let rows = match key {
        None => store.batch(vec![insert, result]).await?,
        Some((key, caller_id, salt)) => {
            let unused = key.expect_unused(caller_id, now);
            let keep = sql!(KEEP, caller_id, key.hash.as_str(), now, key.digest.as_str(), hash, salt);
            store.repeat(vec![unused, insert, keep, result]).await?
        }
    };
    rows.last().map(|rows| rows.first()).transpose().map(Option::flatten)
}
