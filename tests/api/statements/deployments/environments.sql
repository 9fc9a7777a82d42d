-- The same of environments.
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1
-- Rows in the small world: 3 given, 0 written

-- call/project_head.sql
union all
select json_quote(coalesce(max(number), 0))
from environments
where project_id = (
  select project_id
  from scope
  where builds_enabled
)
union all
select v
from (
  select json_object('id', e.id, 'number', e.number, 'name', e.name, 'external_url', e.external_url) as v
  from environments e
  where e.project_id = (
    select project_id
    from scope
    where builds_enabled
  ) and e.number > (select ?7 + ?8)
  order by e.number
  limit (select ?9)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SEARCH environments USING COVERING INDEX sqlite_autoindex_environments_2 (project_id=?)
--     SCALAR SUBQUERY
--       SCAN scope
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SEARCH e USING INDEX sqlite_autoindex_environments_2 (project_id=? AND number>?)
--       SCALAR SUBQUERY
--         SCAN scope
--     SCAN (subquery)
