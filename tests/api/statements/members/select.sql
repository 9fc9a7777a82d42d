-- members: select
-- Binds: ?7 user_id
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_object('user', json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email',
  u.email), 'access', m.access, 'created_at', m.created_at)
from scope s
cross join users u
on u.id = (select ?7) and u.id > 0
left join project_members m
on m.user_id = u.id and m.project_id = s.project_id

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?) LEFT-JOIN
