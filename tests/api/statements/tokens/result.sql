-- The token with the hash `?1`.
-- Binds: ?1 hash_of
-- Rows in the small world: 1 given, 0 written

select json_array(t.id, t.user_id, t.project_id, t.name, t.created_at, t.expires_at, t.revoked_at, t.bot_id, t.scopes,
  t.access) as v
from tokens t
where t.hash = (select ?1)

-- Plan:
-- SEARCH t USING PRIMARY KEY (hash=?)
