-- What does the caller find in the namespace `?7` (or in their own), and is there a user `?8`?
-- Binds: ?7 namespace_id, ?8 creator_id
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json_object( 'creator_id', (
  select u.id
  from users u
  where u.id = (select ?8)
), 'namespace', json((
  select json_object('id', n.id, 'access', case when c.admin then 60 when n.id = c.id then 50 else coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = n.id
  ), 0) end, 'visibility', (
    select g.visibility
    from groups g
    where g.id = n.id
  ), 'limit', iif(u.id is null, null, coalesce(u.projects_limit, s.default_projects_limit)), 'count', coalesce(u.projects_count,
    0))
  from caller c
  join namespaces n
  on n.id = coalesce(?7, c.id)
  left join users u
  on u.id = n.id
  where n.path <> '/' and n.id > 0
)), 'default_visibility', s.default_project_visibility, 'restricted', json(s.restricted_visibility_levels))
from caller
cross join settings s

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN caller
--     SCAN s
--     SCALAR SUBQUERY
--       SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SCAN c
--       SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--       SEARCH u USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH g USING INTEGER PRIMARY KEY (rowid=?)
