-- It counts again in its personal namespace.
-- Binds: ?1 project_id
-- Rows in the small world: 0 given, 0 written

update users
set projects_count = projects_count + 1
where changes() = 1 and id = (
  select namespace_id
  from projects
  where id = (select ?1)
)

-- Plan:
-- SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
