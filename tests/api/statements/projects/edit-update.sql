-- Changes the project `?1`.
-- Binds: ?1 entered.resource.id, ?2 change.name, ?3 change.path, ?4 change.description, ?5 change.visibility, ?6
--   change.default_branch, ?7 change.issues_enabled, ?8 change.builds_enabled, ?9 call.now
-- Rows in the small world: 0 given, 3 written

update projects
set name = coalesce(?2, name), path = coalesce(?3, path), full_name = coalesce((
  select coalesce(g.name, u.name) || ' / ' || ?2
  from namespaces n
  left join groups g
  on g.id = n.id
  left join users u
  on u.id = n.id
  where n.id = namespace_id
), full_name), full_path = coalesce((
  select n.path || '/' || ?3
  from namespaces n
  where n.id = namespace_id
), full_path), path_key = coalesce((
  select lower(n.path || '/' || ?3)
  from namespaces n
  where n.id = namespace_id
), path_key), description = nullif(coalesce(?4, description), ''), visibility = coalesce(?5, visibility), default_branch = coalesce(?6,
  default_branch), issues_enabled = coalesce(?7, issues_enabled), builds_enabled = coalesce(?8, builds_enabled),
  updated_at = ?9
where id = (select ?1) and deleted_at is null

-- Plan:
-- SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
