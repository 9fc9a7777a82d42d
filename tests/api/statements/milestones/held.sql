-- Which milestone of this project has the id `?7`, how many issues has it, and when was it changed?
-- Binds: ?7 milestone_id
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_array(m.id, m.opened + m.closed + m.opened_hidden + m.closed_hidden, m.updated_at)
from scope s
cross join milestones m
on m.id = (select ?7) and m.project_id = s.project_id and m.iid > 0

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
