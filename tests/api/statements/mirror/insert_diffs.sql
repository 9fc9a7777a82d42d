-- mirror: insert diffs
-- Binds: ?1 project_id, ?2 list
-- Rows in the small world: 0 given, 3 written

insert into diffs (commit_id, part, text, object, bytes, digest)
select c.id, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
from json_each(?2)
cross join commits c
on c.project_id = (select ?1) and c.sha = value ->> 0
where c.id > (
  select m.before_batch
  from mirrors m
  where m.project_id = (select ?1)
) or exists (
  select 1
  from forgotten_commits f
  where f.commit_id = c.id
)
on conflict do nothing

-- Plan:
-- SCAN json_each VIRTUAL TABLE INDEX 1:
-- SEARCH c USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
-- SCALAR SUBQUERY
--   SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH f USING INTEGER PRIMARY KEY (rowid=?)
