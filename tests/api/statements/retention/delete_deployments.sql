-- retention: delete deployments
-- Rows in the small world: 0 given, 6 written

delete from deployments
where id in (
  select d.id
  from deployments d
  where d.project_id = (
    select min(project_id)
    from project_remains
  )
  limit 100
)

-- Plan:
-- SEARCH deployments USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH d USING COVERING INDEX sqlite_autoindex_deployments_1 (project_id=?)
--   SCALAR SUBQUERY
--     SEARCH project_remains
