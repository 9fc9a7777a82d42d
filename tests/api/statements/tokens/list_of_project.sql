-- Which tokens of the kind `?10` has this project after `?7`, and after `?8` others? `?9` at most.
-- Binds: ?7 after, ?8 offset, ?9 page.size + 1, ?10 kind
-- Rows in the small world: 1 given, 0 written

-- call/project_head.sql
union all
select v
from (
  select json_array(t.id, t.user_id, t.project_id, t.name, t.created_at, t.expires_at, t.revoked_at, t.bot_id, t.scopes,
    t.access) as v
  from tokens t indexed by tokens_of_project_by_kind
  where t.project_id = (
    select project_id
    from scope
  ) and t.id > (select ?7) and t.kind = (select ?10)
  order by t.id
  limit (select ?9) offset (select ?8)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SEARCH t USING INDEX tokens_of_project_by_kind (project_id=? AND kind=? AND id>?)
--       SCALAR SUBQUERY
--         SCAN scope
--     SCAN (subquery)
