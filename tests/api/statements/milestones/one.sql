-- Which milestone of this project has the id `?7`?
-- Binds: ?7 milestone_id
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_array(m.id, m.iid, m.project_id, m.title, m.description, m.state, m.due_date, m.start_date, m.created_at,
  m.updated_at)
from scope s
cross join milestones m
on m.id = (select ?7) and m.project_id = s.project_id and m.iid > 0

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
