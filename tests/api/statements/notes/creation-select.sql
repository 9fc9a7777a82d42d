-- notes: creation select
-- Binds: ?7 issue_id, ?8 levels
-- Rows in the small world: 2 given, 0 written

-- call/project_head.sql
union all
select '1'
from scope s
where exists (
  select 1
  from issues i
  where i.id = (select ?7) and i.project_id = s.project_id and i.deleted_at is null
    and (i.confidential = 0 or s.access >= (select ?8 ->> 0) or s.user_id in (i.author_id, i.assignee_id))
)

-- Plan:
-- COMPOUND QUERY
--   UNION ALL
--     SCAN s
--     SEARCH i EXISTS USING INTEGER PRIMARY KEY (rowid=?)
