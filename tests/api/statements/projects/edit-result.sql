-- The project `?1` as `?2` sees it.
-- Binds: ?1 entered.resource.id, ?2 entered.caller.user.id
-- Rows in the small world: 1 given, 0 written

select json_array(json_array(p.id, p.name, p.path, p.full_name, p.full_path, p.description, p.visibility, p.default_branch,
  p.issues_enabled, p.builds_enabled, p.archived, p.creator_id, p.created_at, p.updated_at), json((
  select json_array(n.id, n.kind, n.path, coalesce(g.name, n.path), coalesce(g.description, ''), coalesce(g.created_at,
    (
    select u.created_at
    from users u
    where u.id = n.id
  )), json((
    select json_array(u.id, u.username, u.name, u.state, u.email)
    from users u
    where u.id = n.id
  )))
  from namespaces n
  left join groups g
  on g.id = n.id
  where n.id = p.namespace_id
)), json((
  select json_array(c.opened, c.opened_hidden)
  from issue_counts c
  where c.project_id = p.id
)), (
  select m.access
  from project_members m
  where m.user_id = ?2 and m.project_id = p.id
), (
  select m.access
  from group_members m
  where m.user_id = ?2 and m.group_id = p.namespace_id
)) as v
from projects p
where p.id = (select ?1) and p.deleted_at is null

-- Plan:
-- SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--   SEARCH g USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--   CORRELATED SCALAR SUBQUERY
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--   CORRELATED SCALAR SUBQUERY
--     SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH c USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
