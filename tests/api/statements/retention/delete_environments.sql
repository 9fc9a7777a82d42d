-- retention: delete environments
-- Rows in the small world: 0 given, 4 written

delete from environments
where id in (
  select e.id
  from environments e
  where e.project_id = (
    select min(project_id)
    from project_remains
  )
  limit 100
)

-- Plan:
-- SEARCH environments USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH e USING COVERING INDEX sqlite_autoindex_environments_2 (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
-- SEARCH deployments USING COVERING INDEX deployments_of_environment (environment_id=?)
