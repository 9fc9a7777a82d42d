-- Shuts out the users of the tokens of the project `?1`.
-- Binds: ?1 project_id
-- Rows in the small world: 0 given, 2 written

update users
set state = 'blocked'
where state = 'active' and id in (
  select bot_id
  from tokens
  where project_id = (select ?1) and revoked_at is null
)

-- Plan:
-- SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH tokens USING INDEX tokens_of_project (project_id=?)
