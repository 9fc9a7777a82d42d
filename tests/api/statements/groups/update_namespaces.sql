-- groups: update namespaces
-- Binds: ?1 group_id
-- Rows in the small world: 0 given, 1 written

update namespaces
set path = '/', path_key = '/' || id
where id = (select ?1) and kind = 'group' and not exists (
  select 1
  from projects
  where namespace_id = (select ?1) and deleted_at is null
)

-- Plan:
-- SEARCH namespaces USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH projects USING INDEX projects_within_by_update (namespace_id=?)
