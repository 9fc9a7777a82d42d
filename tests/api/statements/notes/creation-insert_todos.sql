-- notes: creation insert todos
-- Binds: ?7 issue, ?8 levels
-- Rows in the small world: 0 given, 1 written

-- call/write_head.sql
issues_enabled and (access < (select ?8 ->> 1) or (select ?8 ->> 2))
  and exists (
  select 1
  from issues i
  where i.id = coalesce(?7 ->> 0, (
    select n.id
    from issues n
    where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
      select y.id
      from projects y
      where y.path_key = (select ?5 ->> 1)
    ))
  )) and i.project_id = resource.project_id and i.deleted_at is null
    and (i.confidential = 0 or resource.access >= (select ?8 ->> 0) or resource.user_id in (i.author_id, i.assignee_id))
    and (resource.access > 0 or i.discussion_locked is not 1)
) )
insert into todos (user_id, author_id, project_id, issue_id, note_id, action, created_at, updated_at)
select u.id, (
  select user_id
  from scope
), i.project_id, i.id, (
  select max(k.id)
  from notes k
  where k.issue_id = (
    select coalesce(?7 ->> 0, (
      select n.id
      from issues n
      where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
        select y.id
        from projects y
        where y.path_key = (select ?5 ->> 1)
      ))
    ))
    from scope
  )
), 'mentioned', ?4, ?4
from issues i
cross join json_each(?9) named
cross join users u
on u.username = named.value and u.id > 0 and u.state = 'active'
join projects p
on p.id = i.project_id
where i.id = (
  select coalesce(?7 ->> 0, (
    select n.id
    from issues n
    where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
      select y.id
      from projects y
      where y.path_key = (select ?5 ->> 1)
    ))
  ))
  from scope
) and i.deleted_at is null and case when i.confidential then u.id in (i.author_id, i.assignee_id)
  or case when u.admin then 60 when p.namespace_id = u.id then 50 else max(coalesce((
  select m.access
  from project_members m
  where m.user_id = u.id and m.project_id = p.id
), 0), coalesce((
  select m.access
  from group_members m
  where m.user_id = u.id and m.group_id = p.namespace_id
), 0)) end >= (select ?8 ->> 0) else (p.visibility >= iif(coalesce(u.external, 1), 20, 10) or case when u.admin then 60 when p.namespace_id = u.id then 50 else max(coalesce((
  select m.access
  from project_members m
  where m.user_id = u.id and m.project_id = p.id
), 0), coalesce((
  select m.access
  from group_members m
  where m.user_id = u.id and m.group_id = p.namespace_id
), 0)) end > 0) end and u.id <> (
  select user_id
  from scope
) and not exists (
  select 1
  from todos t
  where t.issue_id = i.id and t.user_id = u.id and t.state = 'pending'
)

-- Plan:
-- SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
-- SCALAR SUBQUERY
--   SCAN scope
--   SCALAR SUBQUERY
--     SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--     SCALAR SUBQUERY
--       SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
-- SCAN named VIRTUAL TABLE INDEX 1:
-- SEARCH u USING INDEX sqlite_autoindex_users_1 (username=? AND rowid>?)
-- SCALAR SUBQUERY
--   SCAN scope
-- CORRELATED SCALAR SUBQUERY
--   SEARCH t USING COVERING INDEX todos_of_issue (issue_id=? AND user_id=? AND state=?)
-- SEARCH p USING INTEGER PRIMARY KEY (rowid=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND project_id=?)
-- CORRELATED SCALAR SUBQUERY
--   SEARCH m USING PRIMARY KEY (user_id=? AND group_id=?)
-- SCALAR SUBQUERY
--   SCAN scope
-- SCALAR SUBQUERY
--   SEARCH k USING COVERING INDEX notes_of_issue (issue_id=?)
--   SCALAR SUBQUERY
--     SCAN scope
--     SCALAR SUBQUERY
--       SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--       SCALAR SUBQUERY
--         SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
