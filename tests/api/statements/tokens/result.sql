-- The token with the hash `?1`.
-- Binds: ?1 hash_of
-- Rows in the small world: 1 given, 0 written

select json_object('id', t.id, 'user_id', t.user_id, 'project_id', t.project_id, 'name', t.name, 'created_at', t.created_at,
  'expires_at', t.expires_at, 'revoked_at', t.revoked_at, 'bot_id', t.bot_id, 'scopes', t.scopes, 'access', t.access) as v
from tokens t
where t.hash = (select ?1)

-- Plan:
-- SEARCH t USING PRIMARY KEY (hash=?)
