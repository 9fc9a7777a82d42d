-- The token `?7` if the caller may know of it; without a number the one that asks.
-- Binds: ?7 token_id
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_array(t.id, t.user_id, t.project_id, t.name, t.created_at, t.expires_at, t.revoked_at, t.bot_id, t.scopes,
  t.access)
from caller c
cross join tokens t
on t.id = coalesce(?7, (
  select o.id
  from tokens o
  where o.hash = (select ?2)
))
where ?7 is null or t.kind = 'personal' and (c.admin or t.user_id = c.id)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN c
--     SEARCH t USING INDEX sqlite_autoindex_tokens_2 (id=?)
--     SCALAR SUBQUERY
--       SEARCH o USING PRIMARY KEY (hash=?)
