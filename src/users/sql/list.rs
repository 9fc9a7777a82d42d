//! Statements of `users/list.rs`.

use crate::call::signed_in;
use crate::users::sql::profile_json;

/// Which users after `?7`, and after `?8` others, have `?10` in their names, in order of their ids? `?9` at most.
pub const LIST: &str = signed_in!(
    "union all select v from (select ",
    profile_json!(),
    " as v from users u where u.id > (select ?7 from caller)
  and (?10 is null or instr(lower(u.name), lower(?10)) or instr(lower(u.username), lower(?10))
    or (select admin from caller) and u.email_key = lower(?10)) {state}
  order by u.id limit (select ?9) offset (select ?8))"
);

/// The same, if one of them has the username `?10`.
pub const NAMED: &str = signed_in!(
    "union all select v from (select ",
    profile_json!(),
    " as v from caller c cross join users u where u.id > (select ?7) and u.id = (select n.id from namespaces n where n.path_key = lower(?10)) {state}
  limit (select ?9) offset (select ?8))"
);
