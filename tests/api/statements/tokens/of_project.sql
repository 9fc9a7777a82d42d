-- Has this project a token `?7` of the kind `?8`?
-- Binds: ?7 token_id, ?8 kind
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_array(t.id, t.user_id, t.project_id, t.name, t.created_at, t.expires_at, t.revoked_at, t.bot_id, t.scopes,
  t.access)
from scope s
cross join tokens t
on t.id = (select ?7) and t.project_id = s.project_id and t.kind = (select ?8)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH t USING INDEX tokens_of_project_by_kind (project_id=? AND kind=? AND id=?)
