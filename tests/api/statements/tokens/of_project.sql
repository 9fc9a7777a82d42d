-- Has this project a token `?7` of the kind `?8`?
-- Binds: ?7 token_id, ?8 kind
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_object('id', t.id, 'user_id', t.user_id, 'project_id', t.project_id, 'name', t.name, 'created_at', t.created_at,
  'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'bot_id', t.bot_id, 'scopes', t.scopes, 'access', t.access)
from scope s
cross join tokens t
on t.id = (select ?7) and t.project_id = s.project_id and t.kind = (select ?8)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH t USING INDEX tokens_of_project (project_id=? AND id=?)
