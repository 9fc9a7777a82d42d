//! Statements of groups and namespaces in v4.

use crate::call::signed_in;
use crate::projects::sql::namespace_json;

/// The namespace with the id `?7` or the path `?8`, if it is the caller's.
pub const NAMESPACE: &str = signed_in!(
    "union all select ",
    namespace_json!("w.id"),
    " from caller c cross join namespaces w on w.id = coalesce(?7, (select y.id from namespaces y where y.path_key = (select ?8)))
  where w.id > 0 and w.path <> '/' and (c.admin or w.id = c.id
    or exists (select 1 from group_members m where m.user_id = c.id and m.group_id = w.id))"
);

/// Has somebody the path `?7`?
pub const EXISTS: &str = signed_in!(
    "union all select json(iif(exists (select 1 from namespaces where path_key = (select ?7)), 'true', 'false')) from caller"
);
