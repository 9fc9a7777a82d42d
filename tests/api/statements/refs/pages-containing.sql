-- First row: is there the commit `?7`? Then the refs that contain it: those of the 5,000 commits that descend from it
--   most nearly, and the branch that it belongs to. Their names begin with `?9` (an empty text: any) and come after
--   `?10`; `?11` are passed over and `?12` taken.
-- Binds: ?7 sha, ?8 abbreviation(sha), ?9 kind, ?10 after, ?11 offset, ?12 page.size + 1
-- Rows in the small world: 5 given, 0 written

-- call/project_head.sql
union all
select json_quote(c.sha)
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
union all
select v
from (
  select json_quote(name) as v
  from (
    with recursive up (id) as (
      select (
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
      union
      select p.child_id
      from up
      cross join parents p
      on p.parent_id = up.id
      limit 5000
    )
    select r.name
    from up
    cross join refs r
    on r.commit_id = up.id
    union
    select r.name
    from commits c
    cross join refs r
    on r.project_id = c.project_id and r.name = 'refs/heads/' || c.branch
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
  )
  where name > (select ?10) and substr(name, 1, length(?9)) = ?9
  order by name
  limit (select ?12) offset (select ?11)
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
--   UNION ALL
--     CO-ROUTINE (subquery)
--       CO-ROUTINE (subquery)
--         MERGE (UNION)
--           LEFT
--             CO-ROUTINE up
--               SETUP
--                 SCALAR SUBQUERY
--                   SCAN here
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--                   CORRELATED SCALAR SUBQUERY
--                     SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--                     CORRELATED SCALAR SUBQUERY
--                       SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
--                   CORRELATED SCALAR SUBQUERY
--                     CO-ROUTINE (subquery)
--                       SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha>? AND sha<?)
--                     SCAN (subquery)
--               RECURSIVE STEP
--                 SCAN up
--                 SEARCH p USING COVERING INDEX parents_of_parent (parent_id=?)
--             SCAN up
--             SEARCH r USING COVERING INDEX refs_of_commit (commit_id=? AND name>?)
--             USE TEMP B-TREE FOR ORDER BY
--           RIGHT
--             SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--             SCALAR SUBQUERY
--               SCAN here
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--               CORRELATED SCALAR SUBQUERY
--                 SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--                 CORRELATED SCALAR SUBQUERY
--                   SEARCH h USING INTEGER PRIMARY KEY (rowid=?)
--               CORRELATED SCALAR SUBQUERY
--                 CO-ROUTINE (subquery)
--                   SEARCH k USING COVERING INDEX commits_by_sha (project_id=? AND sha>? AND sha<?)
--                 SCAN (subquery)
--             SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--       SCAN (subquery)
--     SCAN (subquery)
