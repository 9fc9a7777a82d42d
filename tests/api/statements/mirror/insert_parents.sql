-- mirror: insert parents
-- Binds: ?1 project_id, ?2 list
-- Rows in the small world: 0 given, 2 written

insert into parents (child_id, position, parent_id, parent_committed_at)
select c.id, value ->> 1, p.id, p.committed_at
from json_each(?2) edge
cross join commits c
on c.project_id = (select ?1) and c.sha = value ->> 0 and c.id > (
  select m.before_batch
  from mirrors m
  where m.project_id = (select ?1)
)
cross join commits p
on p.project_id = (select ?1) and p.sha = value ->> 2
where true
on conflict do nothing

-- Plan:
-- SCAN edge VIRTUAL TABLE INDEX 1:
-- SEARCH c USING COVERING INDEX commits_by_sha (project_id=? AND sha=? AND rowid>?)
-- SCALAR SUBQUERY
--   SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
-- SEARCH p USING INDEX commits_by_sha (project_id=? AND sha=?)
