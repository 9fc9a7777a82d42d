-- May the caller see the issue `?7`?
-- Binds: ?7 IssueRef::Number(iid)
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select 'true'
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
