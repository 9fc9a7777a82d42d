-- Before a push: whether there are forgotten commits, bytes of the project and of all, and how keys of its objects
--   begin.
-- Rows in the small world: 3 given, 0 written

-- call/project_head.sql
union all
select json_array( json(iif(exists (
  select 1
  from forgotten_commits f
  where f.project_id = scope.project_id
), 'true', 'false')), coalesce((
  select m.bytes
  from mirrors m
  where m.project_id = scope.project_id
), 0), (
  select s.bytes
  from stored s
))
from scope
union all
select json_quote(w.store || '/' || scope.project_id || '/')
from scope
cross join object_sweeps w

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN scope
--     CORRELATED SCALAR SUBQUERY
--       SEARCH f USING COVERING INDEX forgotten_commits_of_project (project_id=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SCAN s
--   UNION ALL
--     SCAN scope
--     SCAN w
