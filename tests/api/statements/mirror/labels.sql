-- The commits whose hashes come after `?7`, `?8` at most.
-- Binds: ?7 after, ?8 COMMITS_OF_A_PAGE as i64
-- Rows in the small world: 4 given, 0 written

-- call/project_head.sql
union all
select v
from (
  select json_object('id', c.sha, 'branch', c.branch) as v
  from commits c
  where c.project_id = (
    select project_id
    from scope
  ) and c.sha > (select ?7)
  order by c.sha
  limit (select ?8)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SEARCH c USING INDEX commits_by_sha (project_id=? AND sha>?)
--       SCALAR SUBQUERY
--         SCAN scope
--     SCAN (subquery)
