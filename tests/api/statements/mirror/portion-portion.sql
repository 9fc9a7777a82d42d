-- First row: a [`Progress`]. Then the newest of the queue and what they reach, `?2` commits at most, as [`Row`]s.
-- Binds: ?1 project_id, ?2 size
-- Rows in the small world: 4 given, 0 written

with recursive project as materialized (
  select default_branch as main, 'refs/heads/' || default_branch as main_ref
  from projects
  where id = (select ?1)
), first as materialized (
  select commit_id, committed_at
  from branch_queue
  where project_id = (select ?1)
  order by committed_at desc
  limit (select ?2)
), area(id, at) as materialized (
  select commit_id, committed_at
  from first
  union
  select p.parent_id, p.parent_committed_at
  from area
  join parents p
  on p.child_id = area.id
  order by 2 desc
  limit (select ?2)
)
select coalesce((
  select json_object('version', version, 'scan_after', scan_after)
  from mirrors
  where project_id = (select ?1)
), '{}') as v
union all
select json_object('id', c.id, 'committed_at', c.committed_at, 'branch', case when c.branch = (
  select main
  from project
) then '' else c.branch end, 'queued', exists (
  select 1
  from branch_queue q
  where q.commit_id = c.id
), 'tip', case when exists (
  select 1
  from refs r
  where r.project_id = (select ?1) and r.name = (
    select main_ref
    from project
  ) and r.commit_id = c.id
) then '' else (
  select substr(min(r.name), 12)
  from refs r
  where r.commit_id = c.id and r.name >= 'refs/heads/' and r.name < 'refs/heads0'
) end, 'above', (
  select min(case when k.branch = (
    select main
    from project
  ) then '' else k.branch end)
  from parents p
  cross join commits k
  on k.id = p.child_id
  where p.parent_id = c.id and p.child_id not in (
    select id
    from area
  )
), 'parents', json((
  select json_group_array(json_array(p.parent_id, p.parent_committed_at))
  from parents p
  where p.child_id = c.id
)))
from area
cross join commits c
on c.id = area.id

-- Plan:
-- COMPOUND QUERY
--   LEFT-MOST SUBQUERY
--     SCALAR SUBQUERY
--       SEARCH mirrors USING INTEGER PRIMARY KEY (rowid=?)
--   UNION ALL
--     MATERIALIZE area
--       SETUP
--         MATERIALIZE first
--           SEARCH branch_queue USING COVERING INDEX branch_queue_in_order (project_id=?)
--         SCAN first
--       RECURSIVE STEP
--         SCAN area
--         SEARCH p USING PRIMARY KEY (child_id=?)
--     SCAN area
--     SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       MATERIALIZE project
--         SEARCH projects USING INTEGER PRIMARY KEY (rowid=?)
--       SCAN project
--     CORRELATED SCALAR SUBQUERY
--       SEARCH q USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--       SCALAR SUBQUERY
--         SCAN project
--     CORRELATED SCALAR SUBQUERY
--       SEARCH r USING COVERING INDEX refs_of_commit (commit_id=? AND name>? AND name<?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH p USING COVERING INDEX parents_of_parent (parent_id=?)
--       LIST SUBQUERY
--         SCAN area
--         CREATE BLOOM FILTER
--       SEARCH k USING INTEGER PRIMARY KEY (rowid=?)
--       SCALAR SUBQUERY
--         SCAN project
--     CORRELATED SCALAR SUBQUERY
--       SEARCH p USING PRIMARY KEY (child_id=?)
