-- Is there a user `?7`, and do they have a token `?8`?
-- Binds: ?7 user_id, ?8 token_id
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_object('user_id', u.id, 'token_id', (
  select t.id
  from tokens t
  where t.id = (select ?8 where c.admin or c.id = u.id) and t.user_id = u.id
    and t.kind = 'personal'
))
from caller c
cross join users u
on u.id = (select ?7)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN c
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH t USING INDEX sqlite_autoindex_tokens_2 (id=?)
--       CORRELATED SCALAR SUBQUERY
