-- Shuts out the users of the projects' tokens that the user `?1` made and nobody took over.
-- Binds: ?1 user_id
-- Rows in the small world: 0 given, 0 written

update users
set state = 'blocked'
where state = 'active' and id in (
  select bot_id
  from tokens
  where user_id = (select ?1) and revoked_at is null
)

-- Plan:
-- SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
-- LIST SUBQUERY
--   SEARCH tokens USING INDEX tokens_of_user (user_id=?)
