-- What a project's token wrote goes on naming its user, who is shut out with it.
-- Binds: ?1 token_id
-- Rows in the small world: 0 given, 0 written

update users
set state = 'blocked'
where id = (
  select bot_id
  from tokens
  where id = (select ?1)
)

-- Plan:
-- SEARCH users USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SEARCH tokens USING INDEX sqlite_autoindex_tokens_2 (id=?)
