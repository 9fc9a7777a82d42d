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
  json_array(c.sha, c.author_name, c.author_email, c.authored_at, c.author_zone, c.committer_name, c.committer_email,
  c.committed_at, c.committer_zone, c.message, c.additions, c.deletions, json(c.parent_shas)))
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
