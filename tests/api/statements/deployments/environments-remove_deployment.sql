-- deployments: environments remove deployment
-- Binds: ?1 id
-- Rows in the small world: 0 given, 2 written

delete from deployments
where id = (select ?1) and (
  select s.state
  from statuses s
  where s.id = status_id
) <> 'running'

-- Plan:
-- SEARCH deployments USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH s USING INTEGER PRIMARY KEY (rowid=?)
