-- members: select
-- Binds: ?7 user_id, ?8 None::<i64>
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_object('user', json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email',
  u.email), 'access', m.access, 'created_at', m.created_at)
from scope s
cross join users u
on u.id = coalesce(?7, (
  select n.id
  from namespaces n
  where n.path_key = (select ?8)
)) and u.id > 0
left join project_members m
on m.user_id = u.id and m.project_id = s.project_id

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SEARCH n USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
--     SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?) LEFT-JOIN
