//! The head of every statement that answers a request: who calls (`caller`) and how they stand to the resource (`scope`).
//!
//! A query is written as `in_project!("union all select json_array(..) from scope ..")`. Its first row tells the
//! caller and the resource, for the refusal; the rows after it are the query's own.
//!
//! `scope` has one row if the caller may do what the request is about, else none, and a query joins it. So nothing is
//! looked for on behalf of a caller who is refused, and what a refusal costs tells nothing.
//!
//! Binds of the head, before the query's own, which begin at `?7`:
//!
//! | bind | what |
//! |---|---|
//! | `?1` | if the token is ADMIN_TOKEN: root, or whom root acts as: JSON `[id, username]`, one of them null; else null |
//! | `?2` | hash of the token |
//! | `?3` | 1 if anybody may ask without a token, else null |
//! | `?4` | now |
//! | `?5` | the resource: JSON `[id, path in lower case]`, one of them null. Where there is no resource: 1 if only administrators may ask, else null |
//! | `?6` | what the caller needs there: JSON `[least access, least visibility, scopes of tokens that may, hash of the request's Idempotency-Key, writes in an hour, least access to confidential issues, longest row that is told, rows that are told]`; where there is no resource some are null |
//!
//! Binds stand in `(select ?n)` where they are compared with a column. A statement whose plan might depend on a bare bind
//! is thrown away and compiled anew each time its binds are cleared, which the platform does after every use
//! (`sqlite3_clear_bindings` in <https://www.sqlite.org/src/file/src/vdbeapi.c>).

use crate::call::key::Key;
use crate::page::ALL;
use crate::policy::{self, Action};
use crate::store::{Statement, Value, sql};

/// The token `t` that was sent, if it is good.
macro_rules! good_token {
    () => {
        "(select 1) left join tokens t on ?1 is null and t.hash = (select ?2) and t.revoked_at is null
    and (t.expires_at is null or t.expires_at > (select ?4))"
    };
}

/// From which visibility on the user `$user` (external) sees what they are no member of; who has no account sees what external users do.
macro_rules! sees_from {
    ($user:literal) => {
        concat!(
            "iif(coalesce(",
            $user,
            ".external, 1), ",
            crate::policy::visible!(Public),
            ", ",
            crate::policy::visible!(Internal),
            ")"
        )
    };
}

/// `$caller`: who calls, or whom root acts as. At most one row; where anybody may ask (`?3`), one without an id for who
/// brings no token: it sees what is public. With a project's token the author of what is written is the
/// token's own user, and `member`, who made it, is the one whose standing counts. `iif`: for other
/// tokens no row is read of them.
///
/// Every reference to a common table expression counts all its table cursors again, of which SQLite allows a statement
/// 100, so this one has few.
macro_rules! caller_scope {
    ($caller:literal) => {
        concat!(
            "with ",
            $caller,
            " as materialized (
  select u.id, u.username, u.name, u.state, u.email, u.admin, u.external, t.project_id as token_project_id,
    ",
            crate::call::sql::scope::sees_from!("u"),
            " as sees_from, t.expires_at as token_expires_at, coalesce(t.scopes, 1) as scopes,
    coalesce(t.access, ",
            crate::policy::level!(Master),
            ") as token_access, coalesce(m.id, u.id) as member_id, coalesce(m.admin, u.admin) as member_admin
  from ",
            crate::call::sql::scope::good_token!(),
            "
  left join users u on u.id = coalesce(?1 ->> 0, (select s.id from users s where s.username = (select ?1 ->> 1) and s.id > 0), t.bot_id, t.user_id)
  left join users m on m.id = iif(t.bot_id is null, null, t.user_id)
  where u.state = 'active' and coalesce(m.state, 'active') = 'active' or ?3
)"
        )
    };
}

/// The first row: the caller and the resource. `json(..)` because the text of a subquery would be quoted.
macro_rules! head_json {
    ($caller:literal, $resource:literal) => {
        concat!(
            "
select json_array(json((select json_array(id, username, name, state, email, admin, token_project_id, scopes, token_expires_at) from ",
            $caller,
            " where id is not null)), json(",
            $resource,
            "), (select avatar_enabled from settings)) as v
"
        )
    };
}

/// How the user `$c` (id, admin) stands to the project `$p`; or the one with that `$id` and `$admin`.
macro_rules! project_access {
    ($c:literal, $p:literal) => {
        crate::call::sql::scope::project_access!(concat!($c, ".id"), concat!($c, ".admin"), $p)
    };
    ($id:expr, $admin:expr, $p:literal) => {
        concat!(
            "case when ",
            $admin,
            " then ",
            crate::policy::level!(Administrator),
            " when ",
            $p,
            ".namespace_id = ",
            $id,
            " then ",
            crate::policy::level!(Owner),
            "
      else max(coalesce((select m.access from project_members m where m.user_id = ",
            $id,
            " and m.project_id = ",
            $p,
            ".id), 0), coalesce((select m.access from group_members m where m.user_id = ",
            $id,
            " and m.group_id = ",
            $p,
            ".namespace_id), 0)) end"
        )
    };
}

/// Whether the user `$c` (id, admin, external) sees the project `$p`: external users see public ones, and those they are
/// members of.
macro_rules! sees {
    ($c:literal, $p:literal) => {
        concat!(
            "(",
            $p,
            ".visibility >= ",
            crate::call::sql::scope::sees_from!($c),
            " or ",
            crate::call::sql::scope::project_access!($c, $p),
            " > 0)"
        )
    };
}

/// `resource`: the project, and how the caller stands to it. `$who`: the caller `c`, or
/// nobody where there is none. A token of a hook or of a project gives no more than its maker has, and nothing in other projects.
macro_rules! project_place {
    ($who:literal) => {
        concat!(
            crate::call::sql::scope::caller_scope!("caller"),
            ", resource as materialized (
  select c.id as user_id, p.id, p.id as project_id, p.full_path, p.default_branch, p.issues_enabled, p.builds_enabled,
    iif(p.visibility < c.sees_from, 0, p.visibility) as visibility, c.token_project_id,
    coalesce(c.scopes, 1) as scopes,
    min(",
            crate::call::sql::scope::project_access!("c.member_id", "c.member_admin", "p"),
            ", case when c.token_project_id is null then ",
            crate::policy::level!(Administrator),
            " else c.token_access * (c.token_project_id = p.id) end) as access
  from ",
            $who,
            " cross join projects p
    on p.id = coalesce(?5 ->> 0, (select y.id from projects y where y.path_key = (select ?5 ->> 1)))
  where p.deleted_at is null and (c.id is not null or p.visibility = ",
            crate::policy::visible!(Public),
            ")
)"
        )
    };
}

/// Whether the caller may, of a row of `resource`.
macro_rules! allowed {
    () => {
        "(access >= (select ?6) ->> 0 or visibility >= (select ?6) ->> 1) and scopes & ((select ?6) ->> 2)
    and (access > 0 or token_project_id is null)"
    };
}

/// `resource` and `scope` of a project, and the row for the refusal, which hears of a resource only where the caller sees it.
macro_rules! project_scope {
    ($who:literal) => {
        concat!(
            crate::call::sql::scope::project_place!($who),
            ", scope as materialized (
  select * from resource where ",
            crate::call::sql::scope::allowed!(),
            "
)",
            crate::call::sql::scope::head_json!(
                "caller",
                "(select json_array(id, full_path, visibility, access, default_branch, issues_enabled, builds_enabled)
  from resource where access > 0 or visibility > 0)"
            )
        )
    };
}

/// The ids of projects in the group of the row `s` of `scope` that the caller sees, at most `$most` of each kind in the order
/// of ids: members of the group see all, others by visibility and where they are members. What is hidden is not looked at.
macro_rules! projects_in_group {
    ($most:literal) => {
        concat!(
            "select id from (select id from projects where namespace_id = iif(s.access > 0, s.group_id, null)
      and deleted_at is null order by id limit ",
            $most,
            ")
    union select id from (select id from projects indexed by projects_of_namespace_by_visibility
      where namespace_id = iif(s.access = 0, s.group_id, null) and visibility = ",
            crate::policy::visible!(Public),
            " and deleted_at is null
      order by id limit ",
            $most,
            ")
    union select id from (select id from projects indexed by projects_of_namespace_by_visibility
      where namespace_id = iif(s.access = 0 and s.sees_from <= ",
            crate::policy::visible!(Internal),
            ", s.group_id, null) and visibility = ",
            crate::policy::visible!(Internal),
            "
      and deleted_at is null order by id limit ",
            $most,
            ")
    union select id from (select h.id from project_members m cross join projects h on h.id = m.project_id
      where m.user_id = iif(s.access = 0, s.user_id, null) and h.namespace_id = s.group_id and h.deleted_at is null
      order by h.id limit ",
            $most,
            ")"
        )
    };
}

/// The key of the request, for which this caller has had an answer, of the alias `r`.
macro_rules! answered {
    ($user:literal) => {
        concat!(
            "r.user_id = ",
            $user,
            " and r.key = (select ?6 ->> 3) and r.answer is not null and r.created_at > (select ?4) - 86400000"
        )
    };
}

/// `resource` and `scope` of a group. For a stranger it counts as internal if they are a member of one of its projects, none
/// of which is more visible than itself. That is looked up for a group that is not there, too, so that both cost the same.
macro_rules! group_scope {
    () => {
        concat!(
            crate::call::sql::scope::caller_scope!("caller"),
            ", standing as materialized (
  select c.id as user_id, g.id, g.path, iif(g.visibility < c.sees_from, 0, g.visibility) as visibility, c.sees_from, c.token_project_id,
    c.scopes, case when c.token_project_id is not null then 0 when c.admin then ",
            crate::policy::level!(Administrator),
            "
      else coalesce((select m.access from group_members m where m.user_id = c.id and m.group_id = g.id), 0) end as access
  from caller c left join groups g
    on g.id = coalesce(?5 ->> 0, (select n.id from namespaces n where n.path_key = (select ?5 ->> 1) and n.kind = 'group'))
), resource as materialized (
  select user_id, id, id as group_id, path as full_path, access, token_project_id, scopes, sees_from,
    case when visibility > 0 or access > 0 then visibility
      when exists (select 1 from project_members m cross join projects p on p.id = m.project_id
        where m.user_id = iif(standing.token_project_id is null, standing.user_id, null) and p.namespace_id = standing.id and p.deleted_at is null) then ",
            crate::policy::visible!(Internal),
            "
      else 0 end as visibility
  from standing
), scope as materialized (
  select * from resource where id is not null and ",
            crate::call::sql::scope::allowed!(),
            "
)",
            crate::call::sql::scope::head_json!(
                "caller",
                "(select json_array(id, null, visibility, access) from resource where id is not null and (access > 0 or visibility > 0))"
            )
        )
    };
}

/// A statement behind [`crate::call::Call::enter`].
macro_rules! in_project {
    ($($text:expr),+ $(,)?) => { concat!(crate::call::sql::scope::project_scope!("caller c"), $($text),+) };
}

/// A statement behind [`crate::call::Call::enter_group`].
macro_rules! in_group {
    ($($text:expr),+ $(,)?) => { concat!(crate::call::sql::scope::group_scope!(), $($text),+) };
}

/// A statement behind [`crate::call::Call::sign_in`] or [`crate::call::Call::administer`]. `person` is who calls; `caller`
/// is the same if they may ask, else nobody. There is no `scope`.
macro_rules! signed_in {
    ($($text:expr),+ $(,)?) => {
        concat!(
            crate::call::sql::scope::caller_scope!("person"),
            ", caller as materialized (select * from person where scopes & ((select ?6) ->> 2) and (admin or ?5 is null))",
            crate::call::sql::scope::head_json!("person", "null"),
            $($text),+
        )
    };
}

/// How [`if_allowed`] begins.
macro_rules! write_head {
    () => {
        concat!(
            crate::call::sql::scope::project_place!("caller c"),
            ", scope as materialized (
  select * from resource where ",
            crate::call::sql::scope::allowed!(),
            "
    and not exists (select 1 from idempotency_keys r where ",
            crate::call::sql::scope::answered!("resource.user_id"),
            ")
    and ",
        )
    };
}

/// A statement that writes, behind [`crate::call::Call::write`], or tells what another one wrote. `scope` has a row only
/// if the caller may, the condition `$holds` does, and the request is not one that was answered before.
macro_rules! if_allowed {
    ($holds:expr; $($text:expr),+ $(,)?) => {
        concat!(
            crate::call::sql::scope::write_head!(),
            $holds,
            "
)
",
            $($text),+
        )
    };
}

pub(crate) use {
    allowed, answered, caller_scope, good_token, group_scope, head_json, if_allowed, in_group, in_project,
    project_access, project_place, project_scope, projects_in_group, sees, sees_from, signed_in, write_head,
};

pub const PROJECT_HEAD: &str = in_project!("");
pub const GROUP_HEAD: &str = in_group!("");
pub const CALLER_HEAD: &str = signed_in!("");
#[cfg(not(target_arch = "wasm32"))]
pub const WRITE_HEAD: &str = write_head!();

/// The caller alone.
pub fn caller_head() -> Statement {
    sql!(CALLER_HEAD)
}

/// `?5` for a number, or a path with or without namespace.
pub fn reference(text: &str) -> Value {
    Value::Text(named(text, &text.to_lowercase()))
}

/// What a text names that may be a number: JSON `[id, name]`, one of them null.
pub fn named(text: &str, name: &str) -> String {
    let number = text.len() <= 15 && text.bytes().all(|byte| byte.is_ascii_digit());
    let id = text.parse::<i64>().ok().filter(|_| number);
    serde_json::json!([id, id.is_none().then_some(name)]).to_string()
}

/// `?6`: what the caller needs for an action. `reads`: by GET. `key`: of a request that may be sent again. `most`: how much
/// they may write in an hour.
pub fn needs(action: Action, reads: bool, key: Option<&Key>, most: i64) -> Value {
    let (access, visibility) = policy::least(action);
    let scopes = policy::scopes(action, reads);
    let visibility = visibility.map(|seen| seen.level());
    let key = key.map(|key| &key.hash);
    let needs = (access.level(), visibility, scopes, key, most, policy::confidential_level(), ALL.0, ALL.1);
    Value::Text(serde_json::json!(needs).to_string())
}

/// `?5` and `?6` without a resource.
pub fn alone(administrators: bool, scopes: i64, key: Option<&Key>) -> [Value; 2] {
    let key = key.map(|key| &key.hash);
    let needs = serde_json::json!([null, null, scopes, key, null, null, ALL.0, ALL.1]).to_string();
    [Value::from(administrators.then_some(1)), Value::Text(needs)]
}
