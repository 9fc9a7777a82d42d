-- members: select
-- Binds: ?7 json!(users).to_string()
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_array(json_array(u.id, u.username, u.name, u.state, u.email), m.access, m.created_at)
from scope s
cross join json_each(?7) d
cross join users u
on u.id = iif(d.type = 'text', (
  select n.id
  from namespaces n
  where n.path_key = d.value
), d.value) and u.id > 0
left join project_members m
on m.user_id = u.id and m.project_id = s.project_id

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SCAN d VIRTUAL TABLE INDEX 1:
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH n USING COVERING INDEX sqlite_autoindex_namespaces_1 (path_key=?)
--     SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?) LEFT-JOIN
