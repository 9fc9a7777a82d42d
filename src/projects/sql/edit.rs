//! Statements of `projects/edit.rs`.

use crate::call::{in_project, signed_in};
use crate::projects::sql::project_json;

/// What is the project like, and is `?7` a branch of it?
pub const BEFORE: &str = in_project!(
    "union all select json_object('visibility', p.visibility,
  'branch_exists', exists (select 1 from refs r where r.project_id = p.id and r.name = 'refs/heads/' || ?7),
  'restricted', json(s.restricted_visibility_levels))
from scope cross join projects p on p.id = scope.project_id cross join settings s"
);

/// Changes the project `?1`.
pub const UPDATE: &str = "update projects set name = coalesce(?2, name), path = coalesce(?3, path),
  full_name = coalesce((select coalesce(g.name, u.name) || ' / ' || ?2 from namespaces n
    left join groups g on g.id = n.id left join users u on u.id = n.id where n.id = namespace_id), full_name),
  full_path = coalesce((select n.path || '/' || ?3 from namespaces n where n.id = namespace_id), full_path),
  path_key = coalesce((select lower(n.path || '/' || ?3) from namespaces n where n.id = namespace_id), path_key),
  description = nullif(coalesce(?4, description), ''), visibility = coalesce(?5, visibility),
  default_branch = coalesce(?6, default_branch), issues_enabled = coalesce(?7, issues_enabled),
  builds_enabled = coalesce(?8, builds_enabled), updated_at = ?9
where id = (select ?1) and deleted_at is null";

/// The project `?1` as `?2` sees it.
pub const RESULT: &str = concat!(
    "select ",
    project_json!("?2"),
    " as v from projects p where p.id = (select ?1) and p.deleted_at is null"
);

/// Lays the project `?1` in the archive, or takes it out.
pub const ARCHIVE: &str = "update projects set archived = ?2, updated_at = ?3
where id = (select ?1) and deleted_at is null and archived <> (select ?2)";

/// Hides the project `?1` for good, and frees its path.
pub const REMOVE: &str =
    "update projects set deleted_at = ?2, path_key = '/' || id where id = (select ?1) and deleted_at is null";

/// It counts no longer in its personal namespace.
pub const UNCOUNT: &str = "update users set projects_count = projects_count - 1
where changes() = 1 and id = (select namespace_id from projects where id = (select ?1))";

/// Is there a deleted project `?7` that may come back? Not once what hung on it is being removed, nor without its namespace.
pub const DELETED: &str = signed_in!(
    "union all select json_quote(p.id) from caller c cross join projects p on p.id = (select ?7)
  cross join namespaces n on n.id = p.namespace_id
  where c.admin and p.deleted_at is not null and p.purged_at is null and n.path <> '/'"
);

/// Brings it back under the names that its namespace has now, and no more visible than its group.
pub const RESTORE: &str = "update projects set deleted_at = null, updated_at = ?2, full_path = now.path || '/' || projects.path,
  path_key = lower(now.path || '/' || projects.path), full_name = now.name || ' / ' || projects.name,
  visibility = min(projects.visibility, now.visibility)
from (select n.id, n.path, coalesce(g.name, u.name) as name, coalesce(g.visibility, 20) as visibility from namespaces n
  left join groups g on g.id = n.id left join users u on u.id = n.id where n.path <> '/') now
where projects.id = (select ?1) and now.id = projects.namespace_id and projects.deleted_at is not null
  and projects.purged_at is null";

/// It counts again in its personal namespace.
pub const RECOUNT: &str = "update users set projects_count = projects_count + 1
where changes() = 1 and id = (select namespace_id from projects where id = (select ?1))";
