-- Which of the hashes `?7` are there? Before them, true if there are forgotten commits.
-- Binds: ?7 json!(shas).to_string()
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json(iif(exists (
  select 1
  from forgotten_commits f
  where f.project_id = scope.project_id
), 'true', 'false'))
from scope
union all
select json_quote(c.sha)
from json_each(?7) named
cross join commits c
on c.project_id = (
  select project_id
  from scope
) and c.sha = named.value

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN scope
--     CORRELATED SCALAR SUBQUERY
--       SEARCH f USING COVERING INDEX forgotten_commits_of_project (project_id=?)
--   UNION ALL
--     SCAN named VIRTUAL TABLE INDEX 1:
--     SEARCH c USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
--     SCALAR SUBQUERY
--       SCAN scope
