-- The ids of the comments on the issue `?7` behind `?8`, in their order and `?9` at most.
-- Binds: ?7 issue, ?8 after, ?9 i64::try_from(MOST_IDS).unwrap_or(i64::MAX)
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select json_group_array(id)
from (
  select n.id
  from issues i
  cross join notes n
  on n.issue_id = i.id
  where i.id = (
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
  ) and n.id > (select ?8)
  order by n.id
  limit (select ?9)
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     CO-ROUTINE (subquery)
--       SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--       SCALAR SUBQUERY
--         SCAN s
--         SEARCH i USING INTEGER PRIMARY KEY (rowid=?)
--         SCALAR SUBQUERY
--           SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--           SCALAR SUBQUERY
--             SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
--       SEARCH n USING COVERING INDEX notes_of_issue (issue_id=? AND id>?)
--       REUSE SUBQUERY
--     SCAN (subquery)
