-- notes: creation update todos
-- Binds: ?7 issue_id, ?8 levels
-- Rows in the small world: 0 given, 0 written

-- call/write_head.sql
issues_enabled and (access < (select ?8 ->> 1) or (select ?8 ->> 2))
  and exists (
  select 1
  from issues i
  where i.id = (select ?7) and i.project_id = resource.project_id
    and i.deleted_at is null and (i.confidential = 0 or resource.access >= (select ?8 ->> 0) or resource.user_id in (i.author_id,
    i.assignee_id))
) )
update todos
set state = 'done', updated_at = ?4
where issue_id = (select ?7) and user_id = (
  select user_id
  from scope
) and state = 'pending'

-- Plan:
-- SEARCH todos USING COVERING INDEX todos_of_issue (issue_id=? AND user_id=? AND state=?)
-- SCALAR SUBQUERY
--   SCAN scope
