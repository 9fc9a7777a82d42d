-- Only while it is stopped.
-- Binds: ?1 id
-- Rows in the small world: 0 given, 2 written

delete from deployments
where environment_id = (
  select id
  from environments
  where id = (select ?1) and state = 'stopped'
)

-- Plan:
-- SEARCH deployments USING COVERING INDEX deployments_of_environment (environment_id=?)
-- SCALAR SUBQUERY
--   SEARCH environments USING INTEGER PRIMARY KEY (rowid=?)
