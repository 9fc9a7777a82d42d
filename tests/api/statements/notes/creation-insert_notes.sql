-- notes: creation insert notes
-- Binds: ?7 issue, ?8 levels
-- Rows in the small world: 0 given, 2 written

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
insert into notes (project_id, issue_id, author_id, body, created_at, updated_at)
select s.project_id, coalesce(?7 ->> 0, (
  select n.id
  from issues n
  where n.iid = (select ?7 ->> 1) and n.project_id = coalesce(?5 ->> 0, (
    select y.id
    from projects y
    where y.path_key = (select ?5 ->> 1)
  ))
)), s.user_id, ?9, coalesce(t.at, ?4), coalesce(t.at, ?4)
from scope s
cross join (
  select iif(access >= (select ?8 ->> 1), ?10, null) as at
  from scope
) t

-- Plan:
-- SCAN s
-- SCAN scope
-- SCALAR SUBQUERY
--   SEARCH n USING COVERING INDEX issues_number (project_id=? AND iid=?)
--   SCALAR SUBQUERY
--     SEARCH y USING COVERING INDEX sqlite_autoindex_projects_1 (path_key=?)
-- SEARCH todos USING COVERING INDEX todos_of_note (note_id=?)
