-- Revokes the tokens of the project `?1`, those of hooks, too.
-- Binds: ?1 project_id, ?2 now
-- Rows in the small world: 0 given, 4 written

update tokens
set revoked_at = ?2
where project_id = (select ?1) and revoked_at is null

-- Plan:
-- SEARCH tokens USING INDEX tokens_of_project (project_id=?)
