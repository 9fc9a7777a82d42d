-- refs: branches
-- Binds: ?7 after, ?8 "refs/heads0", ?9 offset, ?10 most + 1, ?11 MOST_BYTES
-- Rows in the small world: 4 given, 0 written

-- call/project_head.sql
union all
select json_quote(default_branch_protection)
from scope
cross join settings
union all
select v
from (
  select case when coalesce(sum(octet_length(v)) over (rows between unbounded preceding and 1 preceding), 0) < (select ?11) then v else json_object('name',
    name) end as v
  from (
    select r.name, json_object('name', r.name, 'tag_message', r.message, 'tag_sha', r.tag_sha, 'branch', c.branch,
      'commit', json_array(c.sha, c.author_name, c.author_email, c.authored_at, c.author_zone, c.committer_name,
      c.committer_email, c.committed_at, c.committer_zone, c.message, c.additions, c.deletions, json(c.parent_shas))) as v
    from refs r
    cross join commits c
    on c.id = r.commit_id
    where r.project_id = (
      select project_id
      from scope
    ) and r.name > (select ?7) and r.name < (select ?8)
    order by r.name asc
    limit (select ?10) offset (select ?9)
  )
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN scope
--     SCAN settings
--   UNION ALL
--     CO-ROUTINE (subquery)
--       CO-ROUTINE (subquery)
--         CO-ROUTINE (subquery)
--           SEARCH r USING PRIMARY KEY (project_id=? AND name>? AND name<?)
--           SCALAR SUBQUERY
--             SCAN scope
--           SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--         SCAN (subquery)
--       SCAN (subquery)
--     SCAN (subquery)
