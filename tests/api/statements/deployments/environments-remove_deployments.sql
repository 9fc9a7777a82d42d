-- So many of its deployments, only while it is stopped.
-- Binds: ?1 id, ?2 PORTION
-- Rows in the small world: 0 given, 2 written

delete from deployments
where id in (
  select d.id
  from environments e
  cross join deployments d
  on d.environment_id = e.id
  where e.id = (select ?1) and e.state = 'stopped'
  limit (select ?2)
)

-- Plan:
-- SEARCH deployments USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH e USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH d USING COVERING INDEX deployments_of_environment (environment_id=?)
--   REUSE SUBQUERY
