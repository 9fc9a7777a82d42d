-- Is the e-mail `?7` or the name `?8` taken by another than `?9`, and which e-mail domains may sign up?
-- Binds: ?7 email.to_lowercase(), ?8 username.to_lowercase(), ?9 None::<i64>
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_object( 'email_taken', exists (
  select 1
  from users
  where email_key = (select ?7) and id is not (select ?9)
), 'username_taken', exists (
  select 1
  from namespaces
  where path_key = (select ?8) and id is not (select ?9)
), 'domain_whitelist', json(coalesce(domain_whitelist, '[]')), 'domain_blacklist_enabled', domain_blacklist_enabled,
  'domain_blacklist', json(domain_blacklist))
from caller
cross join settings

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN caller
--     SCAN settings
--     SCALAR SUBQUERY
--       SEARCH users USING COVERING INDEX sqlite_autoindex_users_2 (email_key=?)
--     SCALAR SUBQUERY
--       SEARCH namespaces USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
