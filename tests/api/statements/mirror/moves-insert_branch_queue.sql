-- mirror: moves insert branch queue
-- Binds: ?1 project_id, ?2 list.as_deref(), ?3 *portion
-- Rows in the small world: 0 given, 1 written

insert into branch_queue (commit_id, project_id, committed_at)
select c.id, ?1, c.committed_at
from json_each(coalesce(?2, (
  select s.changes
  from staged_swaps s
  where s.project_id = (select ?1) and s.portion = (select ?3)
))) change
cross join commits c
on c.project_id = (select ?1) and c.sha in (value ->> 'old', value ->> 'new')
where value ->> 'name' >= 'refs/heads/' and value ->> 'name' < 'refs/heads0'
on conflict do nothing

-- Plan:
-- SCAN change VIRTUAL TABLE INDEX 1:
-- SCALAR SUBQUERY
--   SEARCH s USING PRIMARY KEY (project_id=? AND portion=?)
-- SEARCH c USING INDEX commits_by_sha (project_id=? AND sha=?)
