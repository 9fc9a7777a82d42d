-- The same of a group that is there, and whose path is to be `?7`.
-- Binds: ?7 change.path.as_ref().map(|path| path.to_lowercase())
-- Rows in the small world: 2 given, 0 written

-- call/group_head.sql
union all
select json_object('visibility', g.visibility, 'projects', g.projects_count, 'path_taken', exists (
  select 1
  from namespaces
  where path_key = (select ?7) and id <> g.id
), 'restricted', json(s.restricted_visibility_levels))
from scope
cross join groups g
on g.id = scope.group_id
cross join settings s

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN scope
--     SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
--     SCAN s
--     CORRELATED SCALAR SUBQUERY
--       SEARCH namespaces USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
