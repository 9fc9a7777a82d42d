-- How does the caller stand to the project `?8`? Then the issue `?7`.
-- Binds: ?7 *issue, ?8 target
-- Rows in the small world: 3 given, 0 written

-- call/project_head.sql
union all
select json_object('target', json((
  select json_object('visibility', p.visibility, 'issues_enabled', p.issues_enabled, 'access', case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = c.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = p.namespace_id
  ), 0)) end)
  from caller c
  cross join projects p
  on p.id = (select ?8)
  where p.deleted_at is null and (p.visibility >= iif(coalesce(c.external, 1), 20, 10) or case when c.admin then 60 when p.namespace_id = c.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = c.id and m.project_id = p.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = c.id and m.group_id = p.namespace_id
  ), 0)) end > 0)
)), 'moved', i.moved_to_id is not null, 'comments', i.user_notes_count + i.system_notes_count, 'participants', (
  select count(*)
  from (
    select 1
    from participants t
    where t.issue_id = i.id
    limit 1001
  )
))
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
)) and i.project_id = s.project_id and i.deleted_at is null and (i.confidential = 0 or s.access >= (select ?6 ->> 5)
  or s.user_id in (i.author_id, i.assignee_id)) and s.issues_enabled
union all
select json_array(i.id, i.iid, i.project_id, (
  select p.full_path
  from projects p
  where p.id = i.project_id
), i.title, i.description, i.state, i.created_at, i.updated_at, json((
  select json_group_array(l.title)
  from issue_labels il
  cross join labels l
  on l.id = il.label_id
  where il.issue_id = i.id and substr(l.title, 1, 1) <> ','
)), json((
  select json_array(m.id, m.iid, m.project_id, m.title, m.description, m.state, m.due_date, m.start_date, m.created_at,
    m.updated_at)
  from milestones m
  where m.id = i.milestone_id and m.iid > 0
)), json((
  select json_group_array(json(json_array(u.id, u.username, u.name, u.state, u.email)))
  from users u
  where u.id = i.author_id or u.id is i.assignee_id or u.id is i.closed_by_id
)), i.author_id, i.assignee_id, coalesce((
  select s.subscribed
  from subscriptions s
  where s.issue_id = i.id and s.user_id = (
    select id
    from caller
  )
), (
  select id
  from caller
) in (i.author_id, i.assignee_id) or exists (
  select 1
  from participants t
  where t.issue_id = i.id and t.user_id = (
    select id
    from caller
  )
), 0), i.user_notes_count, i.due_date, i.confidential, i.closed_at, i.closed_by_id, i.discussion_locked, iif(i.moved_to_id is null,
  null, (
  select n.id
  from issues n
  cross join projects q
  on q.id = n.project_id
  left join users z
  on z.id = (
    select (
      select id
      from caller
    )
  )
  where n.id = i.moved_to_id and n.deleted_at is null and q.deleted_at is null
    and q.issues_enabled and ((q.visibility >= iif(coalesce(z.external, 1), 20, 10) and (n.confidential = 0 or z.id in (n.author_id,
    n.assignee_id))) or case when z.admin then 60 when q.namespace_id = z.id then 50 else max(coalesce((
    select m.access
    from project_members m
    where m.user_id = z.id and m.project_id = q.id
  ), 0), coalesce((
    select m.access
    from group_members m
    where m.user_id = z.id and m.group_id = q.namespace_id
  ), 0)) end >= iif(n.confidential and not coalesce(z.id in (n.author_id, n.assignee_id), 0), (select ?6 ->> 5),
    1))
)))
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
)) and i.project_id = s.project_id and i.deleted_at is null and (i.confidential = 0 or s.access >= (select ?6 ->> 5)
  or s.user_id in (i.author_id, i.assignee_id)) and s.issues_enabled

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--       SCALAR SUBQUERY
--         SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
--     SCALAR SUBQUERY
--       SCAN c
--       SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
--     CORRELATED SCALAR SUBQUERY
--       CO-ROUTINE (subquery)
--         SEARCH t USING PRIMARY KEY (issue_id=?)
--       SCAN (subquery)
--   UNION ALL
--     SCAN s
--     SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--     SCALAR SUBQUERY
--       SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--       SCALAR SUBQUERY
--         SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH il USING PRIMARY KEY (issue_id=?)
--       SEARCH l USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH m USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       MULTI-INDEX OR
--         INDEX
--           SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--         INDEX
--           SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--         INDEX
--           SEARCH u USING INTEGER PRIMARY KEY (rowid=?)
--     CORRELATED SCALAR SUBQUERY
--       SEARCH s USING PRIMARY KEY (issue_id=? AND user_id=?)
--       SCALAR SUBQUERY
--         SCAN caller
--     SCALAR SUBQUERY
--       SCAN caller
--     CORRELATED SCALAR SUBQUERY
--       SEARCH t USING PRIMARY KEY (issue_id=? AND user_id=?)
--       SCALAR SUBQUERY
--         SCAN caller
--     CORRELATED SCALAR SUBQUERY
--       SEARCH n USING INTEGER PRIMARY KEY (rowid=?)
--       SEARCH q USING INTEGER PRIMARY KEY (rowid=?)
--       SEARCH z USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN
--       SCALAR SUBQUERY
--         SCALAR SUBQUERY
--           SCAN caller
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
--       CORRELATED SCALAR SUBQUERY
--         SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
