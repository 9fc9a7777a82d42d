-- notes: creation insert notes
-- Binds: ?7 issue_id, ?8 levels
-- Rows in the small world: 0 given, 2 written

-- call/write_head.sql
issues_enabled and (access < (select ?8 ->> 1) or (select ?8 ->> 2))
  and exists (
  select 1
  from issues i
  where i.id = (select ?7) and i.project_id = resource.project_id
    and i.deleted_at is null and (i.confidential = 0 or resource.access >= (select ?8 ->> 0) or resource.user_id in (i.author_id,
    i.assignee_id))
) )
insert into notes (project_id, issue_id, author_id, body, created_at, updated_at)
select s.project_id, ?7, s.user_id, ?9, coalesce(t.at, ?4), coalesce(t.at, ?4)
from scope s
cross join (
  select iif(access >= (select ?8 ->> 1), ?10, null) as at
  from scope
) t

-- Plan:
-- SCAN s
-- SCAN scope
-- SEARCH todos USING COVERING INDEX todos_of_note (note_id=?)
