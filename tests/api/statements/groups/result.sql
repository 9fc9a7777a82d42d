-- The group with the path `?1`.
-- Binds: ?1 key
-- Rows in the small world: 1 given, 0 written

select json_array(g.id, g.name, g.path, g.description, g.visibility, g.created_at, (
  select default_branch_protection
  from settings
)) as v
from groups g
where g.id = (
  select id
  from namespaces
  where path_key = (select ?1)
)

-- Plan:
-- SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH namespaces USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
-- SCALAR SUBQUERY
--   SCAN settings
