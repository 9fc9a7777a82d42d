-- First row: are there commits whose branch is still to be judged, and which are forgotten? Then the refs whose names
--   come after `?7`, with messages if `?8`, up to the one that passes `?9` bytes, `?10` at most.
-- Binds: ?7 after, ?8 messages, ?9 BYTES_OF_A_PAGE as i64, ?10 REFS_OF_A_PAGE as i64
-- Rows in the small world: 5 given, 0 written

-- call/project_head.sql
union all
select json_object('pending', json(case when exists (
  select 1
  from branch_queue q
  where q.project_id = scope.project_id
) or exists (
  select 1
  from mirrors m
  where m.project_id = scope.project_id and m.scan_after is not null
) then 'true' else 'false' end), 'bytes', (
  select m.bytes
  from mirrors m
  where m.project_id = scope.project_id
), 'forgotten', json((
  select json_group_array(c.sha)
  from (
    select f.commit_id
    from forgotten_commits f
    where f.project_id = scope.project_id
    limit 1000
  ) f
  cross join commits c
  on c.id = f.commit_id
)))
from scope
union all
select json_object('name', name, 'sha', sha, 'tag_sha', tag_sha, 'message', message)
from (
  select r.name, c.sha, r.tag_sha, r.message, coalesce(sum(octet_length(r.name) + coalesce(octet_length(r.message),
    0)) over (order by r.name rows between unbounded preceding and 1 preceding), 0) as before
  from (
    select name, commit_id, tag_sha, case when (select ?8) then message end as message
    from refs
    where project_id = (
      select project_id
      from scope
    ) and name > (select ?7)
    order by name
    limit (select ?10)
  ) r
  cross join commits c
  on c.id = r.commit_id
  order by r.name
)
where before <= (select ?9)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN scope
--     CORRELATED SCALAR SUBQUERY
--       SEARCH q USING COVERING INDEX branch_queue_in_order (project_id=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       CO-ROUTINE f
--         SEARCH f USING COVERING INDEX forgotten_commits_of_project (project_id=?)
--       SCAN f
--       SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--   UNION ALL
--     CO-ROUTINE (subquery)
--       CO-ROUTINE (subquery)
--         CO-ROUTINE r
--           SEARCH refs USING PRIMARY KEY (project_id=? AND name>?)
--           SCALAR SUBQUERY
--             SCAN scope
--         SCAN r
--         SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--       SCAN (subquery)
--     SCAN (subquery)
