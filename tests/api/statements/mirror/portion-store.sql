-- mirror: portion store
-- Binds: ?1 project_id, ?2 moved
-- Rows in the small world: 0 given, 3 written

update commits
set branch = case when moved.value ->> 1 = '' then p.default_branch else moved.value ->> 1 end
from json_each(?2) moved, projects p
where commits.id = moved.value ->> 0 and p.id = (select ?1)

-- Plan:
-- SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
-- SCAN moved VIRTUAL TABLE INDEX 1:
-- SEARCH commits USING INTEGER PRIMARY KEY (rowid=?)
