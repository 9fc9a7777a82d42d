-- Revokes what the user `?1` comes in with.
-- Binds: ?1 user_id, ?2 now
-- Rows in the small world: 0 given, 1 written

update tokens
set revoked_at = ?2
where user_id = (select ?1) and revoked_at is null

-- Plan:
-- SEARCH tokens USING INDEX tokens_of_user (user_id=?)
