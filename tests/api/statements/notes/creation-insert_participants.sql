-- notes: creation insert participants
-- Binds: ?7 issue_id, ?8 levels
-- Rows in the small world: 0 given, 1 written

-- call/write_head.sql
issues_enabled and (access < (select ?8 ->> 1) or (select ?8 ->> 2))
  and exists (
  select 1
  from issues i
  where i.id = (select ?7) and i.project_id = resource.project_id
    and i.deleted_at is null and (i.confidential = 0 or resource.access >= (select ?8 ->> 0) or resource.user_id in (i.author_id,
    i.assignee_id))
) )
insert into participants (issue_id, user_id, note_id)
select ?7, s.user_id, (
  select max(k.id)
  from notes k
  where k.issue_id = (select ?7) and exists (
    select 1
    from scope
  )
)
from scope s
where true
on conflict do nothing

-- Plan:
-- SCAN s
-- SCALAR SUBQUERY
--   SEARCH k USING COVERING INDEX notes_of_issue (issue_id=?)
--   SCALAR SUBQUERY
--     SCAN scope
