-- Which milestone of this project has the id `?7`?
-- Binds: ?7 milestone_id
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_object('id', m.id, 'iid', m.iid, 'project_id', m.project_id, 'title', m.title, 'description', m.description,
  'state', m.state, 'due_date', m.due_date, 'start_date', m.start_date, 'created_at', m.created_at, 'updated_at',
  m.updated_at)
from scope s
cross join milestones m
on m.id = (select ?7) and m.project_id = s.project_id and m.iid > 0

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
