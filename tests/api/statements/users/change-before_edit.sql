-- Is there a user `?9`, and has another the e-mail `?7` or the name `?8`?
-- Binds: ?7 key(&change.email), ?8 key(&change.username), ?9 user_id
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_object('id', u.id, 'projects', u.projects_count, 'email_taken', exists (
  select 1
  from users
  where email_key = (select ?7) and id <> u.id
), 'username_taken', exists (
  select 1
  from namespaces
  where path_key = (select ?8) and id <> u.id
))
from caller
cross join users u
on u.id = (select ?9)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN caller
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH users USING COVERING INDEX sqlite_autoindex_users_2 (email_key=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH namespaces USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
