-- Is the path `?7` taken, and which visibilities are for administrators alone?
-- Binds: ?7 path.to_lowercase()
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_object('visibility', null, 'projects', 0, 'path_taken', exists (
  select 1
  from namespaces
  where path_key = (select ?7)
), 'restricted', json(restricted_visibility_levels))
from caller
cross join settings

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN caller
--     SCAN settings
--     SCALAR SUBQUERY
--       SEARCH namespaces USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
