-- The finished diff of the commit that `?7` names: part 0, or parts from 1 where it is long, or the object that it
--   lies in. No row: no such commit, or none that has its diff yet. No `order by`: it would read every part once more.
-- Binds: ?7 name, ?8 abbreviation(name)
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_object('part', d.part, 'text', iif(d.object is null, d.text, d.digest), 'bytes', d.bytes, 'key', (
  select w.store || '/' || c.project_id || '/' || c.sha || '-' || d.object
  from object_sweeps w
  cross join commits c
  where c.id = d.commit_id and d.object is not null
))
from diffs d
where d.commit_id = (
  select coalesce( (
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
  from scope here
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SEARCH d USING PRIMARY KEY (commit_id=?)
--     SCALAR SUBQUERY
--       SCAN here
--       CORRELATED SCALAR SUBQUERY
--         SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--         CORRELATED SCALAR SUBQUERY
--           SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         CO-ROUTINE (subquery)
--           SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha>? AND sha<?)
--         SCAN (subquery)
--     CORRELATED SCALAR SUBQUERY
--       SCAN w
--       SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
