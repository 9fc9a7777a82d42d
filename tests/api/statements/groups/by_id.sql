-- The group `?1`.
-- Binds: ?1 group_id
-- Rows in the small world: 1 given, 0 written

select json_array(g.id, g.name, g.path, g.description, g.visibility, g.created_at, (
  select default_branch_protection
  from settings
)) as v
from groups g
where g.id = (select ?1)

-- Plan:
-- SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN settings
