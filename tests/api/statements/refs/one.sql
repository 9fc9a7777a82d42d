-- refs: one
-- Binds: ?7 format!("{kind}{name}")
-- Rows in the small world: 3 given, 0 written

-- call/project_head.sql
union all
select json_quote(default_branch_protection)
from scope
cross join settings
union all
select json_object('name', r.name, 'tag_message', r.message, 'tag_sha', r.tag_sha, 'branch', c.branch, 'commit',
  json_object('sha', c.sha, 'author_name', c.author_name, 'author_email', c.author_email, 'authored_at', c.authored_at,
  'author_zone', c.author_zone, 'committer_name', c.committer_name, 'committer_email', c.committer_email, 'committed_at',
  c.committed_at, 'committer_zone', c.committer_zone, 'message', c.message, 'additions', c.additions, 'deletions',
  c.deletions, 'parent_shas', json(c.parent_shas)))
from refs r
cross join commits c
on c.id = r.commit_id
where r.project_id = (
  select project_id
  from scope
) and r.name = (select ?7)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN scope
--     SCAN settings
--   UNION ALL
--     SEARCH r USING PRIMARY KEY (project_id=? AND name=?)
--     SCALAR SUBQUERY
--       SCAN scope
--     SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
