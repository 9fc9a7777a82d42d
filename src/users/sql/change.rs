//! Statements of `users/change.rs`.

use crate::call::signed_in;
use crate::users::sql::profile_json;

/// Is there a user `?9`, and has another the e-mail `?7` or the name `?8`?
pub const BEFORE_EDIT: &str = signed_in!(
    "union all select json_object('id', u.id, 'projects', u.projects_count,
  'email_taken', exists (select 1 from users where email_key = (select ?7) and id <> u.id),
  'username_taken', exists (select 1 from namespaces where path_key = (select ?8) and id <> u.id))
from caller cross join users u on u.id = (select ?9)"
);

/// Changes the user `?1`.
pub const UPDATE: &str = "update users set email = coalesce(?2, email), email_key = coalesce(?3, email_key),
  name = coalesce(?4, name), username = coalesce(?5, username), admin = coalesce(?6, admin),
  bio = nullif(coalesce(?7, bio), ''), location = nullif(coalesce(?8, location), ''), skype = coalesce(?9, skype),
  linkedin = coalesce(?10, linkedin), twitter = coalesce(?11, twitter), website_url = coalesce(?12, website_url),
  projects_limit = iif(?13, ?14, projects_limit), external = coalesce(?15, external)
where id = (select ?1)";

/// Gives the user's namespace the user's new name.
pub const RENAME: &str = "update namespaces set path = ?2, path_key = ?3 where id = (select ?1)";

/// The user `?1`.
pub const PROFILE: &str = concat!("select ", profile_json!(), " as v from users u where u.id = (select ?1)");

/// Blocks or unblocks, but nobody whom the directory blocked.
pub const SET_STATE: &str = "update users set state = ?2 where id = (select ?1) and state <> 'ldap_blocked'";

/// Revokes what the user `?1` comes in with.
pub const REVOKE_ALL: &str =
    "update tokens set revoked_at = ?2 where user_id = (select ?1) and revoked_at is null";

/// Shuts out the users of the projects' tokens that the user `?1` made and nobody took over.
pub const END_ALL: &str = "update users set state = 'blocked' where state = 'active'
  and id in (select bot_id from tokens where user_id = (select ?1) and revoked_at is null)";
