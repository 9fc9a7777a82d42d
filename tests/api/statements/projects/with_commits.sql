-- The project that was asked for, with how many commits its default branch has.
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_object('project', json_object('id', p.id, 'name', p.name, 'path', p.path, 'full_name', p.full_name,
  'full_path', p.full_path, 'description', p.description, 'visibility', p.visibility, 'default_branch', p.default_branch,
  'issues_enabled', p.issues_enabled, 'builds_enabled', p.builds_enabled, 'archived', p.archived, 'creator_id',
  p.creator_id, 'created_at', p.created_at, 'updated_at', p.updated_at), 'namespace', json((
  select json_object('id', n.id, 'kind', n.kind, 'path', n.path, 'name', coalesce(g.name, n.path), 'description',
    coalesce(g.description, ''), 'created_at', coalesce(g.created_at, (
    select u.created_at
    from users u
    where u.id = n.id
  )), 'owner', json((
    select json_object('id', u.id, 'username', u.username, 'name', u.name, 'state', u.state, 'email', u.email)
    from users u
    where u.id = n.id
  )))
  from namespaces n
  left join groups g
  on g.id = n.id
  where n.id = p.namespace_id
)), 'opened', json((
  select json_array(c.opened, c.opened_hidden)
  from issue_counts c
  where c.project_id = p.id
)), 'project_access', (
  select m.access
  from project_members m
  where m.user_id = (
    select id
    from caller
  ) and m.project_id = p.id
), 'group_access', (
  select m.access
  from group_members m
  where m.user_id = (
    select id
    from caller
  ) and m.group_id = p.namespace_id
), 'commits', (
  select b.commits
  from branch_counts b
  where b.project_id = p.id and b.branch = p.default_branch
))
from scope s
cross join projects p
on p.id = s.project_id

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--       SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--       SCALAR SUBQUERY
--         SCAN caller
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--       SCALAR SUBQUERY
--         SCAN caller
--     CORRELATED SCALAR SUBQUERY
--       SEARCH b USING PRIMARY KEY (project_id=? AND branch=?)
