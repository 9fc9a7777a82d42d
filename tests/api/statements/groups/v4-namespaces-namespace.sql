-- groups: v4 namespaces namespace
-- Binds: ?7 number, ?8 path
-- Rows in the small world: 2 given, 0 written

-- call/caller_head.sql
union all
select json((
  select json_array(n.id, n.kind, n.path, coalesce(g.name, n.path), coalesce(g.description, ''), coalesce(g.created_at,
    (
    select u.created_at
    from users u
    where u.id = n.id
  )), json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
    from users u
    where u.id = n.id
  )))
  from namespaces n
  left join groups g
  on g.id = n.id
  where n.id = w.id
))
from caller c
cross join namespaces w
on w.id = coalesce(?7, (
  select y.id
  from namespaces y
  where y.path_key = (select ?8)
))
where w.id > 0 and w.path <> '/' and (c.admin or w.id = c.id or exists (
  select 1
  from group_members m
  where m.user_id = c.id and m.group_id = w.id
))

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN c
--     SEARCH w USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SEARCH y USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--       SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
