-- What is to be known before an environment is removed: its state, whether it has more than 9,000 deployments, and
--   when it was changed.
-- Binds: ?7 id
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_array(e.state, exists (
  select 1
  from deployments d
  where d.environment_id = e.id
  limit 1 offset 9000
), e.updated_at)
from environments e
where e.id = (select ?7) and e.project_id = (
  select project_id
  from scope
  where builds_enabled
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SEARCH e USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SCAN scope
--     CORRELATED SCALAR SUBQUERY
--       SEARCH d USING COVERING INDEX deployments_of_environment (environment_id=?)
