-- Which commit is named by `?7`?
-- Binds: ?7 name, ?8 abbreviation(name)
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_array(json_array(c.sha, c.author_name, c.author_email, c.authored_at, c.author_zone, c.committer_name,
  c.committer_email, c.committed_at, c.committer_zone, c.message, c.additions, c.deletions, json(c.parent_shas)),
  json((
  select json_array(sum(n.pending), sum(n.running), sum(n.success), sum(n.failed), sum(n.canceled))
  from status_counts n
  where n.commit_id = c.id having count(*) > 0
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
--       SEARCH n USING PRIMARY KEY (commit_id=?)
