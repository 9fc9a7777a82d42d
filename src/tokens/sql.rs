//! Rows and statements of tokens.

use crate::call::Key;
use crate::call::sql::idempotency::{answer_json, replacing};
use crate::call::sql::scope::PROJECT_HEAD;
use crate::call::{in_project, signed_in, token_hash};
use crate::page::Page;
use crate::store::{Failure, Row, Statement, Store, fill, sql};

/// A token, without what it opens with.
#[derive(Debug, Clone, Row)]
pub struct TokenRow {
    pub id: i64,
    pub user_id: i64,
    pub project_id: Option<i64>,
    pub name: String,
    pub created_at: i64,
    pub expires_at: Option<i64>,
    pub revoked_at: Option<i64>,
    /// As whom a project's token acts.
    pub bot_id: Option<i64>,
    /// As in [`crate::policy::scopes`].
    #[row(default)]
    pub scopes: i64,
    /// The most that a project's token may.
    pub access: Option<i64>,
}

/// A [`TokenRow`] of the alias `t`.
macro_rules! token_json {
    () => {
        "json_array(t.id, t.user_id, t.project_id, t.name,
  t.created_at, t.expires_at, t.revoked_at,
  t.bot_id, t.scopes, t.access)"
    };
}

/// Whose tokens are asked about.
#[derive(Debug, Row)]
pub struct Whose {
    pub user_id: i64,
    /// The token asked about, if it is that user's.
    pub token_id: Option<i64>,
}

/// Is there a user `?7`, and do they have a token `?8`?
const WHOSE: &str = signed_in!(
    "union all select json_object('user_id', u.id, 'token_id', (select t.id from tokens t
    where t.id = (select ?8 where c.admin or c.id = u.id) and t.user_id = u.id and t.kind = 'personal'))
from caller c cross join users u on u.id = (select ?7)"
);

pub fn whose(user_id: i64, token_id: Option<i64>) -> Statement {
    sql!(WHOSE, user_id, token_id)
}

/// Is there a user `?7`, and which are their tokens after `?8`, and after `?9` others? `?10` at most.
const LIST: &str = signed_in!(
    "union all select json_object('user_id', u.id, 'token_id', null)
from caller c cross join users u on u.id = (select ?7)
union all select v from (select ",
    token_json!(),
    " as v from tokens t indexed by tokens_of_person where t.user_id = (select ?7 from caller where admin or id = ?7) and t.id > (select ?8) and t.kind = 'personal'
  order by t.id limit (select ?10) offset (select ?9))"
);

/// One row more than the page has tells that there is a further one.
pub fn list(user_id: i64, page: &Page) -> Statement {
    let (after, offset) = page.after();
    sql!(LIST, user_id, after, offset, page.size + 1)
}

/// Whether the token `t` meets the filters `?13` to `?19`.
macro_rules! fits {
    () => {
        "(?13 is null or ?13 = (t.revoked_at is null and coalesce(t.expires_at, ?10 + 1) > ?10))
      and (?14 is null or ?14 = (t.revoked_at is not null)) and (?15 is null or instr(lower(t.name), lower(?15)))
      and t.created_at >= coalesce(?16, t.created_at) and t.created_at <= coalesce(?17, t.created_at)
      and (?18 is null or t.expires_at >= ?18) and (?19 is null or t.expires_at <= ?19)"
    };
}

/// Which tokens of persons, past the id `?7` and of the first `?9` there, fit? Those of the user `?12`; without one the caller's
/// own, an administrator's all. `?11` at most behind `?8` others. `?10`: now. `?13` active or not, `?14` revoked or not, `?15`
/// in the name, `?16` to `?19` made after and before and expiring after and before.
const LIST_OF_PERSONS: &str = signed_in!(
    "union all select v from (
  with walk as materialized (
    select (select json_group_array(json_array(id, fits)) from (select t.id, (",
    fits!(),
    ") is true as fits from (
      select id from (select t.id from tokens t indexed by tokens_of_person where t.kind = 'personal'
        and t.user_id = coalesce(?12, iif(c.admin, null, c.id)) and t.id {past} (select ?7) order by t.id {sort} limit (select ?9))
      union all select id from (select t.id from tokens t indexed by tokens_of_persons where t.kind = 'personal'
        and t.id {past} iif(c.admin and ?12 is null, (select ?7), null) order by t.id {sort} limit (select ?9))) y
      cross join tokens t on t.id = y.id)) as found from caller c where ?12 is null or c.id = ?12 or c.admin
  ), page as materialized (
    select w.found, (select json_group_array(id) from (
      select e.value ->> 0 as id from json_each(w.found) e where e.value ->> 1 limit (select ?11) offset (select ?8))) as ids from walk w
  )
  select iif(d.value = 0,
    json_object('end', iif(json_array_length(page.ids) < ?11, page.found -> cast(?9 - 1 as integer) ->> 0, null)), json_object('row', ",
    token_json!(),
    ")) as v
  from page cross join json_each(json_insert(page.ids, '$[#]', 0)) d left join tokens t on t.id = d.value)"
);

/// `binds`: from `?7` on.
pub fn list_of_persons(ascending: bool, binds: Vec<crate::store::Value>) -> Statement {
    let (past, sort) = if ascending { (">", "asc") } else { ("<", "desc") };
    let list = fill(LIST_OF_PERSONS, &[("past", past), ("sort", sort)]);
    sql!(list; binds)
}

/// The token `?7` if the caller may know of it; without a number the one that asks.
const ONE_OF_PERSONS: &str = signed_in!(
    "union all select ",
    token_json!(),
    " from caller c cross join tokens t on t.id = coalesce(?7, (select o.id from tokens o where o.hash = (select ?2)))
  where ?7 is null or t.kind = 'personal' and (c.admin or t.user_id = c.id)"
);

pub fn one_of_persons(token_id: Option<i64>) -> Statement {
    sql!(ONE_OF_PERSONS, token_id)
}

/// Authorization alone.
pub fn project() -> Statement {
    sql!(PROJECT_HEAD)
}

/// Which tokens of the kind `?10` has this project after `?7`, and after `?8` others? `?9` at most.
const LIST_OF_PROJECT: &str = in_project!(
    "union all select v from (select ",
    token_json!(),
    " as v from tokens t indexed by tokens_of_project_by_kind where t.project_id = (select project_id from scope) and t.id > (select ?7) and t.kind = (select ?10)
  order by t.id limit (select ?9) offset (select ?8))"
);

pub fn list_of_project(kind: &str, page: &Page) -> Statement {
    let (after, offset) = page.after();
    sql!(LIST_OF_PROJECT, after, offset, page.size + 1, kind)
}

/// Has this project a token `?7` of the kind `?8`?
const OF_PROJECT: &str = in_project!(
    "union all select ",
    token_json!(),
    " from scope s cross join tokens t on t.id = (select ?7) and t.project_id = s.project_id
  and t.kind = (select ?8)"
);

pub fn of_project(kind: &str, token_id: i64) -> Statement {
    sql!(OF_PROJECT, token_id, kind)
}

/// Ends a token, once.
const REVOKE: &str = "update tokens set revoked_at = ?2 where id = (select ?1) and revoked_at is null";

/// What a project's token wrote goes on naming its user, who is shut out with it.
const END: &str =
    "update users set state = 'blocked' where id = (select bot_id from tokens where id = (select ?1))";

pub async fn revoke(store: &Store<'_>, token_id: i64, now: i64) -> crate::error::Result<()> {
    store.repeat(vec![sql!(REVOKE, token_id, now), sql!(END, token_id)]).await?;
    Ok(())
}

/// Shuts out the users of the tokens of the project `?1`.
const END_ALL: &str = "update users set state = 'blocked' where state = 'active'
  and id in (select bot_id from tokens where project_id = (select ?1) and revoked_at is null)";

/// Revokes the tokens of the project `?1`, those of hooks, too.
const REVOKE_ALL: &str =
    "update tokens set revoked_at = ?2 where project_id = (select ?1) and revoked_at is null";

/// The project is no more.
pub fn end_all(project_id: i64, now: i64) -> [Statement; 2] {
    [sql!(END_ALL, project_id), sql!(REVOKE_ALL, project_id, now)]
}

/// Where a new token comes from.
#[derive(Debug)]
pub enum Origin {
    New,
    /// A project's, with a user of its own.
    WithBot,
    /// It takes the place of this one, and acts as the same user.
    Instead(TokenRow),
}

/// A token to be made.
#[derive(Debug)]
pub struct Draft {
    pub hash: String,
    pub user_id: i64,
    /// The one project that it is for.
    pub project_id: Option<i64>,
    pub origin: Origin,
    pub scopes: i64,
    pub access: Option<i64>,
    pub name: String,
    pub expires_at: Option<i64>,
    pub now: i64,
}

impl Draft {
    /// Whether it takes the place of a token of its own user's, and makes none more.
    pub fn replaces_own(&self) -> bool {
        self.project_id.is_none() && matches!(self.origin, Origin::Instead(_))
    }
}

/// Keeps a token's hash under the next id. It acts as the user `?9`, or the one with the name `?10`.
const INSERT: &str =
    "insert into tokens (hash, id, user_id, kind, project_id, name, created_at, expires_at, scopes, access, bot_id)
values (?1, (select coalesce(max(id), 0) + 1 from tokens), ?2,
  iif(?3 is null, 'personal', iif(?8 is null, 'hook', 'project')), ?3, ?4, ?5, ?6, ?7, ?8,
  coalesce(?9, (select id from namespaces where path_key = (select ?10))))";

/// The name of a user of a project's token, under an id that no person has. -1 and 0 mean something else in lists.
const BOT_NAME: &str = "insert into namespaces (id, kind, path, path_key)
values (min(-100, (select min(id) from namespaces)) - 1, 'user', ?1, ?1)";

/// That user, who sees no more than anybody without an account beyond the project.
const BOT: &str =
    "insert into users (id, username, name, email, email_key, external, projects_limit, created_at)
select id, path, ?2 || ' (token)', path || '@noreply.invalid', path || '@noreply.invalid', 1, 0, ?3
from namespaces where path_key = (select ?1)";

/// Nobody ended it meanwhile.
const EXPECT_LIVE: &str = "insert into expectations (holds) select exists (select 1 from tokens where id = (select ?1) and revoked_at is null)";

/// The token with the hash `?1`.
const RESULT: &str = concat!("select ", token_json!(), " as v from tokens t where t.hash = (select ?1)");

/// A token, and what it follows from beside the caller's own and the request's key.
#[derive(Debug, Row)]
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
    let Draft { hash, user_id, project_id, origin, scopes, access, name, expires_at, now } = draft;
    // nobody can have taken it, nor does it tell anything of the token
    let suffix: String = token_hash(&format!("bot {hash}")).chars().take(16).collect();
    let bot = format!("project_{}_bot_{suffix}", project_id.unwrap_or_default());
    let mut steps = Vec::new();
    let mut bot_id = None;
    match &origin {
        Origin::New => {}
        Origin::WithBot => {
            steps.push(sql!(BOT_NAME, bot.as_str()));
            steps.push(sql!(BOT, bot.as_str(), name.as_str(), now));
        }
        Origin::Instead(old) => {
            bot_id = old.bot_id;
            steps.push(sql!(EXPECT_LIVE, old.id));
            steps.push(sql!(REVOKE, old.id, now));
        }
    }
    let hash_of = hash.as_str();
    steps
        .push(sql!(INSERT, hash_of, user_id, project_id, name, now, expires_at, scopes, access, bot_id, bot));
    let result = sql!(RESULT, hash_of);
    let rows = match key {
        None => {
            steps.push(result);
            store.batch(steps).await?
        }
        Some((key, caller_id, salt)) => {
            steps.insert(0, key.expect_unused(caller_id, now));
            steps.push(sql!(KEEP, caller_id, key.hash.as_str(), now, key.digest.as_str(), hash_of, salt));
            steps.push(result);
            store.repeat(steps).await?
        }
    };
    rows.last().map(|rows| rows.first()).transpose().map(Option::flatten)
}
