//! The head of every statement behind a door: who calls (`caller`) and how he stands to the place (`scope`).
//!
//! A question is written as `in_project!("union all select json_object(..) from scope ..")`: its first row is the
//! door's, its own binds begin at `?7`, and `scope` is one row, or none if there is no such place or caller.
//! Binds: `?1` root's id for ADMIN_TOKEN, `?2` token hash, `?3` sudo as id or username, `?4` now, `?5` id and `?6`
//! lower-case path of the place.

use crate::store::{Statement, Value};

/// `caller`: one row, or none if the token says nothing.
macro_rules! caller_scope {
    () => {
        "with actor as materialized (
  select ?1 as id, 'private' as token, null as hook_project_id where ?1 is not null
  union all
  select user_id, kind, project_id from tokens
  where hash = ?2 and ?1 is null and revoked_at is null and (expires_at is null or expires_at > ?4)
), caller as materialized (
  select u.id, u.username, u.name, u.state, u.email, u.admin, a.token, a.hook_project_id
  from actor a
  join users u on u.id = case when ?3 is null then a.id else (select s.id from users s where s.id = ?3 or s.username = ?3) end
  where u.state = 'active'
)"
    };
}

/// `json(..)` because the text of a subquery would be quoted.
macro_rules! door_json {
    ($place:literal) => {
        concat!(
            "
select json_object(
  'user', json((select json_object('id', id, 'username', username, 'name', name, 'state', state, 'email', email,
    'admin', admin, 'hook_project_id', hook_project_id) from caller)),
  'actor', json((select json_object('token', a.token, 'admin', u.admin)
    from actor a join users u on u.id = a.id where ?3 is not null and u.state = 'active')),
  'place', json(",
            $place,
            "),
  'avatars', (select avatar_enabled from settings)) as v
"
        )
    };
}

/// How the user `$c` (id, admin) stands to the project `$p`.
macro_rules! project_access {
    ($c:literal, $p:literal) => {
        concat!(
            "case when ",
            $c,
            ".admin then 60 when ",
            $p,
            ".namespace_id = ",
            $c,
            ".id then 50
      else max(coalesce((select m.access from project_members m where m.user_id = ",
            $c,
            ".id and m.project_id = ",
            $p,
            ".id), 0), coalesce((select m.access from group_members m where m.user_id = ",
            $c,
            ".id and m.group_id = ",
            $p,
            ".namespace_id), 0)) end"
        )
    };
}

/// `$who`: the caller `c`, or nobody.
macro_rules! project_scope {
    ($who:literal) => {
        concat!(
            crate::call::scope::caller_scope!(),
            ", scope as materialized (
  select c.id as user_id, p.id, p.id as project_id, p.full_path, p.visibility, p.default_branch, p.issues_enabled,
    p.builds_enabled,
    case when c.hook_project_id is not null then 40 * (c.hook_project_id = p.id) else ",
            crate::call::scope::project_access!("c", "p"), " end as access
  from ", $who, " join projects p on (p.id = ?5 or p.path_key = ?6)
  where p.deleted_at is null and (c.id is not null or p.visibility = 20)
)",
            crate::call::scope::door_json!(
                "(select json_object('id', id, 'visibility', visibility, 'access', access,
    'default_branch', default_branch, 'issues_enabled', issues_enabled, 'builds_enabled', builds_enabled) from scope)"
            )
        )
    };
}

/// A group counts as internal for a stranger who sees one of its projects.
macro_rules! group_scope {
    () => {
        concat!(
            crate::call::scope::caller_scope!(),
            ", standing as materialized (
  select c.id as user_id, g.id, g.path, g.visibility,
    case when c.admin then 60
      else coalesce((select m.access from group_members m where m.user_id = c.id and m.group_id = g.id), 0) end as access
  from caller c join groups g on g.id = coalesce((select n.id from namespaces n where n.path_key = ?6 and n.kind = 'group'), ?5)
), scope as materialized (
  select user_id, id, id as group_id, path as full_path, access,
    case when visibility > 0 or access > 0 then visibility
      when exists (select 1 from projects p where p.namespace_id = standing.id and p.deleted_at is null
        and (p.visibility >= 10 or exists (select 1 from project_members m
          where m.project_id = p.id and m.user_id = standing.user_id))) then 10
      else 0 end as visibility
  from standing
)",
            crate::call::scope::door_json!(
                "(select json_object('id', id, 'visibility', visibility, 'access', access) from scope)"
            )
        )
    };
}

/// A statement behind [`crate::call::Call::enter`].
macro_rules! in_project {
    ($($text:expr),+ $(,)?) => { concat!(crate::call::scope::project_scope!("caller c"), $($text),+) };
}

/// A statement behind [`crate::call::Call::visit`]: in a public project there is `scope` without `caller`, too.
macro_rules! in_open_project {
    ($($text:expr),+ $(,)?) => {
        concat!(crate::call::scope::project_scope!("(select 1) left join caller c"), $($text),+)
    };
}

/// A statement behind [`crate::call::Call::enter`] that scans nothing twice, for answers whose cost is the door's: each
/// row is the door's with a member `row` (null: nothing found), over the user `u` and the project `p`.
macro_rules! beside_project {
    ($row:literal, $($join:expr),+ $(,)?) => {
        concat!(
            "select json_object(
  'user', case when u.id is not null then json_object('id', u.id, 'username', u.username, 'name', u.name,
    'state', u.state, 'email', u.email, 'admin', u.admin, 'hook_project_id', t.project_id) end,
  'actor', json((select json_object('token', coalesce(t.kind, 'private'), 'admin', a.admin)
    from users a where ?3 is not null and a.id = coalesce(?1, t.user_id) and a.state = 'active')),
  'place', case when p.id is not null then json_object('id', p.id, 'visibility', p.visibility,
    'access', case when t.project_id is not null then 40 * (t.project_id = p.id) else ",
            crate::call::scope::project_access!("u", "p"), " end, 'default_branch', p.default_branch) end,
  'avatars', 0, 'beside', json('true'), 'row', ", $row, ") as v
from (select 1) left join tokens t on t.hash = ?2 and ?1 is null and t.revoked_at is null
  and (t.expires_at is null or t.expires_at > ?4)
left join users u on u.state = 'active' and u.id = case when ?3 is null then coalesce(?1, t.user_id)
  else (select s.id from users s where s.id = ?3 or s.username = ?3) end
left join projects p on u.id is not null and p.deleted_at is null and (p.id = ?5 or p.path_key = ?6)
", $($join),+
        )
    };
}

/// A statement behind [`crate::call::Call::enter_group`].
macro_rules! in_group {
    ($($text:expr),+ $(,)?) => { concat!(crate::call::scope::group_scope!(), $($text),+) };
}

/// A statement behind [`crate::call::Call::sign_in`]: there is `caller`, and no `scope`.
macro_rules! signed_in {
    ($($text:expr),+ $(,)?) => {
        concat!(crate::call::scope::caller_scope!(), crate::call::scope::door_json!("null"), $($text),+)
    };
}

pub(crate) use {
    beside_project, caller_scope, door_json, group_scope, in_group, in_open_project, in_project,
    project_access, project_scope, signed_in,
};

pub const PROJECT_DOOR: &str = in_project!("");
pub const OPEN_PROJECT_DOOR: &str = in_open_project!("");
pub const GROUP_DOOR: &str = in_group!("");
pub const CALLER_DOOR: &str = signed_in!("");

/// The caller alone.
pub fn caller_door() -> Statement {
    Statement { sql: CALLER_DOOR.into(), binds: Vec::new() }
}

/// `?5` and `?6` for a number, or a path with or without namespace.
pub fn reference(text: &str) -> [Value; 2] {
    let number = text.len() <= 15 && text.bytes().all(|byte| byte.is_ascii_digit());
    let id = if number { text.parse().map_or(Value::Null, Value::Int) } else { Value::Null };
    [id, Value::Text(text.to_lowercase())]
}
