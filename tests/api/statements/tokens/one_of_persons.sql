-- The token `?7` if the caller may know of it; without a number the one that asks.
-- Binds: ?7 token_id
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_object('id', t.id, 'user_id', t.user_id, 'project_id', t.project_id, 'name', t.name, 'created_at', t.created_at,
  'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'bot_id', t.bot_id, 'scopes', t.scopes, 'access', t.access)
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
