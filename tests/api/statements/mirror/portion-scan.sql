-- Queues those of the next commits after the hash `?2` that may belong elsewhere: another branch ends there, or a
--   child belongs to another, or neither branch nor child is a reason for their own.
-- Binds: ?1 project_id, ?2 after, ?3 SCANNED
-- Rows in the small world: 0 given, 2 written

insert into branch_queue (commit_id, project_id, committed_at)
select c.id, ?1, c.committed_at
from (
  select *
  from commits
  where project_id = (select ?1) and sha > (select ?2)
  order by sha
  limit (select ?3)
) c
where exists (
  select 1
  from refs r
  where r.commit_id = c.id and r.name >= 'refs/heads/' and r.name < 'refs/heads0'
    and substr(r.name, 12) is not c.branch
) or exists (
  select 1
  from parents p
  join commits k
  on k.id = p.child_id
  where p.parent_id = c.id and k.branch is not null and k.branch is not c.branch
) or (c.branch is not null and not exists (
  select 1
  from refs r
  where r.project_id = (select ?1) and r.name = 'refs/heads/' || c.branch
    and r.commit_id = c.id
) and not exists (
  select 1
  from parents p
  join commits k
  on k.id = p.child_id
  where p.parent_id = c.id and k.branch = c.branch
))
on conflict do nothing

-- Plan:
-- CO-ROUTINE c
--   SEARCH commits USING INDEX commits_by_sha (project_id=? AND sha>?)
-- SCAN c
-- CORRELATED SCALAR SUBQUERY
--   SEARCH r USING COVERING INDEX refs_of_commit (commit_id=? AND name>? AND name<?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH p USING COVERING INDEX parents_of_parent (parent_id=?)
--   SEARCH k USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH p USING COVERING INDEX parents_of_parent (parent_id=?)
--   SEARCH k USING INTEGER PRIMARY KEY (rowid=?)
