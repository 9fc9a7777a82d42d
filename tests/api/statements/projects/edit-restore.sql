-- Brings it back under the names that its namespace has now, and no more visible than its group.
-- Binds: ?1 project_id, ?2 call.now
-- Rows in the small world: 0 given, 2 written

update projects
set deleted_at = null, updated_at = ?2, full_path = now.path || '/' || projects.path, path_key = lower(now.path || '/' || projects.path),
  full_name = now.name || ' / ' || projects.name, visibility = min(projects.visibility, now.visibility)
from (
  select n.id, n.path, coalesce(g.name, u.name) as name, coalesce(g.visibility, 20) as visibility
  from namespaces n
  left join groups g
  on g.id = n.id
  left join users u
  on u.id = n.id
  where n.path <> '/'
) now
where projects.id = (select ?1) and now.id = projects.namespace_id
  and projects.deleted_at is not null and projects.purged_at is null

-- Plan:
-- SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
-- SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
