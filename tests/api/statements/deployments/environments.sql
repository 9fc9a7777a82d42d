-- The same of environments.
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1
-- Rows in the small world: 3 given, 0 written

-- call/project_head.sql
union all
select json_quote(max(coalesce(max(number), 0), coalesce((
  select x.last
  from removed_numbers x
  where x.project_id = t.project_id and x.kind = 'environment'
), 0)) - coalesce((
  select x.removed
  from removed_numbers x
  where x.project_id = t.project_id and x.kind = 'environment'
), 0))
from environments t
where t.project_id = (
  select project_id
  from scope
  where builds_enabled
)
union all
select v
from (
  select json_array(e.id, e.number, e.name, e.external_url, e.created_at, e.updated_at, e.state, e.tier, e.description) as v
  from environments e
  where e.project_id = (
    select project_id
    from scope
    where builds_enabled
  ) and e.number > (select ?7) + (
    select iif(1 = exists (
      select 1
      from removed_numbers x
      where x.project_id = (
        select project_id
        from scope
      ) and x.kind = 'environment'
    ), 0, ?8)
  )
  order by e.number
  limit (select ?9) offset (
    select iif(0 = exists (
      select 1
      from removed_numbers x
      where x.project_id = (
        select project_id
        from scope
      ) and x.kind = 'environment'
    ), 0, ?8)
  )
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SEARCH t USING COVERING INDEX sqlite_autoindex_environments_2 (project_id=?)
--     SCALAR SUBQUERY
--       SCAN scope
--     CORRELATED SCALAR SUBQUERY
--       SEARCH x USING PRIMARY KEY (project_id=? AND kind=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH x USING PRIMARY KEY (project_id=? AND kind=?)
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SCALAR SUBQUERY
--         SCALAR SUBQUERY
--           SEARCH x USING PRIMARY KEY (project_id=? AND kind=?)
--           SCALAR SUBQUERY
--             SCAN scope
--       SEARCH e USING INDEX sqlite_autoindex_environments_2 (project_id=? AND number>?)
--       SCALAR SUBQUERY
--         SCAN scope
--       SCALAR SUBQUERY
--         SCALAR SUBQUERY
--           SEARCH x USING PRIMARY KEY (project_id=? AND kind=?)
--           SCALAR SUBQUERY
--             SCAN scope
--     SCAN (subquery)
