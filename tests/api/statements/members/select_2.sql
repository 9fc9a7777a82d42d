-- members: select
-- Binds: ?1 *user_id, ?2 place_id
-- Rows in the small world: 1 given, 0 written

select json_array(json_array(u.id, u.username, u.name, u.state, u.email), m.access, m.created_at) as v
from project_members m
join users u
on u.id = m.user_id
where m.user_id = (select ?1) and m.project_id = (select ?2)

-- Plan:
-- SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
-- REUSE SUBQUERY
-- SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
