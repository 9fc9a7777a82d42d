-- groups: select
-- Binds: ?1 group_id
-- Rows in the small world: 0 given, 0 written

select json_object('id', g.id, 'name', g.name, 'path', g.path, 'description', g.description, 'visibility', g.visibility,
  'created_at', g.created_at, 'branch_protection', (
  select default_branch_protection
  from settings
)) as v
from groups g
where g.id = (select ?1)

-- Plan:
-- SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN settings
