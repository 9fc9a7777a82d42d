-- How many commits does the commit `?7` reach, itself included? What the hook counted where it is the tip of a ref,
--   else a walk of 10,001 at most; `?9`: the last parent of each that is followed.
-- Binds: ?7 name, ?8 abbreviation(name), ?9 if first_parent { 0 } else { 1_000_000 }
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_quote(coalesce( (
  select r.commits
  from refs r
  where r.commit_id = c.id and r.commits is not null and ?9 > 0
  limit 1
), (
  with recursive down (id) as (
    select c.id
    union
    select p.parent_id
    from down
    cross join parents p
    on p.child_id = down.id and p.position <= (select ?9)
    limit 10001
  )
  select count(*)
  from down
)))
from commits c
where c.id = (
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
--     SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
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
--       SEARCH r USING INDEX refs_of_commit (commit_id=?)
--     CORRELATED SCALAR SUBQUERY
--       CO-ROUTINE down
--         SETUP
--         RECURSIVE STEP
--           SCAN down
--           SEARCH p USING PRIMARY KEY (child_id=? AND position<?)
--       SCAN down
