-- groups: v4 namespaces exists
-- Binds: ?7 path.to_lowercase()
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json(iif(exists (
  select 1
  from namespaces
  where path_key = (select ?7)
), 'true', 'false'))
from caller

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN caller
--     SCALAR SUBQUERY
--       SEARCH namespaces USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
