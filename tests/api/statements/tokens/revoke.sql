-- Ends a token, once.
-- Binds: ?1 token_id, ?2 now
-- Rows in the small world: 0 given, 1 written

update tokens
set revoked_at = ?2
where id = (select ?1) and revoked_at is null

-- Plan:
-- SEARCH tokens USING INDEX sqlite_autoindex_tokens_2 (id=?)
