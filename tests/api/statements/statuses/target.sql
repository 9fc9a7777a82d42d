-- Which commit is named by `?7`, and to which branch does it belong?
-- Binds: ?7 name, ?8 abbreviation(name), ?9 git_ref
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_object('commit_id', c.id, 'branch', coalesce((
  select substr(r.name, 12)
  from refs r
  where r.project_id = here.project_id and r.commit_id = c.id
    and r.name = case when ?7 = 'HEAD' then (
    select 'refs/heads/' || h.default_branch
    from projects h
    where h.id = here.project_id
  ) when substr(?7, 1, 11) = 'refs/heads/' then ?7 else 'refs/heads/' || ?7 end
), c.branch), 'ref_is_known', exists (
  select 1
  from refs r
  where r.project_id = here.project_id and r.name in (?9, 'refs/heads/' || ?9, 'refs/tags/' || ?9)
))
from scope here
cross join commits c
on c.id = coalesce( (
  select k.id
  from commits k
  where k.project_id = here.project_id and k.sha = lower(?7)
), (
  select r.commit_id
  from refs r
  where r.project_id = here.project_id and r.name = case when substr(?7, 1, 10) = 'refs/tags/' then ?7 else 'refs/tags/' || ?7 end
), (
  select r.commit_id
  from refs r
  where r.project_id = here.project_id and r.name = case when ?7 = 'HEAD' then (
    select 'refs/heads/' || h.default_branch
    from projects h
    where h.id = here.project_id
  ) when substr(?7, 1, 11) = 'refs/heads/' then ?7 else 'refs/heads/' || ?7 end
), case when ?8 is not null then (
  select case when count(*) = 1 then max(id) end
  from (
    select k.id
    from commits k
    where k.project_id = here.project_id and k.sha >= (select ?8)
      and k.sha < (select ?8) || 'g'
    limit 2
  )
) end)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN here
--     SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       CO-ROUTINE (subquery)
--         SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha>? AND sha<?)
--       SCAN (subquery)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
