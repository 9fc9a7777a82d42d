-- Keeps a token's hash under the next id. It acts as the user `?9`, or the one with the name `?10`.
-- Binds: ?1 hash_of, ?2 user_id, ?3 project_id, ?4 name, ?5 now, ?6 expires_at, ?7 scopes, ?8 access, ?9 bot_id, ?10
--   bot
-- Rows in the small world: 0 given, 1 written

insert into tokens (hash, id, user_id, kind, project_id, name, created_at, expires_at, scopes, access, bot_id)
values (?1, (
  select coalesce(max(id), 0) + 1
  from tokens
), ?2, iif(?3 is null, 'personal', iif(?8 is null, 'hook', 'project')), ?3, ?4, ?5, ?6, ?7, ?8, coalesce(?9, (
  select id
  from namespaces
  where path_key = (select ?10)
)))

-- Plan:
-- SCALAR SUBQUERY
--   SEARCH tokens USING COVERING INDEX sqlite_autoindex_tokens_2
-- SCALAR SUBQUERY
--   SEARCH namespaces USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
