-- Keeps a [`SaltedRow`] of the token with the hash `?5` and the salt `?6` for the user `?1` under the key `?2`.
-- Binds: ?1 caller_id, ?2 key.hash.as_str(), ?3 now, ?4 key.digest.as_str(), ?5 hash_of, ?6 salt
-- Rows in the small world: 0 given, 1 written

insert into idempotency_keys (user_id, key, created_at, digest, answer)
select ?1, ?2, ?3, ?4, json_object('base', '', 'avatars', (
  select avatar_enabled
  from settings
), 'row', json((
  select json_object('token', json_array(t.id, t.user_id, t.project_id, t.name, t.created_at, t.expires_at, t.revoked_at,
    t.bot_id, t.scopes, t.access), 'salt', ?6)
  from tokens t
  where t.hash = (select ?5)
)))
where true
on conflict (user_id, key) do update set digest = excluded.digest, answer = excluded.answer, record_id = excluded.record_id,
  created_at = excluded.created_at

-- Plan:
-- SCALAR SUBQUERY
--   SCAN settings
-- SCALAR SUBQUERY
--   SEARCH t USING PRIMARY KEY (hash=?)
