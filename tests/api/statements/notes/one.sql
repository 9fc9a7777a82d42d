-- Which comment of the issue `?7` has the id `?8`?
-- Binds: ?7 issue, ?8 note_id
-- Rows in the small world: 3 given, 0 written

-- call/project_head.sql
union all
select json_object('total', 1)
from (
  select i.id
  from scope s
  cross join issues i
  on i.id = coalesce(?7 ->> 0, (
    select n.id
    from issues n
    where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
      select y.id
      from projects y
      where y.path_key = (select ?5 ->> 1)
    ))
  )) and i.project_id = s.project_id and i.deleted_at is null
    and (i.confidential = 0 or s.access >= (select ?6 ->> 5) or s.user_id in (i.author_id, i.assignee_id))
    and s.issues_enabled
) seen
union all
select json_object('note', json(json_array(n.id, n.project_id, n.issue_id, json((
  select json_array(u.id, u.username, u.name, u.state, u.email)
  from users u
  where u.id = n.author_id
)), n.body || iif(n.reference is null, '', ' ' || coalesce((
  select n.reference
  from caller c
  cross join projects p
  on p.id = n.reference_project_id
  where p.deleted_at is null and (p.visibility >= iif(coalesce(c.external, 1), 20, 10) or case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = c.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = p.namespace_id
  ), 0)) end > 0)
), 'another project')), n.system, n.created_at, n.updated_at)))
from (
  select i.id
  from scope s
  cross join issues i
  on i.id = coalesce(?7 ->> 0, (
    select n.id
    from issues n
    where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
      select y.id
      from projects y
      where y.path_key = (select ?5 ->> 1)
    ))
  )) and i.project_id = s.project_id and i.deleted_at is null
    and (i.confidential = 0 or s.access >= (select ?6 ->> 5) or s.user_id in (i.author_id, i.assignee_id))
    and s.issues_enabled
) seen
cross join notes n
on n.id = (select ?8) and n.issue_id = seen.id

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--       SCALAR SUBQUERY
--         SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
--   UNION ALL
--     SCAN s
--     SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--       SCALAR SUBQUERY
--         SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
--     SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SCAN c
--       SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
